import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { errorText, retryOnce, trpc, trpcClient } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import type { ShownSafeUpTo } from '#shared/contracts/reviews.ts'
import { messages } from '#shared/texts/messages.ts'
import type { ReviewsSearch } from './listing.ts'
import { withheldText } from './withheld-reason.ts'

/** A review, or the comment before `next` (the last one without it) on a review. */
export type Withheld = {
  reviewId: number
  commentId?: number
  next?: number | undefined
  safeUpTo: ShownSafeUpTo | undefined
  children: (text: { text: string; hasSpoilers: boolean }) => ReactNode
}

/** Use `WithheldText`, which lazy-loads this. */
export function ShowAnyway({ children, ...of }: Withheld) {
  const { reviewId, commentId } = of
  const reason = useId()
  const { review, reveal }: ReviewsSearch = useSearch({ strict: false })
  const isAsked = reveal === true && review === reviewId && commentId === undefined
  const { data: asked } = trpc.reviews.byId.useQuery({ id: reviewId, reveal: true }, { enabled: isAsked })
  const { data, error, isPending, mutate } = useMutation({ ...retryOnce, mutationFn: () => readAnyway(of) })
  // A comment also finds the review that it is on in the cache.
  const text = data ?? (isAsked ? asked?.review : undefined)
  if (text) return children(text)
  return (
    // Without scripts, the form opens the page with the review and its text.
    <form
      className="flex min-h-11 flex-wrap items-center gap-x-3 text-meta text-muted"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <input type="hidden" name="review" value={reviewId} />
      <input type="hidden" name="reveal" value="true" />
      <p id={reason}>{withheldText(of.safeUpTo ?? {})}</p>
      <Button
        type="submit"
        size="sm"
        variant="ghost"
        busy={isPending}
        busyLabel="Loading…"
        aria-describedby={reason}
      >
        Show anyway
      </Button>
      {error === null ? null : (
        <p role="alert" className="w-full pb-1.5 text-meta text-danger">
          {errorText(error)}
        </p>
      )}
    </form>
  )
}

async function readAnyway({ reviewId: id, commentId, next }: Omit<Withheld, 'children'>) {
  const { reviews } = trpcClient
  if (commentId === undefined) return (await reviews.byId.query({ id, reveal: true })).review
  const { comments } = await reviews.comments.query({ id, before: next, reveal: true })
  const found = comments.find((comment) => comment.id === commentId)
  if (!found) throw new Error(messages.commentNotFound)
  return found
}
