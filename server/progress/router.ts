import { pluck } from '#shared/domain/pluck.ts'
import * as schema from '#shared/contracts/progress.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { toStars } from '#shared/domain/ratings.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Context } from '#server/calls/context.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { findReviewedTitle } from '#server/reviews/store.ts'
import { withAired } from '#server/titles/airing.ts'
import { findEpisodeSource } from '#server/titles/parts-store.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import * as store from './episodes-store.ts'
import { type Aired, mineByEpisode, type OwnRatings, shownRatings, toEpisode, toSeasons } from './rules.ts'
import { readClock, readProgress, readShow, type Show } from './shows.ts'

const { forAll } = callsIn('Progress')

export const progressRouter = router({
  seasons: forAll('GET /tv-shows/{id}/seasons', 'listSeasons', schema.listSeasons, {
    summary: 'List the seasons of a TV show',
    description:
      'In their order, with the specials first as season 0. With a token, also how far the caller is. Episodes that the source does not have any longer do not count.',
    errors: [404],
    readsToken: true,
    returnsData: ['catalogue', 'own'],
  }).query(async ({ ctx, input: { id } }) => {
    const show = await showFor(ctx, id)
    return {
      seasons: await seasonsOf(ctx, show),
      progress: ctx.member ? await readProgress(ctx.db, show, ctx.member.id) : null,
      source: await sourceOf(ctx, id),
    }
  }),

  season: forAll('GET /tv-shows/{id}/seasons/{number}', 'getSeason', schema.getSeason, {
    summary: 'Get a season of a TV show with its episodes',
    errors: [404],
    readsToken: true,
    returnsData: ['catalogue', 'own'],
  }).query(async ({ ctx, input: { id, number } }) => {
    const show = await showFor(ctx, id)
    const seasons = await seasonsOf(ctx, show)
    const season = found(
      seasons.find((one) => one.number === number),
      messages.seasonNotFound,
    )
    const ofSeason = show.episodes.filter((one) => one.season === number)
    return { season, episodes: await shownEpisodes(ctx, show, ofSeason) }
  }),

  episode: forAll('GET /episodes/{id}', 'getEpisode', schema.getEpisode, {
    summary: 'Get an episode of a TV show',
    description:
      'Also one that the source does not have any longer, if members have watched, rated or reviewed it.',
    errors: [404],
    readsToken: true,
    returnsData: ['catalogue', 'own'],
  }).query(async ({ ctx, input: { id } }) => {
    const title = found(await store.findShowOf(ctx.db, id), messages.episodeNotFound)
    const show = await showFor(ctx, title.id)
    const { episodes } = show
    const at = episodes.findIndex((one) => one.id === id)
    const isGone = at === -1
    const shown = isGone
      ? withAired(await store.listEpisodesById(ctx.db, [id]), await readClock(ctx))
      : [episodes[at]!]
    const [episode] = await shownEpisodes(ctx, show, shown)
    return {
      episode: found(episode, messages.episodeNotFound),
      title: toTitleCard(title),
      isGone,
      previousId: episodes[at - 1]?.id ?? null,
      nextId: isGone ? null : (episodes[at + 1]?.id ?? null),
      source: await sourceOf(ctx, title.id),
    }
  }),
})

/** Throws NOT_FOUND for the id of another kind. */
async function showFor(ctx: Context, id: number): Promise<Show> {
  found(await findReviewedTitle(ctx.db, { id, kind: 'tvShow' }), kinds.tvShow.words.notFound)
  return readShow(ctx.db, id, ctx.member?.id ?? null, await readClock(ctx))
}

async function shownEpisodes({ db, member }: Context, { id, viewed }: Show, episodes: readonly Aired[]) {
  const ids = episodes.map((one) => one.id)
  const aired = new Set(episodes.flatMap((one) => (one.isAired ? one.id : [])))
  const watched = member && viewed && viewed.pass > 0 ? await store.listWatched(db, ids, member.id, id) : []
  const mineOf = viewed && mineByEpisode(watched, viewed.pass, await ratingsOf({ db, member }, ids))
  return (await store.listEpisodesById(db, ids)).map((row) => ({
    ...toEpisode(row),
    isAired: aired.has(row.id),
    ...shownRatings(row),
    mine: mineOf ? mineOf(row) : null,
  }))
}

async function sourceOf({ db }: Context, id: number): Promise<string | null> {
  return (await findEpisodeSource(db, id))?.source ?? null
}

async function seasonsOf({ db, member }: Context, { id, episodes, viewed }: Show) {
  const seasons = await store.listSeasons(db, id)
  const ratings = await ratingsOf({ db, member }, pluck(seasons, 'id'))
  return toSeasons(seasons, episodes, viewed && { played: viewed.played, ratings })
}

/** Of the caller. */
async function ratingsOf(
  { db, member }: Pick<Context, 'db' | 'member'>,
  ids: readonly number[],
): Promise<OwnRatings> {
  const rows = member ? await store.listPartRatings(db, ids, member.id) : []
  return new Map(rows.map(({ part_id, rating }) => [part_id, toStars(rating)]))
}
