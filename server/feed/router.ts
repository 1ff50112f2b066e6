import * as catalogue from '#shared/catalogue.ts'
import * as schema from '#shared/feed.ts'
import { type KindFacts, namesOf } from '#shared/media.ts'
import { meanRating, toCard } from '#server/catalogue/rules.ts'
import { listCards } from '#server/catalogue/store.ts'
import { found, memberProcedure, router } from '#server/trpc.ts'
import { bestByName, bestTies, countStars } from './rules.ts'
import {
  findNetworkTitle,
  listFolloweeRatings,
  listNames,
  listNetworkRatings,
  listRatedIds,
  listRaters,
} from './store.ts'

/** What those whom a member follows think of the titles of one kind. */
export function feedRouter<const F extends KindFacts>(facts: F) {
  const kind = facts.kind as F['kind']
  const { path, words } = facts
  const { One, Many, one } = namesOf(facts)
  const openapi = (address: string, operationId: string, summary: string, description: string) => ({
    method: 'GET' as const,
    path: `/${path}${address}` as const,
    operationId,
    tags: [words.many],
    summary,
    description,
    protect: true,
  })

  return router({
    networkRating: memberProcedure
      .meta({
        openapi: {
          ...openapi(
            '/{id}/network-rating',
            `get${One}NetworkRating`,
            `The average rating of one ${one} in the caller’s network`,
            'Over those whom the caller follows; `networkAvg` is null where none of them rated it.',
          ),
          errorResponses: [404],
        },
      })
      .input(catalogue.byId.input)
      .output(catalogue.networkRating.output)
      .query(async ({ ctx, input }) => {
        const title = found(await findNetworkTitle(ctx.db, kind, input.id, ctx.member.id), words.notFound)
        const { sum, total } = countStars(await listNetworkRatings(ctx.db, title))
        return { networkAvg: meanRating(sum, total), count: total }
      }),

    networkHistogram: memberProcedure
      .meta({
        openapi: {
          ...openapi(
            '/{id}/rating-histogram/network',
            `get${One}NetworkRatingHistogram`,
            `How the caller’s network rated one ${one}`,
            'Over those whom the caller follows; `networkAvg` is null where none of them rated it.',
          ),
          errorResponses: [404],
        },
      })
      .input(catalogue.byId.input)
      .output(catalogue.networkHistogram.output)
      .query(async ({ ctx, input }) => {
        const title = found(await findNetworkTitle(ctx.db, kind, input.id, ctx.member.id), words.notFound)
        const { counts, sum, total } = countStars(await listNetworkRatings(ctx.db, title))
        return { counts, total, networkAvg: meanRating(sum, total) }
      }),

    networkRaters: memberProcedure
      .meta({
        openapi: {
          ...openapi(
            '/{id}/network-raters',
            `list${One}NetworkRaters`,
            `Who of the caller’s network rated one ${one}`,
            'Those whom the caller follows, the newest rating first.',
          ),
          errorResponses: [404],
        },
      })
      .input(schema.networkRaters.input)
      .output(schema.networkRaters.output)
      .query(async ({ ctx, input }) => {
        const title = found(await findNetworkTitle(ctx.db, kind, input.id, ctx.member.id), words.notFound)
        const raters = await listRaters(ctx.db, title, input.limit)
        return {
          raters: raters.map((row) => ({ id: row.id, username: row.username, avatarUrl: row.picture })),
        }
      }),

    forYou: memberProcedure
      .meta({
        openapi: openapi(
          '/for-you',
          `list${Many}ForYou`,
          `${words.many} that the caller’s network likes`,
          'What those whom the caller follows rated and the caller did not: the highest `friendAvg` first, ' +
            'then the most ratings, then by name. The order is that of the exact averages; the answer has four decimals.',
        ),
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
