import type { ReactNode } from 'react'
import { Stars } from './stars.tsx'

/**
 * The member's own stars, and a word on what the member does with the title (“On your list”), in the lower left corner of a
 * poster. `children` is a button. Takes no room of its own, so that nothing moves when it appears.
 */
export function PosterMarks({
  rating,
  status,
  children,
}: {
  rating: number | null
  status: string | null
  children?: ReactNode
}) {
  return (
    <>
      <div className="absolute inset-x-1.5 bottom-1.5 flex flex-wrap gap-1">
        {rating === null ? null : (
          <span className="own-stars inline-flex h-6 items-center rounded-full bg-scrim px-2 text-tiny">
            <Stars value={rating} label={ownStarsText(rating)} />
          </span>
        )}
        {status === null ? null : (
          <span className="inline-flex min-h-6 items-center rounded-full bg-scrim px-2 text-tiny font-semibold text-on-scrim">
            {status}
          </span>
        )}
      </div>
      {children}
    </>
  )
}

/** Says how many stars the member gave. */
export function ownStarsText(rating: number): string {
  return `You gave ${rating === 1 ? '1 star' : `${rating} stars`}`
}
