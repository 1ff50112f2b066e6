import { z } from 'zod'
import * as limits from '#shared/domain/limits.ts'
import { perKind } from '#shared/domain/kinds.ts'
import { count, id, idList, image, limit, person, shownName, time } from './scalars.ts'

/** Four decimals, halves up; null without ratings. Screens show fewer decimals and do not round twice: 4.446 is 4.4, not 4.45 and then 4.5. */
export function meanRating(sum: number, count: number): number | null {
  // The sum is an integer, so only the division can round.
  return count === 0 ? null : Math.round((sum * 10_000) / count) / 10_000
}

export const average = z
  .number()
  .nullable()
  .meta({ description: 'The mean of the ratings, 1 to 5; null if there are none.', example: 3.87 })

export const ratingStats = z.object({ avg: average, count }).meta({ id: 'RatingStats' })

const stars = (example: number) => z.int().min(0).meta({ example })
export const starCounts = z
  .object({ '1': stars(1), '2': stars(2), '3': stars(5), '4': stars(14), '5': stars(20) })
  .meta({ id: 'StarCounts', description: 'The number of ratings of one star, two stars and so on.' })

const ofTitle = z.object({ id })

export const overallRating = { input: ofTitle, output: ratingStats }
export const networkRating = {
  input: ofTitle,
  output: z.object({ networkAvg: average, count }).meta({ id: 'NetworkRating' }),
}
export const ratingHistogram = {
  input: ofTitle,
  output: z.object({ counts: starCounts, total: count, avg: average }),
}
export const networkHistogram = {
  input: ofTitle,
  output: z
    .object({ counts: starCounts, total: count, networkAvg: average })
    .meta({ id: 'NetworkRatingHistogram' }),
}

const rater = z
  .object({
    id,
    username: shownName,
    avatarUrl: image,
    rating: z.int().meta({ description: 'Their rating, 1 to 5.', example: 4 }),
  })
  .meta({ id: 'Rater' })

export const networkRaters = {
  input: z.object({ id, limit: limit(limits.ratersLimit) }),
  output: z.object({ raters: z.array(rater) }),
}

export const myRatings = {
  input: z.object({ ids: idList(/[1-9]\d{0,14}/, '12,13') }),
  output: z.object({
    ratings: z
      .array(z.object({ titleId: id, rating: stars(4) }))
      .meta({ description: 'Unordered. Titles that the caller has not rated are left out.' }),
  }),
}

export const networkRatings = {
  input: z.object({ ids: idList(/[1-9]\d{0,14}/, '12,13') }),
  output: z.object({
    ratings: z
      .array(
        z.object({
          titleId: id,
          count,
          average: z.number().meta({ example: 4.5 }),
          raters: z.array(person).meta({ description: 'At most 3, the highest rating first.' }),
        }),
      )
      .meta({ description: 'Unordered. Titles that none of them rated are left out.' }),
  }),
}

const memberHistogram = z
  .object({ counts: starCounts, total: count, avg: average })
  .meta({ id: 'RatingHistogram' })

export const memberHistograms = {
  input: z.object({ id: id.meta({ description: 'The id of a member.' }) }),
  output: z.object({
    all: memberHistogram,
    ...perKind(() => memberHistogram),
    firstRatedAt: time.nullable().meta({ description: 'Null if the member has rated nothing.' }),
  }),
}
