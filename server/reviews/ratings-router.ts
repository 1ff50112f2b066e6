import { type KindDefinition, namesOf } from '#shared/domain/kinds.ts'
import * as schema from '#shared/contracts/ratings.ts'
import { countRatings, meanRating, toStars } from '#shared/domain/ratings.ts'
import type { Db } from '#server/db/open.ts'
import type { Member } from '#server/calls/context.ts'
import { callsIn, found, router } from '#server/calls/procedures.ts'
import { histogramOf } from './rules.ts'
import { findNetworkTitle, listNetworkRatings, listRaters } from './network-store.ts'
import { findRatings } from './store.ts'

/** By all members, and by the people the caller follows (the network). */
export function ratingsRouter(definition: KindDefinition) {
  const { kind, path, words } = definition
  const { One, one } = namesOf(definition)
  const { forAll, forMembers } = callsIn(words.many)
  const readRatings = async (db: Db, id: number) => found(await findRatings(db, kind, id), words.notFound)
  const readNetworkTitle = async ({ db, member }: { db: Db; member: Member }, id: number) =>
    found(await findNetworkTitle(db, kind, id, member.id), words.notFound)

  return router({
    overallRating: forAll(`GET /${path}/{id}/overall-rating`, `get${One}Rating`, schema.overallRating, {
      summary: `Get the average rating of a ${one}`,
      description: 'Over all members. `avg` has four decimals; it is null if there are no ratings.',
      errors: [404],
      returnsData: 'averages',
    }).query(async ({ ctx, input }) => {
      const row = await readRatings(ctx.db, input.id)
      return { avg: meanRating(row.rating_sum, row.rating_count), count: row.rating_count }
    }),

    ratingHistogram: forAll(
      `GET /${path}/{id}/rating-histogram`,
      `get${One}RatingHistogram`,
      schema.ratingHistogram,
      {
        summary: `Get the rating histogram of a ${one}`,
        description: 'The number of ratings of one star, two stars and so on, over all members.',
        errors: [404],
        returnsData: 'averages',
      },
    ).query(async ({ ctx, input }) => histogramOf(await readRatings(ctx.db, input.id))),

    networkRating: forMembers(
      `GET /${path}/{id}/network-rating`,
      `get${One}NetworkRating`,
      schema.networkRating,
      {
        summary: `Get the average rating of a ${one} in the caller’s network`,
        description: 'Over the people the caller follows. `networkAvg` is null if none of them rated it.',
        errors: [404],
        returnsData: 'networkAverages',
      },
    ).query(async ({ ctx, input }) => {
      const title = await readNetworkTitle(ctx, input.id)
      const { sum, total } = countRatings(await listNetworkRatings(ctx.db, title))
      return { networkAvg: meanRating(sum, total), count: total }
    }),

    networkHistogram: forMembers(
      `GET /${path}/{id}/rating-histogram/network`,
      `get${One}NetworkRatingHistogram`,
      schema.networkHistogram,
      {
        summary: `Get the rating histogram of a ${one} in the caller’s network`,
        description: 'Over the people the caller follows. `networkAvg` is null if none of them rated it.',
        errors: [404],
        returnsData: 'networkAverages',
      },
    ).query(async ({ ctx, input }) => {
      const title = await readNetworkTitle(ctx, input.id)
      const { sum, ...counted } = countRatings(await listNetworkRatings(ctx.db, title))
      return { ...counted, networkAvg: meanRating(sum, counted.total) }
    }),

    networkRaters: forMembers(
      `GET /${path}/{id}/network-raters`,
      `list${One}NetworkRaters`,
      schema.networkRaters,
      {
        summary: `List the people in the caller’s network who rated a ${one}`,
        description: 'The people the caller follows, newest rating first.',
        errors: [404],
        returnsData: 'networkRatings',
      },
    ).query(async ({ ctx, input }) => {
      const title = await readNetworkTitle(ctx, input.id)
      const raters = await listRaters(ctx.db, title, input.limit)
      return {
        raters: raters.map(({ id, username, picture, rating }) => ({
          id,
          username,
          avatarUrl: picture,
          rating: toStars(rating),
        })),
      }
    }),
  })
}
