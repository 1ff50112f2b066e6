import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useFormats } from './formats.ts'
import { starsText } from './stars.tsx'

export function Histogram({
  counts,
  label,
  above,
  className,
}: {
  counts: Readonly<Record<1 | 2 | 3 | 4 | 5, number>>
  label: string
  above?: ((stars: 1 | 2 | 3 | 4 | 5) => ReactNode) | undefined
  className?: string | undefined
}) {
  const { count } = useFormats()
  const stars = [1, 2, 3, 4, 5] as const
  const most = Math.max(...stars.map((n) => counts[n]))
  const all = stars.reduce((sum, n) => sum + counts[n], 0)
  return (
    <ol aria-label={label} className={clsx('grid h-28 grid-cols-5 gap-1.5', className)}>
      {stars.map((n) => {
        const percent = all === 0 ? 0 : Math.round((100 * counts[n]) / all)
        return (
          <li key={n} className="group flex flex-col justify-end gap-1.5 text-center text-tiny text-muted">
            <span className="sr-only">
              {starsText(n)}: {count(counts[n])} ({percent} %)
            </span>
            <span aria-hidden className="flex min-h-0 grow flex-col justify-end">
              {above?.(n)}
              <span className="pb-0.5 font-semibold tabular-nums opacity-0 transition-opacity group-hover:opacity-100">
                {count(counts[n])}
              </span>
              <span
                className={clsx('block w-full rounded-t-bar', counts[n] > 0 ? 'histogram-bar' : 'bg-line')}
                style={{
                  height:
                    counts[n] > 0
                      ? `max(0.25rem, calc(${counts[n] / most} * (100% - ${above === undefined ? '1.25rem' : '2.75rem'})))`
                      : '0.1875rem',
                }}
              />
            </span>
            <span aria-hidden className="font-medium tabular-nums">
              {n}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
