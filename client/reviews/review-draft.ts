import { useDraft } from '#client/ui/draft.ts'
import { byFlag, flagNames, type ReviewFlag } from '#shared/domain/review-flags.ts'
import type { ShownSafeUpTo } from '#shared/contracts/reviews.ts'
import type { Review } from './queries.ts'

export type SavedReview = Pick<Review, 'text' | 'safeUpTo' | ReviewFlag>

/** Without the rating. `base` is the text that the draft was started from, even if another tab has changed the review since. */
export function useReviewDraft(name: string, saved: SavedReview | null) {
  const { text, set: setText, ...draft } = useDraft(name, saved?.text ?? '')
  const base = useDraft(`${name} base`, '')
  const flags = useDraft(`${name} flags`, flagsOf(saved))
  const safe = useDraft(`${name} safe`, safeOf(saved))
  const set = flags.text.split(' ')
  const isKept = draft.isKept || flags.isKept || safe.isKept
  const start = () => {
    if (!isKept) base.set(saved?.text ?? '')
  }
  return {
    written: { text, ...byFlag((_flag, one) => set.includes(one)), safeUpTo: readSafe(safe.text) },
    base: isKept ? base.text : (saved?.text ?? ''),
    setText(next: string) {
      start()
      setText(next)
    },
    setFlag(flag: ReviewFlag, isSet: boolean) {
      start()
      flags.set(flagNames.filter((one) => (one === flag ? isSet : set.includes(one))).join(' '))
    },
    setSafeUpTo(safeUpTo: ShownSafeUpTo | null) {
      start()
      safe.set(JSON.stringify(safeUpTo))
    },
    fill(review: SavedReview) {
      base.set(review.text)
      setText(review.text)
      flags.set(flagsOf(review))
      safe.set(safeOf(review))
    },
    isKept,
    clear() {
      draft.clear()
      base.clear()
      flags.clear()
      safe.clear()
    },
  }
}
export type ReviewDraft = ReturnType<typeof useReviewDraft>

const safeOf = (review: SavedReview | null): string => JSON.stringify(review?.safeUpTo ?? null)

/** What another version of the app has kept may be of another form. */
function readSafe(text: string): ShownSafeUpTo | null {
  try {
    return JSON.parse(text) as ShownSafeUpTo | null
  } catch {
    return null
  }
}

function flagsOf(review: SavedReview | null): string {
  return flagNames.filter((flag) => review?.[flag]).join(' ')
}
