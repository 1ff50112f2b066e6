import type { LibrarySort } from './library-params.ts'

type Rated = { rating: number; createdAt: string }

/** The least titles per heading, on average: a month with one poster would be a row of its own. */
const groupMin = 4

/**
 * By month in UTC (`2026-05`), by year if months have few titles, or by stars (`4`), as the sort says. Otherwise, or for a single group,
 * the key is empty.
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
