import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Kind } from './kind.tsx'

export function Pill({
  label,
  icon,
  className,
  children,
}: {
  label?: ReactNode
  icon?: ReactNode
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <span
      className={clsx(
        'inline-flex min-h-8 max-w-full flex-wrap items-center gap-x-1.5 rounded-full border border-edge/70 px-3.5 text-meta tabular-nums',
        '[&_svg]:size-[1.1em]',
        className,
      )}
    >
      {icon}
      {label === undefined ? null : <span className="text-muted">{label}</span>}
      <span className={clsx(label !== undefined && 'font-semibold')}>{children}</span>
    </span>
  )
}

export function KindPill({
  kind,
  children,
  className,
}: {
  kind: Kind
  children: ReactNode
  className?: string | undefined
}) {
  return (
    <span
      data-kind={kind}
      className={clsx(
        'inline-flex min-h-8 max-w-full items-center rounded-full border border-transparent bg-accent/15 px-3.5 text-meta font-semibold text-accent',
        className,
      )}
    >
      {children}
    </span>
  )
}
