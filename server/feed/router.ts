import * as schema from '#shared/feed.ts'
import { type KindFacts, namesOf } from '#shared/media.ts'
import { meanRating } from '#shared/reviews.ts'
import { toCard } from '#server/catalogue/rules.ts'
import { listCards } from '#server/catalogue/store.ts'
import { memberProcedure, router } from '#server/trpc/procedures.ts'
import { bestByName, bestTies } from './rules.ts'
import { listFolloweeRatings, listNames, listRatedIds } from './store.ts'

/** The For You feed of one kind. */
export function feedRouter<const F extends KindFacts>(facts: F) {
  const kind = facts.kind as F['kind']
  const { path, words } = facts
  const { Many, many } = namesOf(facts)

  return router({
    forYou: memberProcedure
      .meta({
        openapi: {
          method: 'GET',
          path: `/${path}/for-you`,
          operationId: `list${Many}ForYou`,
          tags: [words.many],
          summary: `List ${many} the caller’s network likes`,
          description:
            'Titles that the people the caller follows rated and the caller did not: highest `friendAvg` first, then ' +
            'most ratings, then by name. Titles are ordered by the exact averages; the response has four decimals.',
          protect: true,
        },
      })
      .input(schema.forYou.input)
      .output(schema.forYou.output(kind))
      .query(async ({ ctx, input: { limit } }) => {
        const rated = new Set(await listRatedIds(ctx.db, ctx.member.id, kind))
        const ties = bestTies(await listFolloweeRatings(ctx.db, ctx.member.id, kind), rated, limit)
        const best = bestByName(
          ties,
          await listNames(
            ctx.db,
            ties.flatMap((tie) => tie.ids),
          ),
          limit,
        )
        const cards = new Map(
          (
            await listCards(
              ctx.db,
              best.map(({ id }) => id),
            )
          ).map((row) => [row.id, row]),
        )
        const forYou = best.flatMap(({ id, sum, count }) => {
          const row = cards.get(id)
          return row
            ? { friendAvg: meanRating(sum, count), friendCount: count, [kind]: toCard(kind, row) }
            : []
        })
        return { forYou } as never
      }),
  })
}
