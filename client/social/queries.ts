import type { trpc } from '#client/trpc.ts'
import { allKinds, type KindFacts } from '#shared/media.ts'

/** What loaders have of them. */
type LoaderUtils = Omit<ReturnType<typeof trpc.useUtils>, 'client'>

// The four routers of favorites come from one factory: what takes or answers a kind's own key is read through `facts`.
export function favoritesOf<Routers extends Record<'favoriteMovies', unknown>>(
  routers: Routers,
  facts: KindFacts,
): Routers['favoriteMovies'] {
  return (routers as Record<string, unknown>)[facts.favorites.router] as Routers['favoriteMovies']
}

/** For loaders, in the same words as the hooks. */
export function prefetchIsFavorite(utils: LoaderUtils, facts: KindFacts, id: number): Promise<void> {
  return favoritesOf(utils, facts).isFavorite.prefetch({ id })
}

export function prefetchFavorites(utils: LoaderUtils, userId: number): void {
  for (const facts of allKinds) void favoritesOf(utils, facts).list.prefetch({ userId })
}
