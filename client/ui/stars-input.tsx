import { Field as BaseField } from '@base-ui/react/field'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { clsx } from 'clsx'
import { useId, useRef, useState } from 'react'
import { FieldError } from './field.tsx'
import { starPath } from './stars.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The words for one to five stars, shown on hover and read by screen readers. */
export const starWords = ['Awful', 'Poor', 'Okay', 'Liked it', 'Loved it'] as const
export type StarCount = 1 | 2 | 3 | 4 | 5
const counts: readonly StarCount[] = [1, 2, 3, 4, 5]

/** A rating of one to five stars. Clicking the chosen star again, or Clear, removes it unless `required`. */
export function StarsInput({
  value,
  onChange,
  label,
  name,
  error,
  emptyWord = 'Tap to rate',
  hideLabel,
  required,
  disabled,
  className,
}: {
  value: StarCount | null
  onChange: (value: StarCount | null) => void
  label: string
  name?: string | undefined
  error?: string | undefined
  emptyWord?: string | undefined
  hideLabel?: boolean | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}) {
  const labelId = useId()
  const group = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<StarCount | null>(null)
  const shown = hovered ?? value
  return (
    <BaseField.Root
      name={name}
      invalid={error !== undefined}
      className={clsx('grid grid-cols-[minmax(0,1fr)] gap-1', className)}
    >
      <span id={labelId} className={hideLabel ? 'sr-only' : 'text-label'}>
        {label}
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4">
        <RadioGroup
          ref={group}
          value={value}
          onValueChange={onChange}
          disabled={disabled}
          aria-labelledby={labelId}
          aria-required={required}
          className="stars-input relative -ml-2 flex min-w-0"
          onPointerLeave={() => setHovered(null)}
        >
          {counts.map((count) => (
            <Radio.Root
              key={count}
              value={count}
              aria-label={`${count} ${count === 1 ? 'star' : 'stars'}, ${starWords[count - 1]}`}
              className="grid h-11 w-11 min-w-0 cursor-pointer place-items-center rounded-full focus-visible:-outline-offset-2"
              onPointerEnter={(event) => {
                if (event.pointerType === 'mouse') setHovered(count)
              }}
              onClick={(event) => {
                // Pointer only: an arrow key or Space on the chosen star must not remove the rating.
                if (value === count && event.detail > 0 && !required) onChange(null)
              }}
            >
              <svg
                aria-hidden
                viewBox="0 0 24 24"
                strokeWidth="1.5"
                strokeLinejoin="round"
                className="size-7 max-w-full"
              >
                <path d={starPath} />
              </svg>
            </Radio.Root>
          ))}
        </RadioGroup>
        <div className="flex min-h-11 items-center gap-1">
          <span aria-hidden className="min-w-20 text-label font-medium text-muted">
            {shown === null ? emptyWord : starWords[shown - 1]}
          </span>
          {required || disabled ? null : (
            <button
              type="button"
              // Invisible instead of removed, so that the layout does not shift.
              className="h-11 rounded-full disabled:invisible px-3 text-meta text-muted underline decoration-edge underline-offset-4 hover:text-ink"
              disabled={value === null}
              onClick={() => {
                // The button is about to disappear: moves the focus to the stars.
                group.current?.querySelector<HTMLElement>('[role=radio]')?.focus()
                onChange(null)
              }}
            >
              Clear<VisuallyHidden> rating</VisuallyHidden>
            </button>
          )}
        </div>
      </div>
      <FieldError>{error}</FieldError>
    </BaseField.Root>
  )
}
