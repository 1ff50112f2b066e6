import { type ReactNode, type RefObject, type SubmitEvent, useRef, useState } from 'react'
import { Button, SubmitButton } from '#client/ui/button.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { TextArea } from '#client/ui/field.tsx'
import { type StarCount, StarsInput } from '#client/ui/stars-input.tsx'
import { messages } from '#shared/texts/messages.ts'
import { flagNames, reviewFlags } from '#shared/domain/review-flags.ts'
import { SafeUpTo } from './safe-up-to.tsx'
import type { ReviewedTitle } from './title.ts'
import type { ReviewDraft } from './review-draft.ts'
import { reviewTextMax } from '#shared/domain/limits.ts'
import { textProblem } from './text-problem.ts'

export function ReviewForm({
  title,
  stars,
  isRated,
  draft,
  area: givenArea,
  labels,
  isSending,
  failure,
  onSend,
  onCancel,
  onEscape,
  className,
}: {
  title: ReviewedTitle
  stars?:
    | {
        label: string
        hideLabel?: boolean
        value: StarCount | null
        onChange: (rating: StarCount | null) => void
        required?: boolean
        problem: string
      }
    | undefined
  isRated: boolean
  draft: ReviewDraft
  area?: RefObject<HTMLTextAreaElement | null> | undefined
  labels: { text: string; hideText?: boolean; send: string; sending: string }
  isSending: boolean
  failure: ReactNode
  onSend: () => void
  onCancel?: (() => void) | undefined
  onEscape?: (() => void) | undefined
  className?: string | undefined
}) {
  const [hasTried, setTried] = useState(false)
  const ownArea = useRef<HTMLTextAreaElement>(null)
  const area = givenArea ?? ownArea
  const starsField = useRef<HTMLDivElement>(null)
  const { text } = draft.written
  const problem = textProblem(text)

  function send(event: SubmitEvent) {
    event.preventDefault()
    if (isSending || (stars === undefined && !isRated)) return
    if (isRated && problem === undefined) {
      setTried(false)
      return onSend()
    }
    setTried(true)
    if (isRated) area.current?.focus()
    else starsField.current?.querySelector<HTMLElement>('[type=radio]')?.focus()
  }

  return (
    <form className={className} onSubmit={send} noValidate>
      {stars === undefined ? null : (
        <div ref={starsField}>
          <StarsInput
            label={stars.label}
            hideLabel={stars.hideLabel}
            value={stars.value}
            onChange={stars.onChange}
            required={stars.required}
            disabled={isSending}
            error={hasTried && !isRated ? stars.problem : undefined}
          />
        </div>
      )}
      <TextArea
        ref={area}
        label={labels.text}
        hideLabel={labels.hideText}
        rows={4}
        value={text}
        onChange={draft.setText}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onEscape?.()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
        readOnly={isSending}
        limit={reviewTextMax}
        error={hasTried ? problem : undefined}
        placeholder="What stayed with you?"
      />
      {flagNames.map((name) => (
        <Checkbox
          key={name}
          label={reviewFlags[name].label}
          checked={draft.written[name]}
          onChange={(isSet) => draft.setFlag(name, isSet)}
          disabled={isSending}
        />
      ))}
      <SafeUpTo
        title={title}
        value={draft.written.safeUpTo}
        onChange={draft.setSafeUpTo}
        disabled={isSending}
      />
      {failure}
      <div className="actions">
        {stars === undefined && !isRated ? (
          <p className="pe-1 text-meta text-muted max-sm:text-center">{messages.ratingRequired}</p>
        ) : null}
        {onCancel === undefined ? null : (
          <Button variant="ghost" disabled={isSending} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <SubmitButton disabled={stars === undefined && !isRated} busy={isSending} busyLabel={labels.sending}>
          {labels.send}
        </SubmitButton>
      </div>
    </form>
  )
}
