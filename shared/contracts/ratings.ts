import { z } from 'zod'
import * as limits from '#shared/domain/limits.ts'
import { perKind } from '#shared/domain/kinds.ts'
import { count, halfStars, id, idList, image, limit, person, shownName, stars, time } from './scalars.ts'

export const average = z
  .number()
  .nullable()
  .meta({ description: 'The mean of the ratings, 1 to 5; null if there are none.', example: 3.87 })

export const ratingStats = z.object({ avg: average, count }).meta({ id: 'RatingStats' })

const ratings = (example: number) => z.int().min(0).meta({ example })
export const starCounts = z
  .object({ '1': ratings(1), '2': ratings(2), '3': ratings(5), '4': ratings(14), '5': ratings(20) })
  .meta({
    id: 'StarCounts',
    description:
      'The number of ratings of one star, two stars and so on. A half counts in the bar above it: 3.5 in `4`.',
  })
export const halfCounts = z
  .object({
    '1': ratings(1),
    '1.5': ratings(0),
    '2': ratings(2),
    '2.5': ratings(1),
    '3': ratings(4),
    '3.5': ratings(4),
    '4': ratings(10),
    '4.5': ratings(2),
    '5': ratings(18),
  })
  .meta({ id: 'HalfCounts', description: 'The number of each rating.' })
const histogram = { counts: starCounts, halfCounts, total: count }

const ofTitle = z.object({ id })

export const overallRating = { input: ofTitle, output: ratingStats }
export const networkRating = {
  input: ofTitle,
  output: z.object({ networkAvg: average, count }).meta({ id: 'NetworkRating' }),
}
export const ratingHistogram = {
  input: ofTitle,
  output: z.object({ ...histogram, avg: average }),
}
export const networkHistogram = {
  input: ofTitle,
  output: z.object({ ...histogram, networkAvg: average }).meta({ id: 'NetworkRatingHistogram' }),
}

const rater = z
  .object({
    id,
    username: shownName,
    avatarUrl: image,
    rating: stars,
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
      .array(z.object({ titleId: id, rating: stars }))
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

/** What the caller has chosen about the stars on screens. */
export const ratingSettings = { output: z.object({ halfStars }) }
export const changeRatingSettings = {
  input: z.object({ halfStars: halfStars.optional() }),
  output: ratingSettings.output,
}

const memberHistogram = z.object({ ...histogram, avg: average }).meta({ id: 'RatingHistogram' })

export const memberHistograms = {
  input: z.object({ id: id.meta({ description: 'The id of a member.' }) }),
  output: z.object({
    all: memberHistogram,
    ...perKind(() => memberHistogram),
    firstRatedAt: time.nullable().meta({ description: 'Null if the member has rated nothing.' }),
  }),
}
