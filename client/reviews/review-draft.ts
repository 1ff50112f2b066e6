import { useDraft } from '#client/ui/draft.ts'
import { byFlag, flagNames, type ReviewFlag } from '#shared/review-flags.ts'
import type { Review } from './queries.ts'

/** The draft (`useDraft`) of a review without its rating. `saved` is the review that is edited. */
export function useReviewDraft(name: string, saved: Review | null) {
  const { text, set: setText, ...draft } = useDraft(name, saved?.text ?? '')
  const flags = useDraft(`${name} flags`, flagNames.filter((flag) => saved?.[flag]).join(' '))
  const set = flags.text.split(' ')
  return {
    written: { text, ...byFlag((_flag, one) => set.includes(one)) },
    setText,
    setFlag: (flag: ReviewFlag, isSet: boolean) =>
      flags.set(flagNames.filter((one) => (one === flag ? isSet : set.includes(one))).join(' ')),
    isKept: draft.isKept || flags.isKept,
    clear() {
      draft.clear()
      flags.clear()
    },
  }
}
export type ReviewDraft = ReturnType<typeof useReviewDraft>
