import { type KindFacts, namesOf } from '#shared/media.ts'
import * as schema from '#shared/reviews.ts'
import { meanRating } from '#shared/reviews.ts'
import { found, memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts'
import { countStars, histogramOf } from './rules.ts'
import { findNetworkTitle, findRatings, listNetworkRatings, listRaters } from './store.ts'

/** The ratings of a title of one kind: by all members, and by the people the caller follows (the network). */
export function ratingsRouter<const F extends KindFacts>(facts: F) {
  const kind = facts.kind as F['kind']
  const { path, words } = facts
  const { One, one } = namesOf(facts)
  const openapi = (address: string, operationId: string, summary: string, description: string) => ({
    method: 'GET' as const,
    path: `/${path}/{id}${address}` as const,
    operationId,
    tags: [words.many],
    summary,
    description,
    errorResponses: [404],
  })

  return router({
    overallRating: publicProcedure
      .meta({
        openapi: {
          ...openapi(
            '/overall-rating',
            `get${One}Rating`,
            `Get the average rating of a ${one}`,
            'Over all members. `avg` has four decimals; it is null if there are no ratings.',
          ),
          protect: false,
        },
      })
      .input(schema.overallRating.input)
      .output(schema.overallRating.output)
      .query(async ({ ctx, input }) => {
        const row = found(await findRatings(ctx.db, kind, input.id), words.notFound)
        return { avg: meanRating(row.rating_sum, row.rating_count), count: row.rating_count }
      }),

    ratingHistogram: publicProcedure
      .meta({
        openapi: {
          ...openapi(
            '/rating-histogram',
            `get${One}RatingHistogram`,
            `Get the rating histogram of a ${one}`,
            'The number of ratings of one star, two stars and so on, over all members.',
          ),
          protect: false,
        },
      })
      .input(schema.ratingHistogram.input)
      .output(schema.ratingHistogram.output)
      .query(async ({ ctx, input }) =>
        histogramOf(found(await findRatings(ctx.db, kind, input.id), words.notFound)),
      ),

    networkRating: memberProcedure
      .meta({
        openapi: {
          ...openapi(
            '/network-rating',
            `get${One}NetworkRating`,
            `Get the average rating of a ${one} in the caller’s network`,
            'Over the people the caller follows. `networkAvg` is null if none of them rated it.',
          ),
          protect: true,
        },
      })
      .input(schema.networkRating.input)
      .output(schema.networkRating.output)
      .query(async ({ ctx, input }) => {
        const title = found(await findNetworkTitle(ctx.db, kind, input.id, ctx.member.id), words.notFound)
        const { sum, total } = countStars(await listNetworkRatings(ctx.db, title))
        return { networkAvg: meanRating(sum, total), count: total }
      }),

    networkHistogram: memberProcedure
      .meta({
        openapi: {
          ...openapi(
            '/rating-histogram/network',
            `get${One}NetworkRatingHistogram`,
            `Get the rating histogram of a ${one} in the caller’s network`,
            'Over the people the caller follows. `networkAvg` is null if none of them rated it.',
          ),
          protect: true,
        },
      })
      .input(schema.networkHistogram.input)
      .output(schema.networkHistogram.output)
      .query(async ({ ctx, input }) => {
        const title = found(await findNetworkTitle(ctx.db, kind, input.id, ctx.member.id), words.notFound)
        const { counts, sum, total } = countStars(await listNetworkRatings(ctx.db, title))
        return { counts, total, networkAvg: meanRating(sum, total) }
      }),

    networkRaters: memberProcedure
      .meta({
        openapi: {
          ...openapi(
            '/network-raters',
            `list${One}NetworkRaters`,
            `List the people in the caller’s network who rated a ${one}`,
            'The people the caller follows, newest rating first.',
          ),
          protect: true,
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
  })
}
