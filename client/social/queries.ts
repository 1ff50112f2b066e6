import { favoritesRouter } from '#client/app/kinds.ts'
import type { LoaderUtils } from '#client/app/loader-context.ts'
import { allKinds, type KindDefinition } from '#shared/domain/kinds.ts'

/** The query key equals the key of `useIsFavorite`. */
export function prefetchIsFavorite(
  utils: LoaderUtils,
  definition: KindDefinition,
  id: number,
): Promise<void> {
  return favoritesRouter(utils, definition).isFavorite.prefetch({ id })
}

export function prefetchFavorites(utils: LoaderUtils, userId: number): void {
  for (const definition of allKinds) void favoritesRouter(utils, definition).list.prefetch({ id: userId })
}
