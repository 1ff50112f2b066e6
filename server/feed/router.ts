import * as schema from '#shared/contracts/feed.ts'
import { sameStoryMax } from '#shared/domain/limits.ts'
import { type KindDefinition, namesOf } from '#shared/domain/kinds.ts'
import { meanRating } from '#shared/domain/ratings.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { toCard, toTitleCard } from '#server/titles/rules.ts'
import { listCards, listSameStory } from '#server/titles/store.ts'
import { titleExists } from '#server/social/store.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { withTitles } from '#server/reviews/rules.ts'
import { listReviews } from '#server/reviews/store.ts'
import { readCursor, writeCursor } from '#server/calls/cursors.ts'
import { bestByName, bestMatches, bestTies } from './rules.ts'
import { findSimilar } from './similar.ts'
import { listFolloweeRatings, listFolloweeRatingsBy, listNames, listNews, listOwnRatings } from './store.ts'

const { forMembers } = callsIn('Social')

const newest = ['9999', 0] as const

export const feedRouter = router({
  following: forMembers('GET /feed', 'listFeed', schema.following, {
    summary: 'List what the people the caller follows reviewed and rated high',
    description:
      'Reviews with a text, and ratings of 4 and 5, newest first. Pages follow each other by `cursor`: send the ' +
      '`nextCursor` of a page to get the next one.',
    returnsData: 'networkReviews',
  }).query(async ({ ctx: { db, member }, input: { cursor, limit } }) => {
    const before = readCursor(cursor, schema.followingCursor) ?? newest
    const rows = await listNews(db, member.id, before, limit + 1)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const reviews = await listReviews(db, pluck(page, 'id'), member.id)
    const cards = await listCards(db, pluck(reviews, 'media_id'))
    return {
      entries: withTitles(reviews, cards.map(toTitleCard)),
      nextCursor: last && rows.length > limit ? writeCursor([last.created_at, last.id]) : null,
    }
  }),
})

export function forYouRouter(definition: KindDefinition) {
  const { kind, path, words } = definition
  const { One, Many, one, many } = namesOf(definition)
  const { forAll, forMembers } = callsIn(words.many)

  return router({
    forYou: forMembers(
      `GET /${path}/for-you`,
      `list${Many}ForYou`,
      { input: schema.forYou.input, output: schema.forYou.output(kind) },
      {
        summary: `List ${many} the caller’s network likes`,
        description:
          'Titles that the people the caller follows rated and the caller did not: highest `friendAvg` first, then ' +
          'most ratings, then by name, unless `order` says otherwise. Titles are ordered by the exact averages; the ' +
          'response has four decimals.',
        returnsData: 'networkTitles',
      },
    ).query(async ({ ctx, input: { limit, order } }) => {
      const network = [ctx.db, ctx.member.id, kind] as const
      const rated = listOwnRatings(...network).then(
        (own) => new Map(own.map((row) => [row.media_id, row.rating])),
      )
      const ties =
        order === 'match'
          ? bestMatches(...(await Promise.all([listFolloweeRatingsBy(...network), rated])), limit)
          : bestTies(...(await Promise.all([listFolloweeRatings(...network), rated])), limit, order)
      const best = bestByName(
        ties,
        await listNames(
          ctx.db,
          ties.flatMap((tie) => tie.ids),
        ),
        limit,
      )
      const cards = new Map((await listCards(ctx.db, pluck(best, 'id'))).map((row) => [row.id, row]))
      const forYou = best.flatMap(({ id, sum, count, match }) => {
        const row = cards.get(id)
        return row
          ? { friendAvg: meanRating(sum, count)!, friendCount: count, match, [kind]: toCard(kind, row) }
          : []
      })
      return { forYou }
    }),

    similar: forAll(`GET /${path}/{id}/similar`, `listSimilarTo${One}`, schema.similar, {
      summary: `List titles that people who like a ${one} also like`,
      description:
        'Titles of all kinds, the same kind preferred, that at least five members rated 4 or 5 who rated ' +
        'this one 4 or 5. Computed from a sample of these members, and updated at most once an hour.',
      errors: [404],
      returnsData: 'catalogue',
    }).query(async ({ ctx: { db }, input: { id, limit } }) => {
      found(await titleExists(db, kind, id), words.notFound)
      const ids = await findSimilar(db, kind, id)
      return { similar: (await listCards(db, ids.slice(0, limit))).map(toTitleCard) }
    }),

    sameStory: forAll(`GET /${path}/{id}/same-story`, `listSameStoryAs${One}`, schema.sameStory, {
      summary: `List other titles that tell the story of a ${one}`,
      description: 'A book, its film, its game: titles of all kinds, at most 12, the most rated first.',
      errors: [404],
      returnsData: 'catalogue',
    }).query(async ({ ctx: { db }, input: { id } }) => {
      found(await titleExists(db, kind, id), words.notFound)
      const rows = await listSameStory(db, id, sameStoryMax)
      const cards = await listCards(db, pluck(rows, 'id'))
      return { titles: cards.map(toTitleCard) }
    }),
  })
}
