import type { LibrarySort } from './library-params.ts'

type Rated = { rating: number; createdAt: string }

/** The titles that a heading needs at least, on average: a month with one poster would be a row of its own. */
const groupMin = 4

/**
 * Groups sorted reviews: by month (`2026-05`, in UTC) if they are sorted by time, or by year if the months have few titles, and by stars (`4`)
 * if they are sorted by rating. Otherwise, or if there is one group only, its key is empty.
 */
export function groupsOf<One extends Rated>(
  reviews: readonly One[],
  sort: LibrarySort,
): { key: string; reviews: One[] }[] {
  if (sort === 'highest' || sort === 'lowest') return groupedBy(reviews, ({ rating }) => String(rating))
  if (sort !== 'newest' && sort !== 'oldest') return groupedBy(reviews, () => '')
  const parts = [7, 4].map((length) => groupedBy(reviews, ({ createdAt }) => createdAt.slice(0, length)))
  const wide = parts.find((groups) => reviews.length >= groupMin * groups.length)
  return wide ?? groupedBy(reviews, () => '')
}

function groupedBy<One>(
  reviews: readonly One[],
  keyOf: (one: One) => string,
): { key: string; reviews: One[] }[] {
  const groups: { key: string; reviews: One[] }[] = []
  for (const review of reviews) {
    const key = keyOf(review)
    if (groups.at(-1)?.key !== key) groups.push({ key, reviews: [] })
    groups.at(-1)!.reviews.push(review)
  }
  return groups
}
