import { useDraft } from '#client/ui/draft.ts'
import { byFlag, flagNames, type ReviewFlag } from '#shared/domain/review-flags.ts'
import type { Review } from './queries.ts'

export type SavedReview = Pick<Review, 'text' | ReviewFlag>

/** Without the rating. `base` is the text that the draft was started from, even if another tab has changed the review since. */
export function useReviewDraft(name: string, saved: SavedReview | null) {
  const { text, set: setText, ...draft } = useDraft(name, saved?.text ?? '')
  const base = useDraft(`${name} base`, '')
  const flags = useDraft(`${name} flags`, flagsOf(saved))
  const set = flags.text.split(' ')
  const isKept = draft.isKept || flags.isKept
  const start = () => {
    if (!isKept) base.set(saved?.text ?? '')
  }
  return {
    written: { text, ...byFlag((_flag, one) => set.includes(one)) },
    base: isKept ? base.text : (saved?.text ?? ''),
    setText(next: string) {
      start()
      setText(next)
    },
    setFlag(flag: ReviewFlag, isSet: boolean) {
      start()
      flags.set(flagNames.filter((one) => (one === flag ? isSet : set.includes(one))).join(' '))
    },
    fill(review: SavedReview) {
      base.set(review.text)
      setText(review.text)
      flags.set(flagsOf(review))
    },
    isKept,
    clear() {
      draft.clear()
      base.clear()
      flags.clear()
    },
  }
}
export type ReviewDraft = ReturnType<typeof useReviewDraft>

function flagsOf(review: SavedReview | null): string {
  return flagNames.filter((flag) => review?.[flag]).join(' ')
}
