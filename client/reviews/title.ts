import type { TitleRef } from '#client/app/kinds.ts'
import { kinds } from '#shared/domain/kinds.ts'
import type { TitleKeys } from '#shared/contracts/reviews.ts'

export type ReviewedTitle = TitleRef

export function isAbout(title: ReviewedTitle, input: object | undefined): boolean {
  const { itemId, [kinds[title.kind].idKey]: id } = (input ?? {}) as TitleKeys
  return itemId === title.id || id === title.id
}
