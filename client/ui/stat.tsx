import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** Figures side by side; children are `Stat`s. */
export function Stats({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <dl className={clsx('grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-3', className)}>
      {children}
    </dl>
  )
}

/** One figure with its name; `value` comes formatted. */
export function Stat({
  label,
  value,
  children,
}: {
  label: ReactNode
  value: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col-reverse justify-end rounded-card border border-line bg-surface px-4 py-3.5">
      <dt className="text-meta text-muted">{label}</dt>
      <dd className="font-display text-[1.75rem] leading-tight font-extrabold tracking-tight tabular-nums">
        {value}
        {children}
      </dd>
    </div>
  )
}
