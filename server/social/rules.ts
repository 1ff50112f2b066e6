import type { KindFacts } from '#shared/media.ts'

/** Returns a favorite in the shape that the API documents for its kind. */
export function toFavorite({ kind, favorites }: KindFacts, card: { id: number }): object {
  return favorites.isNested ? { id: card.id, [kind]: card } : card
}

/** Returns the ids of the titles with the most favorites; of equals, the one added last comes first. */
export function rankFavorites(
  favorites: readonly { media_id: number; created_at: string }[],
  limit: number,
): number[] {
  const totals = new Map<number, { id: number; count: number; last: string }>()
  for (const { media_id: id, created_at: time } of favorites) {
    const total = totals.get(id)
    if (total) {
      total.count++
      if (time > total.last) total.last = time
    } else totals.set(id, { id, count: 1, last: time })
  }
  return [...totals.values()]
    .sort((a, b) => b.count - a.count || (a.last === b.last ? b.id - a.id : a.last < b.last ? 1 : -1))
    .slice(0, limit)
    .map(({ id }) => id)
}
