import type { LibrarySort } from './library-params.ts'

type Rated = { rating: number; createdAt: string }

/**
 * Groups sorted reviews: by month (`2026-05`, in UTC) if they are sorted by time, by stars (`4`) if by rating. Otherwise there is one
 * group, whose key is empty.
 */
export function groupsOf<One extends Rated>(
  reviews: readonly One[],
  sort: LibrarySort,
): { key: string; reviews: One[] }[] {
  const keyOf = ({ rating, createdAt }: One) =>
    sort === 'newest' || sort === 'oldest'
      ? createdAt.slice(0, 7)
      : sort === 'highest' || sort === 'lowest'
        ? String(rating)
        : ''
  const groups: { key: string; reviews: One[] }[] = []
  for (const review of reviews) {
    const key = keyOf(review)
    if (groups.at(-1)?.key !== key) groups.push({ key, reviews: [] })
    groups.at(-1)!.reviews.push(review)
  }
  return groups
}
