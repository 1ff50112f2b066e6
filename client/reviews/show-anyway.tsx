import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { errorText, retryOnce, trpcClient } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import type { ShownSafeUpTo } from '#shared/contracts/reviews.ts'
import { messages } from '#shared/texts/messages.ts'
import { withheldText } from './withheld-reason.ts'

/** A review, or the comment before `next` (the last one without it) on a review. */
export type Withheld = {
  reviewId: number
  commentId?: number
  next?: number | undefined
  safeUpTo: ShownSafeUpTo | undefined
}

/** Use `WithheldText`, which lazy-loads this. */
export function ShowAnyway({
  onText,
  ...of
}: Withheld & { onText: (text: { text: string; hasSpoilers: boolean }) => void }) {
  const reason = useId()
  const { error, isPending, mutate } = useMutation({
    ...retryOnce,
    mutationFn: () => readAnyway(of),
    onSuccess: onText,
  })
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 text-meta text-muted">
      <p id={reason}>{withheldText(of.safeUpTo ?? {})}</p>
      <Button
        size="sm"
        variant="ghost"
        busy={isPending}
        busyLabel="Loading…"
        aria-describedby={reason}
        onClick={() => mutate()}
      >
        Show anyway
      </Button>
      {error === null ? null : (
        <p role="alert" className="w-full pb-1.5 text-meta text-danger">
          {errorText(error)}
        </p>
      )}
    </div>
  )
}

async function readAnyway({ reviewId: id, commentId, next }: Withheld) {
  const { reviews } = trpcClient
  if (commentId === undefined) return (await reviews.byId.query({ id, reveal: true })).review
  const { comments } = await reviews.comments.query({ id, before: next, reveal: true })
  const found = comments.find((comment) => comment.id === commentId)
  if (!found) throw new Error(messages.commentNotFound)
  return found
}
