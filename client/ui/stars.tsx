import { clsx } from 'clsx'
import { decimalText, plural, t } from '#shared/domain/message.ts'

const start = 'M11.525 2.295'
const star =
  'a.53.53 0 0 1 .95 0l2.31 4.679a2.123 2.123 0 0 0 1.595 1.16l5.166.756a.53.53 0 0 1 .294.904l-3.736 3.638a2.123 2.123 0 0 0-.611 1.878l.882 5.14a.53.53 0 0 1-.771.56l-4.618-2.428a2.122 2.122 0 0 0-1.973 0l-4.617 2.428a.53.53 0 0 1-.77-.56l.881-5.139a2.122 2.122 0 0 0-.611-1.879l-3.736-3.637a.53.53 0 0 1 .294-.906l5.165-.755a2.122 2.122 0 0 0 1.597-1.16z'
const pitch = 27
export const starPath = start + star
const five = start + Array.from({ length: 5 }, () => star).join(`m${pitch} 0`)

/** Once in a page: repeated, it would be half of the markup of a list. */
export function StarsShape() {
  return (
    <svg aria-hidden className="hidden">
      <path id="stars" d={five} />
    </svg>
  )
}

export function starsText(stars: number): string {
  if (!Number.isInteger(stars))
    return plural(Math.floor(stars), { one: '# and a half stars', other: '# and a half stars' })
  return plural(stars, { one: '# star', other: '# stars' })
}

export function StarIcon({ className }: { className?: string | undefined }) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className={clsx('size-[1em] shrink-0 stroke-current', className)}>
      <path d={starPath} fill="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}

/** A half star shows from .5 on; `exact` fills to the decimal. */
export function Stars({
  value,
  exact = false,
  label = t`${decimalText(Math.round(Math.round(value * 10_000) / 1_000) / 10)} out of 5 stars`,
  className,
}: {
  value: number
  exact?: boolean | undefined
  label?: string | undefined
  className?: string | undefined
}) {
  const filled = Math.min(5, Math.max(0, exact ? value : Math.floor(value * 2) / 2))
  // A star is 20 wide and 2 from its cell's edge.
  const width = Math.floor(filled) * pitch + (filled % 1 === 0 ? 0 : 1.5 + (filled % 1) * 21)
  return (
    <svg role="img" aria-label={label} viewBox="0 0 132 24" className={clsx('stars', className)}>
      <use href="#stars" className="stars-off" />
      <svg width={width} height="24">
        <use href="#stars" className="stars-on" />
      </svg>
    </svg>
  )
}
