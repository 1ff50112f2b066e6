import { clsx } from 'clsx'

/** A placeholder, sized by `className`. Silent for screen readers: put “Loading…” beside it. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={clsx('skeleton', className)} />
}

/**
 * Placeholders of the same size, `each`, while a list loads; `label` is for screen readers. Appear after 150 ms. They are in a column
 * unless `className` arranges them.
 */
export function Skeletons({
  count,
  each,
  label = 'Loading…',
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

/** Placeholder lines of text, the last one shorter. Appear after 150 ms. */
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
