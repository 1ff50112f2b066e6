import { Field as BaseField } from '@base-ui/react/field'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { clsx } from 'clsx'
import { useId, useRef, useState } from 'react'
import { FieldError } from './field.tsx'
import { starPath } from './stars.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** What one to five stars mean, for those who hover and those who listen. */
export const starWords = ['Awful', 'Poor', 'Okay', 'Liked it', 'Loved it'] as const
export type StarCount = 1 | 2 | 3 | 4 | 5
const counts: readonly StarCount[] = [1, 2, 3, 4, 5]

/** Five stars to press. Pressing the chosen one again, or Clear, gives `null` unless `required`. */
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
    <BaseField.Root name={name} invalid={error !== undefined} className={clsx('grid gap-1', className)}>
      <span id={labelId} className={hideLabel ? 'sr-only' : 'text-label'}>
        {label}
      </span>
      <div className="flex flex-wrap items-center gap-x-4">
        <RadioGroup
          ref={group}
          value={value}
          onValueChange={onChange}
          disabled={disabled}
          aria-labelledby={labelId}
          aria-required={required}
          className="stars-input relative -ml-2 flex"
          onPointerLeave={() => setHovered(null)}
        >
          {counts.map((count) => (
            <Radio.Root
              key={count}
              value={count}
              aria-label={`${count} ${count === 1 ? 'star' : 'stars'}, ${starWords[count - 1]}`}
              className="grid size-11 cursor-pointer place-items-center rounded-full focus-visible:-outline-offset-2"
              onPointerEnter={(event) => {
                if (event.pointerType === 'mouse') setHovered(count)
              }}
              onClick={(event) => {
                // Only the pointer: an arrow key or Space on the chosen star must not unrate.
                if (value === count && event.detail > 0 && !required) onChange(null)
              }}
            >
              <svg
                aria-hidden
                viewBox="0 0 24 24"
                strokeWidth="1.5"
                strokeLinejoin="round"
                className="size-7"
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
              // Keeps its place while there is nothing to clear, so that the line never breaks anew.
              className="h-11 rounded-full disabled:invisible px-3 text-meta text-muted underline decoration-edge underline-offset-4 hover:text-ink"
              disabled={value === null}
              onClick={() => {
                // This button is about to go: its focus goes to the stars.
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
