import { PenLine } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { SessionUser } from '#client/app/session.ts'
import { errorText } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { OriginButton } from '#client/titles/origin.ts'
import { StarsInput } from '#client/ui/stars-input.tsx'
import { messages } from '#shared/texts/messages.ts'
import { type Review, useMyReview } from './hooks.ts'
import { useReviewDraft } from './review-draft.ts'
import { ReviewForm } from './review-form.tsx'
import { TakeSkeleton } from './reviews-skeleton.tsx'
import { useGuard } from './use-guard.tsx'
import { useRating } from './use-rating.ts'
import { type NamedTitle, reviewedKey, reviewedName } from './title.ts'
import { t } from '#shared/domain/message.ts'

const posted = t`Your review is posted.`

type TakeProps = { title: NamedTitle; user: SessionUser }

/** Use `ShareYourTake`, which lazy-loads this. */
export function MembersTake(props: TakeProps) {
  const mine = useMyReview(props.title)
  if (mine.data !== undefined)
    return (
      <>
        <Take {...props} review={mine.data} />
        {/* Only imports give ratings an original. */}
        {mine.data?.ratingGiven ? <OriginButton about={{ item: props.title.id }} isWritten /> : null}
      </>
    )
  if (mine.isError)
    return (
      <Callout
        tone="error"
        title="Your own review did not load"
        action={
          <Button variant="outline" onClick={() => void mine.refetch()}>
            Try again
          </Button>
        }
      >
        {errorText(mine.error)}
      </Callout>
    )
  return <TakeSkeleton />
}

function Take({ title, user, review }: TakeProps & { review: Review | null }) {
  const { rating, rate, save, settle, said, setSaid } = useRating(title, review)
  const draft = useReviewDraft(
    `${title.part ? reviewedName(title) : `${title.kind} ${title.id}`} ${user.id}`,
    review,
  )
  const [rewrites, setRewriting] = useState<boolean>()
  const isRewriting = rewrites ?? draft.isKept
  const [failure, setFailure] = useState<unknown>()
  const { guard, question } = useGuard(title)
  const focusNext = useRef<'area' | 'edit'>(undefined)
  const area = useRef<HTMLTextAreaElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)

  const hasText = review !== null && review.text !== ''
  const isEditing = isRewriting || !hasText
  const isPosting = save.isPending && save.variables.text !== undefined

  // Changing the mode removes the focused element, so its counterpart gets the focus.
  useEffect(() => {
    if (focusNext.current === 'edit') editButton.current?.focus()
    if (focusNext.current === 'area') {
      area.current?.focus()
      area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
    }
    focusNext.current = undefined
  })

  async function post() {
    if (rating === null) return
    setSaid('')
    setFailure(undefined)
    try {
      await guard(draft, async () => {
        // Mutations of one scope run one after the other, so a rating that is being saved goes first.
        const saved = await save
          .mutateAsync({ ...reviewedKey(title), rating, ...draft.written })
          .finally(settle)
        draft.clear()
        setRewriting(false)
        setSaid(posted)
        focusNext.current = 'edit'
        return saved.review
      })
    } catch (error) {
      setFailure(error)
    }
  }

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <StarsInput
          label={t`Your rating of “${title.name}”`}
          hideLabel
          value={rating}
          onChange={rate}
          required={hasText || review === null}
          disabled={isPosting}
        />
        {isEditing || review === null ? null : (
          <Button
            ref={editButton}
            icon={<PenLine aria-hidden />}
            onClick={() => {
              setRewriting(true)
              focusNext.current = 'area'
            }}
          >
            Edit your Review
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {said === posted && !hasText ? '' : said}
      </p>
      {question}
      {isEditing ? (
        <ReviewForm
          title={title}
          className="mt-4 grid gap-4"
          isRated={rating !== null}
          draft={draft}
          area={area}
          labels={{
            text: t`Your review`,
            send: t`Post review`,
            sending: t`Posting…`,
          }}
          isSending={isPosting}
          failure={
            failure === undefined ? null : (
              <Callout tone="error" title={errorText(failure, messages.reviewFailed)}>
                Your text is safe on this device.
              </Callout>
            )
          }
          onSend={() => void post()}
          onCancel={
            hasText
              ? () => {
                  draft.clear()
                  setRewriting(false)
                  focusNext.current = 'edit'
                }
              : undefined
          }
        />
      ) : null}
    </>
  )
}
