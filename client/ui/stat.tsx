import { clsx } from 'clsx'
import type { ReactElement, ReactNode } from 'react'
import { renderAs } from './render.ts'

export function Stats({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <dl className={clsx('grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-3', className)}>
      {children}
    </dl>
  )
}

export function Stat({
  label,
  note,
  value,
  render,
}: {
  label: ReactNode
  note?: string | undefined
  value: ReactNode
  render?: ReactElement | undefined
}) {
  return (
    <div
      className={clsx(
        'relative flex flex-col-reverse justify-end rounded-card border border-line bg-surface px-4 py-3.5',
        render !== undefined && 'transition-colors hover:border-edge',
      )}
    >
      <dt className="text-meta text-muted">
        {render === undefined
          ? label
          : renderAs(render, {
              className:
                'underline decoration-edge underline-offset-4 after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus',
              children: label,
            })}
        {note === undefined ? null : <span className="block text-tiny"> {note}</span>}
      </dt>{' '}
      <dd className="font-display text-[1.75rem] leading-tight font-extrabold tracking-tight tabular-nums">
        {value}
      </dd>
    </div>
  )
}
