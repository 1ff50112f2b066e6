import { useEffect, useRef, useState } from 'react'
import { errorText } from '#client/app/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import type { StarCount } from '#client/ui/stars-input.tsx'
import { messages } from '#shared/texts/messages.ts'
import type { Review } from './hooks.ts'
import { useEditReview } from './write-hooks.ts'
import { useReviewDraft } from './review-draft.ts'
import { ReviewForm } from './review-form.tsx'
import type { ReviewedTitle } from './title.ts'
import { useGuard } from './use-guard.tsx'
import { t } from '#shared/domain/message.ts'

export function ReviewEditor({
  title,
  review,
  onDone,
}: {
  title: ReviewedTitle
  review: Review
  onDone: () => void
}) {
  const edit = useEditReview(title)
  const [rating, setRating] = useState<StarCount | null>(review.rating as StarCount)
  const draft = useReviewDraft(`edit ${review.id} ${review.userId}`, review)
  const area = useRef<HTMLTextAreaElement>(null)
  const { guard, question } = useGuard(title)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => area.current?.focus(), [])
  function leave() {
    draft.clear()
    onDone()
  }

  const form = (
    <ReviewForm
      title={title}
      className="grid gap-4 pt-1 pb-2"
      stars={{
        label: t`Your rating`,
        hideLabel: true,
        value: rating,
        onChange: setRating,
        problem: messages.ratingOutOfRange,
      }}
      isRated={rating !== null}
      draft={draft}
      area={area}
      labels={{ text: t`Your review`, hideText: true, send: t`Save`, sending: t`Saving…` }}
      isSending={edit.isPending}
      failure={
        failure === undefined ? null : (
          <Callout tone="error">{errorText(failure, messages.reviewFailed)}</Callout>
        )
      }
      onSend={() => {
        if (rating === null) return
        setFailure(undefined)
        guard(draft, async () => {
          const saved = await edit.mutateAsync({ id: review.id, rating, ...draft.written })
          leave()
          return saved.review
        }).catch(setFailure)
      }}
      onCancel={leave}
      onEscape={onDone}
    />
  )
  return (
    <>
      {form}
      {question}
    </>
  )
}
