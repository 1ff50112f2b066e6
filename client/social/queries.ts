import { favoritesRouter } from '#client/kinds.ts'
import type { LoaderUtils } from '#client/loader-context.ts'
import { allKinds, type KindFacts } from '#shared/media.ts'

/** For loaders, with the same query key as `useIsFavorite`. */
export function prefetchIsFavorite(utils: LoaderUtils, facts: KindFacts, id: number): Promise<void> {
  return favoritesRouter(utils, facts).isFavorite.prefetch({ id })
}

export function prefetchFavorites(utils: LoaderUtils, userId: number): void {
  for (const facts of allKinds) void favoritesRouter(utils, facts).list.prefetch({ id: userId })
}
