import { ratingMax } from './limits.ts'

/**
 * A rating is 1 to 5 stars in steps of a half. Calls and screens have stars, such as 3.5. The database has tenths of a star, such as 35,
 * in `reviews.rating` and in sums, which are therefore integers and exact. Only this file converts between them.
 */

/** The five bars of a histogram. A half counts in the bar above it. */
export const bars = [1, 2, 3, 4, 5] as const
export type Bar = (typeof bars)[number]

/** All ratings, the names of `halfCounts`. */
export const ratingSteps = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5] as const
export type RatingStep = (typeof ratingSteps)[number]

const tenths = 10

/** `3½`, for pictures and narrow places. */
export function shortStars(stars: number): string {
  return Number.isInteger(stars) ? String(stars) : `${Math.floor(stars)}½`
}

/** `★★★★`, or `★ 3½`, for texts outside of pages. */
export function starSigns(stars: number): string {
  return Number.isInteger(stars) ? '★'.repeat(stars) : `★ ${shortStars(stars)}`
}

/** Returns whether a number is a rating. */
export function isRating(stars: number): boolean {
  return (ratingSteps as readonly number[]).includes(stars)
}

/** Returns the stars of a stored rating. */
export function toStars(stored: number): number {
  return stored / tenths
}

/** Returns how a rating is stored. */
export function toTenths(stars: number): number {
  return Math.round(stars * tenths)
}

/** The lowest stored rating that counts as a recommendation: in the feed and for similar titles. */
export const highRating = toTenths(4)

/** Returns the stored rating in a row that was kept as JSON. Rows from before half stars have whole stars, up to 5. */
export function storedRating(kept: number): number {
  return kept > ratingMax ? kept : toTenths(kept)
}

/** Returns a row that was kept as JSON with its rating as it is stored now. */
export function withStoredRating<Row extends object>(row: Row): Row {
  const { rating } = row as { rating?: unknown }
  return typeof rating === 'number' ? { ...row, rating: storedRating(rating) } : row
}

/** Returns the bar of a rating. */
export function barOf(stars: number): Bar {
  return Math.ceil(stars) as Bar
}

/**
 * Returns the mean of stored ratings in stars: four decimals, halves up; null without ratings. Screens show fewer decimals and do not round
 * twice: 4.446 is 4.4, not 4.45 and then 4.5.
 */
export function meanRating(sum: number, count: number): number | null {
  // The sum is an integer, so only the division can round.
  return count === 0 ? null : Math.round((sum * (10_000 / tenths)) / count) / 10_000
}

export type StarCounts = Record<Bar, number>
export type HalfCounts = Record<RatingStep, number>

/** Returns a histogram without ratings: the five bars, and the number of each rating. */
export function noCounts(): { counts: StarCounts; halfCounts: HalfCounts } {
  return {
    counts: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    halfCounts: { 1: 0, 1.5: 0, 2: 0, 2.5: 0, 3: 0, 3.5: 0, 4: 0, 4.5: 0, 5: 0 },
  }
}

/** Returns a histogram and the sum of stored ratings, each of which is there `count` times. */
export function countRatings(rows: Iterable<{ rating: number; count?: number }>) {
  const { counts, halfCounts } = noCounts()
  let [total, sum] = [0, 0]
  for (const { rating, count = 1 } of rows) {
    const stars = toStars(rating)
    counts[barOf(stars)] += count
    halfCounts[stars as RatingStep] += count
    total += count
    sum += count * rating
  }
  return { counts, halfCounts, total, sum }
}
