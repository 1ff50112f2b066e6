import { clsx } from 'clsx'
import { starPath } from './stars.tsx'

/** A star that is filled from where reading begins. */
export function PartStar({ filled, className }: { filled: number; className?: string | undefined }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      strokeWidth="1.5"
      strokeLinejoin="round"
      className={clsx('part-star pointer-events-none', className)}
    >
      <path d={starPath} />
      {filled > 0 ? (
        <svg width={filled < 1 ? 12 : 24} height="24">
          <path d={starPath} className="stars-on" />
        </svg>
      ) : null}
    </svg>
  )
}
