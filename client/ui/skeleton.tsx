import { clsx } from 'clsx'

/** A placeholder, sized by `className`. Silent for screen readers: put “Loading…” beside it. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div aria-hidden className={clsx('skeleton', className)} />
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
