import { useRef, useState } from 'react'
import { useSession } from '#client/session.ts'
import { errorText } from '#client/trpc.ts'
import { Callout } from '#client/ui/callout.tsx'
import type { StarCount } from '#client/ui/stars-input.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { messages } from '#shared/messages.ts'
import { useSaveReview } from './write-hooks.ts'
import { useReviewDraft } from './review-draft.ts'
import { ReviewForm } from './review-form.tsx'
import { type Title, titleKey } from './title.ts'

/** The form of an item's page: always empty, and empty again after the review was submitted. */
export function ItemReviewForm({ title }: { title: Title }) {
  const [rating, setRating] = useState<StarCount | null>(null)
  const draft = useReviewDraft(`item ${title.id} ${useSession()?.user.id}`, null)
  const heading = useRef<HTMLHeadingElement>(null)
  const save = useSaveReview(title)

  function send() {
    if (rating === null) return
    save.mutate(
      { ...titleKey(title), rating, ...draft.written },
      {
        onSuccess() {
          setRating(null)
          draft.clear()
          toasts.add({ title: 'Your review is published.', tone: 'success' })
          heading.current?.focus()
        },
      },
    )
  }

  return (
    <section aria-labelledby="write-a-review" className="card">
      <h2 id="write-a-review" ref={heading} tabIndex={-1} className="text-h2">
        Write a review
      </h2>
      <p className="mt-1 text-meta text-muted">One review per title: a new one replaces the previous one.</p>
      <ReviewForm
        className="mt-5 grid gap-5"
        stars={{
          label: 'Rating',
          value: rating,
          onChange: setRating,
          required: true,
          problem: messages.ratingRequired,
        }}
        isRated={rating !== null}
        draft={draft}
        labels={{ text: 'Review', send: 'Submit review', sending: 'Submitting…' }}
        isSending={save.isPending}
        failure={
          save.isError ? (
            <Callout tone="error" title={messages.reviewFailed}>
              {errorText(save.error)} What you wrote is still here.
            </Callout>
          ) : null
        }
        onSend={send}
      />
    </section>
  )
}
