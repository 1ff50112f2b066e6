import type { Formats } from '#client/ui/formats.ts'

export type Ratings = {
  counts: { 1: number; 2: number; 3: number; 4: number; 5: number }
  total: number
  avg: number | null
}

/** `before` is null for a new rating, `after` for a removed one. */
export function withRating(ratings: Ratings, before: number | null, after: number | null): Ratings {
  const counts = { ...ratings.counts }
  if (before !== null) counts[before as 1] = Math.max(0, counts[before as 1] - 1)
  if (after !== null) counts[after as 1] += 1
  const stars = [1, 2, 3, 4, 5] as const
  const total = stars.reduce((all, star) => all + counts[star], 0)
  const sum = stars.reduce((all, star) => all + star * counts[star], 0)
  // Four decimals, as the server returns it.
  return { counts, total, avg: total === 0 ? null : Math.round((10_000 * sum) / total) / 10_000 }
}

export function formatAverage(average: number | null | undefined, decimal: Formats['decimal']): string {
  return average === null || average === undefined ? 'N/A' : decimal(average, 1)
}
