import { clsx } from 'clsx'
import { useSite } from '#client/app/site.ts'
import { starPath } from '#client/ui/stars.tsx'

export function Brand({ className }: { className?: string | undefined }) {
  const { name, iconUrl } = useSite()
  return (
    <span className="inline-flex items-center gap-1.5 font-display text-[1.3125rem] leading-none font-extrabold tracking-tight text-ink">
      {iconUrl === null ? (
        <svg
          aria-hidden
          viewBox="0 0 24 24"
          strokeWidth="1.5"
          strokeLinejoin="round"
          className="size-[1.1em] fill-star stroke-star"
        >
          <path d={starPath} />
        </svg>
      ) : (
        <img src={iconUrl} alt="" className="size-[1.4em] rounded-bar object-cover" />
      )}
      <span className={clsx('pb-px', className)}>{name}</span>
    </span>
  )
}
