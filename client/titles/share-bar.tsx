import { clsx } from 'clsx'

/** A text beside it says the same. */
export function ShareBar({
  value,
  max,
  className,
}: {
  value: number
  max: number
  className?: string | undefined
}) {
  const share = max === 0 ? 0 : Math.min(1, value / max)
  return (
    <div aria-hidden className={clsx('h-1.5 overflow-hidden rounded-full bg-raised', className)}>
      <div
        style={{ width: `${share * 100}%` }}
        className="h-full rounded-full bg-accent/70 transition-[width] duration-500"
      />
    </div>
  )
}
