import { clsx } from 'clsx'
import { useState } from 'react'
import { bars, type RatingStep } from '#shared/domain/ratings.ts'
import { stepsOf } from './half-steps.ts'
import { PartStar } from './part-star.tsx'
import { starsText } from './stars.tsx'

export function HalfStarButtons({
  rating,
  onRate,
}: {
  rating: number | null
  onRate: (stars: RatingStep) => void
}) {
  const [hovered, setHovered] = useState<RatingStep | null>(null)
  const shown = hovered ?? rating ?? 0
  return (
    <div
      aria-hidden
      className="card-stars absolute inset-0 grid grid-cols-5"
      onPointerLeave={() => setHovered(null)}
    >
      {bars.map((count) => (
        <span key={count} className="relative grid place-items-center">
          {stepsOf(count, true).map((stars) => (
            <button
              key={stars}
              type="button"
              tabIndex={-1}
              aria-label={starsText(stars)}
              className={clsx(
                'absolute inset-y-0 cursor-pointer',
                stars < count ? 'inset-s-0' : 'inset-e-0',
                count > 1 ? 'w-1/2' : 'w-full',
              )}
              onPointerEnter={() => setHovered(stars)}
              onClick={() => onRate(stars)}
            />
          ))}
          <PartStar filled={shown - count + 1} className="size-4.5" />
        </span>
      ))}
    </div>
  )
}
