import { clsx } from 'clsx'
import { t } from '#shared/domain/message.ts'

/** Silent for screen readers: put “Loading…” beside it. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={clsx('skeleton', className)} />
}

/** Appear after 150 ms; `label` is for screen readers. */
export function Skeletons({
  count,
  each,
  label = t`Loading…`,
  className = 'grid gap-3',
}: {
  count: number
  each: string
  label?: string | undefined
  className?: string | undefined
}) {
  return (
    <div role="status" aria-label={label} className={clsx('animate-appear', className)}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={each} />
      ))}
    </div>
  )
}

export function SkeletonText({
  lines = 3,
  className,
}: {
  lines?: number | undefined
  className?: string | undefined
}) {
  return (
    <div aria-hidden className={clsx('grid animate-appear gap-2.5', className)}>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} className={clsx('h-4 rounded-full', index === lines - 1 && 'w-3/5')} />
      ))}
    </div>
  )
}
