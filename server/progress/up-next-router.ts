import * as schema from '#shared/contracts/progress.ts'
import { latestDay } from '#shared/domain/days.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, router } from '#server/calls/procedures.ts'
import { toTitleCard } from '#server/titles/rules.ts'
import { listCards } from '#server/titles/store.ts'
import { listEpisodesById } from './episodes-store.ts'
import { toEpisode } from './rules.ts'
import { readClock, readStanding } from './shows.ts'
import { listUnderWay, type UpNextRow } from './up-next-store.ts'

const { forMembers } = callsIn('Progress')

export const upNextRouter = router({
  upNext: forMembers('GET /up-next', 'listUpNext', schema.listUpNext, {
    summary: 'List the next episode of each TV show that the caller watches',
    description:
      'Of shows with the status `started`, if an episode has aired that is not played. The show that was played last, or whose newest episode aired last, is the first.',
    returnsData: 'own',
  }).query(async ({ ctx, input: { limit, cursor } }) => {
    const clock = await readClock(ctx)
    const days = { until: latestDay(ctx.now), today: clock.today }
    const [activity, id] = cursor === undefined ? [] : readCursor(cursor, schema.upNextCursor)
    let after = activity === undefined ? undefined : { activity, id: id! }
    const found: ({ row: UpNextRow } & Awaited<ReturnType<typeof readStanding>>)[] = []
    for (let isEnd = false; !isEnd && found.length <= limit;) {
      const rows = await listUnderWay(ctx.db, ctx.member.id, days, after, limit + 1)
      for (const row of rows) {
        const shown = await readStanding(ctx.db, ctx.member.id, row, clock)
        if (shown.standing.status === 'started' && shown.standing.next) found.push({ row, ...shown })
        if (found.length > limit) break
      }
      isEnd = rows.length <= limit
      after = rows.at(-1)
    }
    const { shown, nextCursor } = pageOf(found, limit, ({ row }) => [row.activity, row.id])
    const ids = shown.map(({ row }) => row.media_id)
    const cards = new Map((await listCards(ctx.db, ids)).map((card) => [card.id, toTitleCard(card)]))
    const nextIds = shown.map(({ standing }) => standing.next!.id)
    const episodes = new Map((await listEpisodesById(ctx.db, nextIds)).map((one) => [one.id, toEpisode(one)]))
    const entries = shown.flatMap(({ row, standing, leftCount }) => {
      const [title, episode] = [cards.get(row.media_id), episodes.get(standing.next!.id)]
      if (!title || !episode) return []
      const { newSeason } = standing
      return { title, episode, progress: { ...standing, next: episode }, leftCount, newSeason }
    })
    return { entries, nextCursor }
  }),
})
