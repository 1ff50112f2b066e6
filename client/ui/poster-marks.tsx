import type { ReactNode } from 'react'
import { Stars } from './stars.tsx'

/**
 * The member's stars and status of the title (“On your list”), in the lower left corner of a poster. `children` is a button. Takes no
 * space in the layout, so that nothing moves when it appears.
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
      <div className="@container absolute inset-0">
        <div className="absolute inset-x-1 bottom-1 flex flex-wrap gap-1 @min-[7.5rem]:inset-x-1.5 @min-[7.5rem]:bottom-1.5">
          {rating === null ? null : (
            <span className="own-stars inline-flex h-6 items-center rounded-full bg-scrim px-2 text-tiny">
              <Stars value={rating} label={ownStarsText(rating)} />
            </span>
          )}
          {status === null ? null : (
            // Smaller on small posters, where “Want to watch” needs one line.
            <span className="inline-flex min-h-6 items-center rounded-full bg-scrim px-1.5 text-[0.6875rem] font-semibold text-on-scrim @min-[7.5rem]:px-2 @min-[7.5rem]:text-tiny">
              {status}
            </span>
          )}
        </div>
      </div>
      {children}
    </>
  )
}

/** Says how many stars the member gave. */
export function ownStarsText(rating: number): string {
  return `You gave ${rating === 1 ? '1 star' : `${rating} stars`}`
}
