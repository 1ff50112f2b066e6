import type { TitleRef } from '#client/app/kinds.ts'
import { kinds } from '#shared/domain/kinds.ts'
import type { TitleKeys } from '#shared/contracts/reviews.ts'

/** The title of a review or a rating. */
export type ReviewedTitle = TitleRef

/** By the key of its kind or by `itemId`. */
export function isAbout(title: ReviewedTitle, input: object | undefined): boolean {
  const { itemId, [kinds[title.kind].idKey]: id } = (input ?? {}) as TitleKeys
  return itemId === title.id || id === title.id
}
