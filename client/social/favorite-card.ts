import type { KindFacts } from '#shared/media.ts'

export type FavoriteCard = { id: number; name: string; image: string | null; year: number | null }

/** What a poster card shows of a favorite of any kind; that of a book is nested. */
export function favoriteCard(facts: KindFacts, favorite: { id: number }): FavoriteCard {
  const plain = favorite as Record<string, unknown>
  const card = (plain[facts.key] ?? plain) as Record<string, string | number | null | undefined>
  return {
    id: favorite.id,
    name: String(card[facts.nameKey] ?? ''),
    image: (card[facts.imageKey] ?? null) as string | null,
    year: (card['releaseYear'] ?? card['publishYear'] ?? null) as number | null,
  }
}
