import { type Kind, kindNames } from '#shared/domain/kinds.ts'

export type FavoritesParams = { kind?: Kind | undefined }

export function readFavoritesParams(search: Record<string, unknown>): FavoritesParams {
  return { kind: kindNames.find((kind) => kind === search['kind']) }
}

/** Null if it is there already, or if there is no such position. */
export function moved(ids: readonly number[], id: number, to: number): number[] | null {
  const from = ids.indexOf(id)
  if (from === -1 || to < 0 || to >= ids.length || from === to) return null
  return ids.toSpliced(from, 1).toSpliced(to, 0, id)
}
