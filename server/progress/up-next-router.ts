import * as schema from '#shared/contracts/progress.ts'
import type { Db } from '#server/db/open.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import { type Clock, clockIn, standingOf, toEpisode, withAired } from './rules.ts'
import { readClock } from './shows.ts'
import { listEpisodesById, listPlaces, listUnderWay, type UpNextRow } from './up-next-store.ts'

const { forMembers } = callsIn('Progress')

export const upNextRouter = router({
  upNext: forMembers('GET /up-next', 'listUpNext', schema.listUpNext, {
    summary: 'List the next episode of each TV show that the caller watches',
    description:
      'Of shows with the status `started`, if an episode has aired that is not played. The show that was played last, or whose newest episode aired last, is the first.',
    returnsData: 'own',
  }).query(async ({ ctx, input: { limit, cursor } }) => {
    const clock = await readClock(ctx)
    // The first time zone in which a day begins.
    const days = { until: clockIn('Pacific/Kiritimati', ctx.now).today, today: clock.today }
    const [activity, id] = cursor === undefined ? [] : readCursor(cursor, schema.upNextCursor)
    let after = activity === undefined ? undefined : { activity, id: id! }
    const found: ({ row: UpNextRow } & Awaited<ReturnType<typeof readPlace>>)[] = []
    for (let isEnd = false; !isEnd && found.length <= limit;) {
      const rows = await listUnderWay(ctx.db, ctx.member.id, days, after, limit + 1)
      for (const row of rows) {
        const place = await readPlace(ctx.db, ctx.member.id, row, clock)
        if (place.progress.status === 'started' && place.progress.next) found.push({ row, ...place })
        if (found.length > limit) break
      }
      isEnd = rows.length <= limit
      after = rows.at(-1)
    }
    const { shown, nextCursor } = pageOf(found, limit, ({ row }) => [row.activity, row.id])
    const ids = shown.map(({ row }) => row.media_id)
    const cards = new Map((await listCards(ctx.db, ids)).map((card) => [card.id, toTitleCard(card)]))
    const nextIds = shown.map(({ progress }) => progress.next!.id)
    const episodes = new Map((await listEpisodesById(ctx.db, nextIds)).map((one) => [one.id, toEpisode(one)]))
    const entries = shown.flatMap(({ row, progress, leftCount }) => {
      const [title, episode] = [cards.get(row.media_id), episodes.get(progress.next!.id)]
      if (!title || !episode) return []
      const { newSeason } = progress
      return { title, episode, progress: { ...progress, next: episode }, leftCount, newSeason }
    })
    return { entries, nextCursor }
  }),
})

async function readPlace(db: Db, userId: number, { media_id, pass }: UpNextRow, clock: Clock) {
  const rows = await listPlaces(db, userId, media_id, pass)
  const played = new Set(rows.flatMap(({ id, play_id }) => (play_id === null ? [] : id)))
  const episodes = withAired(rows, clock)
  return {
    progress: standingOf(episodes, { pass, played }, { status: 'started', stated: null }),
    leftCount: episodes.filter(({ id, isAired }) => isAired && !played.has(id)).length,
  }
}
