import { PenLine } from 'lucide-react'
import { useRef, useState } from 'react'
import { useSession } from '#client/app/session.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { Stars } from '#client/ui/stars.tsx'
import type { StarCount } from '#client/ui/stars-input.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { useMyReview } from './hooks.ts'
import type { OwnReview } from './queries.ts'
import { useReviewDraft } from './review-draft.ts'
import { ReviewForm } from './review-form.tsx'
import { type ReviewedTitle, reviewedKey } from './title.ts'
import { useGuard } from './use-guard.tsx'
import { useSaveReview } from './write-hooks.ts'
import { t } from '#shared/domain/message.ts'

/** Always empty: the member's own review is above it, and fills it to be edited. */
export function ItemReviewForm({ title }: { title: ReviewedTitle }) {
  const [rating, setRating] = useState<StarCount | null>(null)
  const draft = useReviewDraft(`item ${title.id} ${useSession()?.user.id}`, null)
  const mine = useMyReview(title).data ?? null
  const heading = useRef<HTMLHeadingElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const save = useSaveReview(title)
  const { guard, question } = useGuard(title)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const replaces = mine !== null && mine.text !== ''

  async function send() {
    if (rating === null) return
    setSending(true)
    setFailure(undefined)
    try {
      await guard(draft, async () => {
        const { review } = await save.mutateAsync({ ...reviewedKey(title), rating, ...draft.written })
        setRating(null)
        draft.clear()
        if (!replaces) showDone(t`Your review is published.`)
        heading.current?.focus()
        return review
      })
    } catch (error) {
      setFailure(error)
    }
    setSending(false)
  }

  return (
    <section
      aria-labelledby="write-a-review"
      className="card [@media(min-width:64rem)_and_(min-height:52rem)]:sticky [@media(min-width:64rem)_and_(min-height:52rem)]:top-24"
    >
      {mine === null ? null : (
        <OwnReviewNote
          review={mine}
          onEdit={() => {
            setRating(mine.rating as StarCount)
            draft.fill(mine)
            area.current?.focus()
          }}
        />
      )}
      <h2 id="write-a-review" ref={heading} tabIndex={-1} className="text-h2">
        Write a review
      </h2>
      <p className="mt-1 text-meta text-muted">
        {replaces
          ? t`One review per title: what you submit replaces yours.`
          : t`One review per title: a new one replaces the previous one.`}
      </p>
      <ReviewForm
        title={title}
        className="mt-5 grid gap-5"
        stars={{
          label: t`Rating`,
          value: rating,
          onChange: setRating,
          required: true,
          problem: messages.ratingRequired,
        }}
        isRated={rating !== null}
        draft={draft}
        area={area}
        labels={{ text: t`Review`, send: t`Submit review`, sending: t`Submitting…` }}
        isSending={isSending}
        failure={
          failure === undefined ? null : (
            <Callout tone="error" title={messages.reviewFailed}>
              {errorText(failure)} What you wrote is still here.
            </Callout>
          )
        }
        onSend={() => void send()}
      />
      {question}
    </section>
  )
}

function OwnReviewNote({ review, onEdit }: { review: OwnReview; onEdit: () => void }) {
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-field border-s-4 border-star bg-raised px-4 py-2.5">
      <p className="flex min-w-40 grow basis-0 flex-wrap items-center gap-x-3 text-label">
        {review.text === '' ? (
          <span>
            You rated this on <Time value={review.createdAt} />
          </span>
        ) : (
          <span>
            You reviewed this on <Time value={review.createdAt} />
          </span>
        )}
        <Stars value={review.rating} className="text-meta" />
      </p>
      <Button size="sm" variant="outline" icon={<PenLine aria-hidden />} onClick={onEdit}>
        Edit
      </Button>
    </div>
  )
}
