import { titleKey, type TitleRef } from '#client/app/kinds.ts'
import { reviewedPage } from '#client/titles/reviewed-page.ts'
import type { PartKey, SubjectKeys } from '#shared/contracts/reviews.ts'

/** A title, or with `part` a season or an episode of the title. */
export type ReviewedTitle = TitleRef & {
  part?: PartKey | undefined
  /** Gets no new reviews: its source does not have it any longer. */
  isGone?: boolean
}

export type NamedTitle = ReviewedTitle & { name: string }

export const reviewedKey = (title: ReviewedTitle): SubjectKeys => title.part ?? titleKey(title)

/** Of drafts and of writes that wait for each other. */
export const reviewedName = (title: ReviewedTitle): string => Object.entries(reviewedKey(title)).join()

/** Without one, the page of its title has it, beside its own `#take` and `#reviews`. */
export const hasPage = ({ part }: { part?: PartKey | undefined }): boolean =>
  part === undefined || 'episodeId' in part

/** The page with its reviews. */
export const reviewedPath = ({ part, ...title }: ReviewedTitle): string =>
  reviewedPage(title, part && 'episodeId' in part ? part : null)

export function isAbout(title: ReviewedTitle, input: object = {}): boolean {
  const { itemId, ...keys } = input as SubjectKeys
  if (title.part === undefined && itemId === title.id) return true
  return Object.entries(reviewedKey(title)).every(([key, id]) => keys[key as keyof typeof keys] === id)
}
