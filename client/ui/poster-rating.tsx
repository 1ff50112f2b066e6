import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { bars, type RatingStep, shortStars } from '#shared/domain/ratings.ts'
import { useFormats } from './formats.ts'
import { useHalfStars } from './half-stars.ts'
import { lazyComponent } from './lazy.ts'
import { StarIcon, starsText } from './stars.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import { t } from '#shared/domain/message.ts'

const { AutoLoaded: HalfStarButtons } = lazyComponent(
  async () => (await import('./half-star-buttons.tsx')).HalfStarButtons,
)

type Status = { label: string; icon: ReactNode }

/**
 * In the line below the poster. Nothing is on the picture: `children`, buttons, are at the end of the line. `onRate` adds stars under a
 * mouse; screen readers and keyboards have the buttons and the keys of the card.
 */
export function PosterRating({
  rating,
  status,
  percent = null,
  isWanted = false,
  hasWantButton = false,
  onRate,
  children,
}: {
  rating: number | null
  status: Status | null
  /** How far the member is. */
  percent?: number | null | undefined
  isWanted?: boolean | undefined
  /** A button of a touch screen, among the children, that says so too. */
  hasWantButton?: boolean | undefined
  onRate?: ((stars: RatingStep) => void) | undefined
  children?: ReactNode
}) {
  const hasHalves = useHalfStars()
  return (
    <>
      {percent === null ? null : <PercentBar percent={percent} />}
      <div className="absolute inset-x-0 top-full h-6 in-[.poster-card:not(.title-row)]:inset-e-7">
        <p className="card-own mt-1 flex h-4 items-center gap-1.5 text-tiny leading-none whitespace-nowrap">
          {isWanted ? (
            <svg
              role="img"
              aria-label="You want this"
              viewBox="0 0 12 16"
              className={clsx(
                'h-3.5 w-2.5 shrink-0 fill-accent',
                hasWantButton && '[@media(hover:none)]:hidden',
              )}
            >
              <path d="M0 1.5A1.5 1.5 0 0 1 1.5 0h9A1.5 1.5 0 0 1 12 1.5V16l-6-4-6 4z" />
            </svg>
          ) : null}
          {rating === null ? null : (
            <span role="img" aria-label={ownStarsText(rating)} className="contents">
              <span
                className="own-bar h-1 shrink-0 rounded-full bg-star"
                style={{ width: `calc((100% - 2.75rem) * ${rating / 5})` }}
              />
              <span aria-hidden className="font-bold tabular-nums">
                {shortStars(rating)}
              </span>
            </span>
          )}
          {status === null ? null : (
            <span
              title={status.label}
              className="flex min-w-0 items-center gap-1 text-muted [&_svg]:size-3.5"
            >
              {status.icon}
              <VisuallyHidden>You:</VisuallyHidden>{' '}
              {rating === null ? (
                <span dir="auto" className="truncate font-semibold">
                  {status.label}
                </span>
              ) : (
                <VisuallyHidden>{status.label}</VisuallyHidden>
              )}
            </span>
          )}
        </p>
        {onRate === undefined ? null : hasHalves ? (
          <HalfStarButtons rating={rating} onRate={onRate} />
        ) : (
          <div aria-hidden className="card-stars absolute inset-0 grid grid-cols-5">
            {bars.map((stars) => (
              <button
                key={stars}
                type="button"
                tabIndex={-1}
                data-on={rating !== null && stars <= rating ? '' : undefined}
                className="grid cursor-pointer place-items-center"
                onClick={() => onRate(stars)}
              >
                <StarIcon className="size-4.5" />
              </button>
            ))}
          </div>
        )}
      </div>
      {children}
    </>
  )
}

/** Outside of the picture, along its lower edge. */
function PercentBar({ percent }: { percent: number }) {
  const { count } = useFormats()
  const shown = count(percent)
  return (
    <span
      role="img"
      aria-label={t`${shown} %`}
      className="absolute inset-x-0 top-full mt-0.5 h-[3px] overflow-hidden rounded-full bg-raised"
    >
      <span className="own-bar block h-full rounded-full bg-accent" style={{ inlineSize: `${percent}%` }} />
    </span>
  )
}

export function ownStarsText(rating: number): string {
  return t`You gave ${starsText(rating)}`
}
