import { clsx } from 'clsx'
import { PenLine } from 'lucide-react'
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { type SessionUser, useSession } from '#client/session.ts'
import { errorText } from '#client/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useDraft } from '#client/ui/draft.ts'
import { TextArea } from '#client/ui/field.tsx'
import { Section } from '#client/ui/section.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { type StarCount, StarsInput, starWords } from '#client/ui/stars-input.tsx'
import { toasts } from '#client/ui/toast.tsx'
import { messages } from '#shared/messages.ts'
import { DeleteReview } from './delete-review.tsx'
import { type Review, useMyReview, useRemoveReview, useSaveReview } from './hooks.ts'
import { useLogInLink } from '#client/log-in.tsx'
import { counterFrom, textProblem } from './text-problem.ts'
import { type Title, titleKey } from './title.ts'

/** Five stars that count at once, and a text to go with them. */
export function ShareYourTake({
  title,
  name,
  className,
}: {
  title: Title
  name: string
  className?: string
}) {
  const user = useSession()?.user
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Section id="take" title="Share Your Take" headingRef={heading} className={clsx('card', className)}>
      {user === undefined ? (
        <VisitorsTake name={name} />
      ) : (
        <MembersTake
          key={user.id}
          title={title}
          name={name}
          user={user}
          onDeleted={() => heading.current?.focus()}
        />
      )}
    </Section>
  )
}

function VisitorsTake({ name }: { name: string }) {
  const link = useLogInLink()
  return (
    <div className="for-visitors flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <p className="max-w-[40em] text-muted">
        Log in to rate “{name}” and to tell the others what stayed with you.
      </p>
      <ButtonLink variant="primary" render={link}>
        Login
      </ButtonLink>
    </div>
  )
}

type TakeProps = { title: Title; name: string; user: SessionUser; onDeleted: () => void }

function MembersTake(props: TakeProps) {
  const mine = useMyReview(props.title)
  if (mine.data !== undefined) return <Take {...props} review={mine.data} />
  if (mine.isError)
    return (
      <Callout
        tone="error"
        title="Your own review did not load"
        action={<Button onClick={() => void mine.refetch()}>Try again</Button>}
      >
        {errorText(mine.error)}
      </Callout>
    )
  return (
    <div role="status" aria-label={messages.loading} className="grid animate-appear gap-5">
      <Skeleton className="h-11 w-64 rounded-full" />
      <Skeleton className="h-34" />
      <Skeleton className="h-11 w-36 rounded-full" />
    </div>
  )
}

function Take({ title, name, user, review, onDeleted }: TakeProps & { review: Review | null }) {
  const save = useSaveReview(title)
  const removeRating = useRemoveReview(title, review?.rating ?? 0)
  const draft = useDraft(`${title.kind} ${title.id} ${user.id}`, review?.text ?? '')
  const [isRewriting, setRewriting] = useState(draft.isKept)
  const [said, setSaid] = useState('')
  // What was pressed last and is on its way: known at once, so that the next press is measured against it.
  const [chosen, setChosen] = useState<StarCount>()
  const focusNext = useRef<'area' | 'edit'>(undefined)
  const area = useRef<HTMLTextAreaElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)

  const hasText = review !== null && review.text !== ''
  const isEditing = isRewriting || !hasText
  const isPosting = save.isPending && save.variables.text !== undefined
  const rating = chosen ?? ((review?.rating ?? null) as StarCount | null)

  // What has the focus goes away with each change of the mode: then it moves on.
  useEffect(() => {
    if (focusNext.current === 'edit') editButton.current?.focus()
    if (focusNext.current === 'area') {
      area.current?.focus()
      area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
    }
    focusNext.current = undefined
  })

  function rate(next: StarCount | null) {
    if (next === null) return clear()
    setSaid('')
    setChosen(next)
    save.mutate(
      { ...titleKey(title), rating: next },
      {
        onSuccess: () => setSaid(`You gave “${name}” ${next} of 5 stars: ${starWords[next - 1]}.`),
        onError: (error) =>
          toasts.add({
            tone: 'error',
            title: 'Your rating was not saved',
            description: errorText(error),
            action: { label: 'Try again', onAction: () => rate(next) },
          }),
        // Of several calls the last one’s only.
        onSettled: () => setChosen(undefined),
      },
    )
  }

  function clear() {
    if (review === null) return
    const { id, rating: before } = review
    removeRating.mutate(
      { id },
      {
        onSuccess: () =>
          toasts.add({
            title: 'Your rating is gone',
            action: { label: 'Undo', onAction: () => rate(before as StarCount) },
          }),
        onError: (error) =>
          toasts.add({ tone: 'error', title: 'Your rating is still there', description: errorText(error) }),
      },
    )
  }

  async function post(text: string) {
    if (rating === null) return
    setSaid('')
    // The stars above it may still be on their way: this call goes after theirs, and ends it.
    await save.mutateAsync({ ...titleKey(title), rating, text }).finally(() => setChosen(undefined))
    draft.clear()
    setRewriting(false)
    setSaid('Your review is posted.')
    focusNext.current = 'edit'
  }

  return (
    <>
      <StarsInput
        label={`Your rating of “${name}”`}
        hideLabel
        value={rating}
        onChange={rate}
        // A review with words is deleted, not unrated.
        required={hasText || review === null}
        disabled={isPosting || removeRating.isPending}
      />
      <p role="status" className="sr-only">
        {said}
      </p>
      {isEditing ? (
        <TakeForm
          text={draft.text}
          onText={draft.set}
          area={area}
          isReady={rating !== null}
          isPosting={isPosting}
          onPost={post}
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
      ) : (
        <div className="mt-4">
          <p className="line-clamp-6 max-w-[43.3em] text-review wrap-break-word whitespace-pre-line">
            {review?.text}
          </p>
          <div className="mt-5 flex flex-wrap gap-2">
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
            {review === null ? null : <DeleteReview title={title} review={review} onDeleted={onDeleted} />}
          </div>
        </div>
      )}
    </>
  )
}

function TakeForm({
  text,
  onText,
  area,
  isReady,
  isPosting,
  onPost,
  onCancel,
}: {
  text: string
  onText: (text: string) => void
  area: React.RefObject<HTMLTextAreaElement | null>
  isReady: boolean
  isPosting: boolean
  onPost: (text: string) => Promise<void>
  onCancel: (() => void) | undefined
}) {
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()

  async function send() {
    const found = textProblem(text)
    setProblem(found)
    setFailure(undefined)
    if (found !== undefined) return area.current?.focus()
    try {
      await onPost(text)
    } catch (error) {
      setFailure(errorText(error, messages.reviewFailed))
    }
  }

  return (
    <form
      className="mt-4 grid gap-4"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        if (isReady && !isPosting) void send()
      }}
    >
      <TextArea
        ref={area}
        label="Your review"
        rows={4}
        value={text}
        onChange={(next) => {
          onText(next)
          setProblem(undefined)
        }}
        onKeyDown={(event: KeyboardEvent<HTMLTextAreaElement>) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
        readOnly={isPosting}
        limit={counterFrom(text)}
        error={problem}
        placeholder="What stayed with you?"
      />
      {failure === undefined ? null : (
        <Callout tone="error" title={failure}>
          Your text is safe on this device.
        </Callout>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={!isReady} busy={isPosting} busyLabel="Posting…">
          Post review
        </Button>
        {onCancel === undefined ? null : (
          <Button variant="ghost" disabled={isPosting} onClick={onCancel}>
            Cancel
          </Button>
        )}
        {isReady ? null : <p className="pl-1 text-meta text-muted">{messages.ratingRequired}</p>}
      </div>
    </form>
  )
}
