import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { errorText } from '#client/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useDraft } from '#client/ui/draft.ts'
import { TextArea } from '#client/ui/field.tsx'
import { type StarCount, StarsInput } from '#client/ui/stars-input.tsx'
import { messages } from '#shared/messages.ts'
import { type Review, useEditReview } from './hooks.ts'
import { counterFrom, textProblem } from './text-problem.ts'
import type { Title } from './title.ts'

/** A review in its author's hands, where it stands in the list. */
export function ReviewEditor({
  title,
  review,
  onDone,
}: {
  title: Title
  review: Review
  onDone: () => void
}) {
  const edit = useEditReview(title)
  const [rating, setRating] = useState<StarCount | null>(review.rating as StarCount)
  const { text, ...draft } = useDraft(`edit ${review.id} ${review.userId}`, review.text)
  const [hasTried, setTried] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const stars = useRef<HTMLDivElement>(null)
  useEffect(() => area.current?.focus(), [])
  function leave() {
    draft.clear()
    onDone()
  }

  const problems = {
    rating: rating === null ? messages.ratingOutOfRange : undefined,
    text: textProblem(text),
  }

  function save(event: SubmitEvent) {
    event.preventDefault()
    setTried(true)
    if (edit.isPending) return
    // The first that is at fault.
    if (rating === null) stars.current?.querySelector<HTMLElement>('[role=radio]')?.focus()
    else if (problems.text !== undefined) area.current?.focus()
    if (rating === null || problems.text !== undefined) return
    edit.mutate({ id: review.id, rating, text }, { onSuccess: leave })
  }

  return (
    <form className="grid gap-4 pt-1 pb-2" onSubmit={save}>
      <div ref={stars}>
        <StarsInput
          label="Your rating"
          hideLabel
          value={rating}
          onChange={setRating}
          disabled={edit.isPending}
          error={hasTried ? problems.rating : undefined}
        />
      </div>
      <TextArea
        ref={area}
        label="Your review"
        hideLabel
        rows={4}
        value={text}
        onChange={draft.set}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
        readOnly={edit.isPending}
        limit={counterFrom(text)}
        error={hasTried ? problems.text : undefined}
      />
      {edit.isError ? <Callout tone="error">{errorText(edit.error, messages.reviewFailed)}</Callout> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={edit.isPending} busyLabel="Saving…">
          Save
        </Button>
        <Button variant="ghost" disabled={edit.isPending} onClick={leave}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
