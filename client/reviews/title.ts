import type { TitleRef } from '#client/app/kinds.ts'
import { kinds } from '#shared/domain/media.ts'
import type { TitleKeys } from '#shared/contracts/reviews.ts'

/** A title, as reviews and ratings refer to it. */
export type Title = TitleRef

/** Returns whether an input refers to the title, by the key of its kind or by `itemId`. */
export function isAbout(title: Title, input: object | undefined): boolean {
  const { itemId, [kinds[title.kind].idKey]: id } = (input ?? {}) as TitleKeys
  return itemId === title.id || id === title.id
}
