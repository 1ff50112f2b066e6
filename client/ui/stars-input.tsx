import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type RatingStep, shortStars } from '#shared/domain/ratings.ts'
import { useHalfStars } from './half-stars.ts'
import { halfOf, isHalfKey, stepsOf } from './half-steps.ts'
import { PartStar } from './part-star.tsx'
import { starsText } from './stars.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { t } from '#shared/domain/message.ts'

export const starWords = [t`Awful`, t`Poor`, t`Okay`, t`Liked it`, t`Loved it`] as const
export type StarCount = RatingStep
const counts = [1, 2, 3, 4, 5] as const

/** `Okay`, or `3½`. */
const wordOf = (stars: StarCount) => starWords[stars - 1] ?? shortStars(stars)
const nameOf = (stars: StarCount) =>
  Number.isInteger(stars) ? `${starsText(stars)}, ${wordOf(stars)}` : starsText(stars)

/** In ms after the last arrow key. */
const restMs = 600

/**
 * Clicking the chosen star again, or Clear, removes it unless `required`. Arrow keys move; the star is chosen with Enter, after a moment,
 * or when the focus leaves.
 */
export function StarsInput({
  value,
  onChange,
  label,
  error,
  hideLabel,
  required,
  disabled,
  compact = false,
  bare = false,
}: {
  value: StarCount | null
  onChange: (value: StarCount | null) => void
  label: string
  error?: string | undefined
  hideLabel?: boolean | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  compact?: boolean | undefined
  bare?: boolean | undefined
}) {
  const id = useId()
  const group = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<StarCount | null>(null)
  const hasHalves = useHalfStars()
  const { moved, handlers, change } = useMoves(value, onChange, hasHalves)
  const shown = hovered ?? moved ?? value
  // A stored half is shown to members who rate in whole stars too.
  const isFilled = hasHalves || (shown !== null && !Number.isInteger(shown))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <span id={id} className={hideLabel ? 'sr-only' : 'text-label'}>
        {label}
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4">
        <div
          ref={group}
          role="radiogroup"
          {...(!disabled && handlers)}
          aria-labelledby={id}
          aria-required={required}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          className={clsx('stars-input relative flex min-w-0', !bare && '-ms-2')}
          onPointerLeave={() => setHovered(null)}
        >
          {counts.map((count) => (
            <span
              key={count}
              className={clsx(
                'relative grid place-items-center',
                isFilled ? 'filled-star' : 'star',
                // A half is as wide as a finger needs.
                hasHalves ? 'w-12 shrink-0' : 'w-11 min-w-0',
                compact ? 'h-9' : 'h-11',
              )}
            >
              {stepsOf(count, hasHalves).map((stars) => (
                <input
                  key={stars}
                  type="radio"
                  name={id}
                  checked={(moved ?? value) === stars}
                  disabled={disabled}
                  aria-label={nameOf(stars)}
                  data-stars={stars}
                  className={clsx(
                    'absolute inset-y-0 cursor-pointer appearance-none rounded-full focus-visible:-outline-offset-2',
                    stars < count ? 'inset-s-0' : 'inset-e-0',
                    hasHalves && count > 1 ? 'w-1/2' : 'w-full',
                  )}
                  onPointerEnter={(event) => {
                    if (event.pointerType === 'mouse') setHovered(stars)
                  }}
                  onChange={() => change(stars)}
                  onClick={(event) => {
                    // Pointer only: an arrow key or Space on the chosen star must not remove the rating.
                    if (value === stars && event.detail > 0 && !required) onChange(null)
                  }}
                />
              ))}
              <PartStar
                filled={isFilled && shown !== null ? shown - count + 1 : 0}
                className="size-7 max-w-full"
              />
            </span>
          ))}
        </div>
        <div
          hidden={bare}
          className={clsx(
            'items-center gap-1',
            !bare && 'flex',
            compact ? 'min-h-7 grow justify-between' : 'min-h-11',
          )}
        >
          <span
            aria-hidden
            className={clsx('font-medium text-muted', compact ? 'text-meta' : 'min-w-20 text-label')}
          >
            {shown === null ? t`Choose a rating` : wordOf(shown)}
          </span>
          {required || disabled ? null : (
            <button
              type="button"
              // Invisible, so that the layout does not shift.
              className={clsx(
                'rounded-full text-meta text-muted underline decoration-edge underline-offset-4 hover:text-ink disabled:invisible',
                compact ? 'h-7 px-1' : 'h-11 px-3',
              )}
              disabled={value === null}
              onClick={() => {
                // The button disappears, so the stars get the focus.
                group.current?.querySelector<HTMLElement>('[type=radio]')?.focus()
                onChange(null)
              }}
            >
              Clear<VisuallyHidden> rating</VisuallyHidden>
            </button>
          )}
        </div>
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-meta font-medium text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}

/** A star is chosen after a moment, so that moving over three stars is one change. */
function useMoves(value: StarCount | null, onChange: (value: StarCount) => void, hasHalves: boolean) {
  const [moved, setMoved] = useState<StarCount | null>(null)
  const waiting = useRef<{ stars: StarCount; timer: number }>(undefined)
  const isArrow = useRef(false)
  const latest = useRef({ value, onChange })
  useEffect(() => {
    latest.current = { value, onChange }
  })
  // A star that was reached is not lost if the stars go away.
  // oxlint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps -- it reads refs only
  useEffect(() => commit, [])

  function choose(stars: StarCount) {
    clearTimeout(waiting.current?.timer)
    waiting.current = undefined
    setMoved(null)
    if (stars !== latest.current.value) latest.current.onChange(stars)
  }
  function commit() {
    if (waiting.current !== undefined) choose(waiting.current.stars)
  }
  function change(stars: StarCount) {
    if (!isArrow.current) return choose(stars)
    isArrow.current = false
    clearTimeout(waiting.current?.timer)
    waiting.current = { stars, timer: window.setTimeout(commit, restMs) }
    setMoved(stars)
  }
  const handlers = {
    onKeyDownCapture({ key }: KeyboardEvent) {
      isArrow.current = key.startsWith('Arrow')
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const digit = counts.find((count) => String(count) === event.key)
      const star = (event.target as HTMLElement).closest<HTMLElement>('[data-stars]')
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      const half = hasHalves && isHalfKey(event.key) ? halfOf(moved ?? latest.current.value) : undefined
      const typed = digit ?? half
      if (typed !== undefined && isPlain) {
        event.preventDefault()
        event.currentTarget.querySelector<HTMLElement>(`[data-stars='${typed}']`)?.focus()
        choose(typed)
      } else if (event.key === 'Enter' && star !== null) {
        // It would submit the form.
        event.preventDefault()
        choose(Number(star.dataset['stars']) as StarCount)
      }
    },
    onPointerDown: () => void (isArrow.current = false),
    onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
      if (!currentTarget.contains(relatedTarget)) commit()
    },
  }
  return { moved, handlers, change }
}
