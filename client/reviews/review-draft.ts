import { useDraft } from '#client/ui/draft.ts'
import type { Review } from './queries.ts'

/** What the author of a review writes besides the rating, as `useDraft` keeps it. `saved` is the review that is edited. */
export function useReviewDraft(name: string, saved: Review | null) {
  const { text, set: setText, ...draft } = useDraft(name, saved?.text ?? '')
  const mark = useDraft(`${name} spoilers`, saved?.hasSpoilers ? 'yes' : '')
  return {
    written: { text, hasSpoilers: mark.text !== '' },
    setText,
    setHasSpoilers: (hasSpoilers: boolean) => mark.set(hasSpoilers ? 'yes' : ''),
    isKept: draft.isKept || mark.isKept,
    clear() {
      draft.clear()
      mark.clear()
    },
  }
}
export type ReviewDraft = ReturnType<typeof useReviewDraft>
