import {
  countRatings,
  type HalfCounts,
  meanRating,
  ratingSteps,
  type StarCounts,
  toTenths,
} from '#shared/domain/ratings.ts'
import type { Formats } from '#client/ui/formats.ts'

export type Ratings = {
  counts: StarCounts
  halfCounts: HalfCounts
  total: number
  avg: number | null
}

/** `before` is null for a new rating, `after` for a removed one. */
export function withRating(ratings: Ratings, before: number | null, after: number | null): Ratings {
  const rows = ratingSteps.map((stars) => ({
    rating: toTenths(stars),
    count: Math.max(0, ratings.halfCounts[stars] - Number(stars === before)) + Number(stars === after),
  }))
  const { sum, ...counted } = countRatings(rows)
  return { ...counted, avg: meanRating(sum, counted.total) }
}

export function formatAverage(average: number | null | undefined, decimal: Formats['decimal']): string {
  return average === null || average === undefined ? 'N/A' : decimal(average, 1)
}
