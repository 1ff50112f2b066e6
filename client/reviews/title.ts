import { type Kind, kinds } from '#shared/media.ts'
import type { TitleKeys } from '#shared/reviews.ts'

/** What is rated and reviewed. */
export type Title = { kind: Kind; id: number }

export type Scope = 'overall' | 'network'
export type SortBy = 'createdAt' | 'rating'
export type Order = 'asc' | 'desc'

/** Which reviews of a title are listed, and how. */
export type Listing = { scope: Scope; sortBy: SortBy; order: Order; page: number }

/** A title in the input of a review's procedures: `{ bookId: 7 }`. */
export function titleKey({ kind, id }: Title): TitleKeys {
  return { [kinds[kind].idKey]: id }
}

/** Whether such an input names this title, under whichever of its keys. */
export function isAbout(title: Title, input: object | undefined): boolean {
  const { itemId, [kinds[title.kind].idKey]: id } = (input ?? {}) as TitleKeys
  return itemId === title.id || id === title.id
}
