import { useDraft } from '#client/ui/draft.ts'
import type { Review } from './queries.ts'

/** What the author of a review writes besides the rating, as `useDraft` keeps it. `saved` is the review that is edited. */
export function useReviewDraft(name: string, saved: Review | null) {
  const { text, set: setText, isKept, clear } = useDraft(name, saved?.text ?? '')
  return { written: { text }, setText, isKept, clear }
}
export type ReviewDraft = ReturnType<typeof useReviewDraft>
