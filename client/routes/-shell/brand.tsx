import { clsx } from 'clsx'
import { starPath } from '#client/ui/stars.tsx'

/** The star of the icon (ui/icon.svg) and the name; `className` is the name's. */
export function Brand({ className }: { className?: string | undefined }) {
  return (
    <span className="inline-flex items-center gap-1.5 font-display text-[1.3125rem] leading-none font-extrabold tracking-tight text-ink">
      <svg
        aria-hidden
        viewBox="0 0 24 24"
        strokeWidth="1.5"
        strokeLinejoin="round"
        className="size-[1.1em] fill-star stroke-star"
      >
        <path d={starPath} />
      </svg>
      <span className={clsx('pb-px', className)}>Medley</span>
    </span>
  )
}
