import { useRef, useState } from 'react'
import { useSession } from '#client/session.ts'
import { errorText } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useDraft } from '#client/ui/draft.ts'
import { Form, type FormErrors, TextArea } from '#client/ui/field.tsx'
import { type StarCount, StarsInput } from '#client/ui/stars-input.tsx'
import { toasts } from '#client/ui/toast.tsx'
import { reviewTextMax } from '#shared/limits.ts'
import type { KindFacts } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { useReviewItem } from './hooks.ts'

export function ItemReviewForm({ itemId, facts }: { itemId: number; facts: KindFacts }) {
  const [rating, setRating] = useState<StarCount | null>(null)
  const { text, ...draft } = useDraft(`item ${itemId} ${useSession()?.user.id}`, '')
  const [errors, setErrors] = useState<FormErrors>({})
  const heading = useRef<HTMLHeadingElement>(null)
  const review = useReviewItem(itemId, facts)

  function submit() {
    const blank = text.trim() === ''
    if (rating === null || blank) {
      return setErrors({
        ...(rating === null && { rating: messages.ratingRequired }),
        ...(blank && { text: 'Please write a few words.' }),
      })
    }
    review.mutate(
      { itemId, rating, text },
      {
        onSuccess() {
          setRating(null)
          draft.clear()
          setErrors({})
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
      <p className="mt-1 text-meta text-muted">
        One review a title: another one takes the place of the first.
      </p>
      <Form errors={errors} onSubmit={submit} className="mt-5">
        <StarsInput label="Rating" name="rating" value={rating} onChange={setRating} required />
        <TextArea
          label="Review"
          name="text"
          value={text}
          onChange={draft.set}
          limit={text.length > reviewTextMax * 0.9 ? reviewTextMax : undefined}
          rows={4}
          required
          placeholder="What stayed with you?"
        />
        {review.isError ? (
          <Callout tone="error" title={messages.reviewFailed}>
            {errorText(review.error)} What you wrote is still here.
          </Callout>
        ) : null}
        <Button
          type="submit"
          variant="primary"
          busy={review.isPending}
          busyLabel="Submitting…"
          className="justify-self-start"
        >
          Submit review
        </Button>
      </Form>
    </section>
  )
}
