import { clsx } from 'clsx'
import type { ReactElement } from 'react'
import { useFormats } from '#client/ui/formats.ts'
import { renderAs } from '#client/ui/render.ts'
import { starsText } from '#client/ui/stars.tsx'

export function RatingBars({
  counts,
  label,
  chosen,
  render,
  className,
}: {
  counts: Readonly<Record<1 | 2 | 3 | 4 | 5, number>>
  label: string
  chosen?: number | undefined
  render: (stars: 1 | 2 | 3 | 4 | 5) => ReactElement
  className?: string | undefined
}) {
  const { count } = useFormats()
  const stars = [1, 2, 3, 4, 5] as const
  const most = Math.max(1, ...stars.map((n) => counts[n]))
  return (
    <ol aria-label={label} className={clsx('grid grid-cols-5 gap-1.5', className)}>
      {stars.map((n) => (
        <li key={n} className="grid h-full">
          {renderAs(render(n), {
            className: clsx(
              'group flex min-w-6 flex-col justify-end rounded-item text-center text-tiny hover:text-ink',
              chosen === n ? 'font-bold text-ink' : 'text-muted',
            ),
            'aria-current': chosen === n ? 'true' : undefined,
            children: (
              <>
                <span className="sr-only">
                  {starsText(n)}: {count(counts[n])}
                </span>
                <span aria-hidden className="flex min-h-0 grow flex-col justify-end">
                  <span className="pb-0.5 font-semibold tabular-nums">
                    {counts[n] === 0 ? null : count(counts[n])}
                  </span>
                  <span
                    className={clsx(
                      'block w-full rounded-t-bar transition-opacity',
                      counts[n] > 0 ? 'histogram-bar' : 'bg-line',
                      chosen !== undefined && chosen !== n && 'opacity-40 group-hover:opacity-100',
                    )}
                    style={{
                      height:
                        counts[n] > 0
                          ? `max(0.25rem, calc(${counts[n] / most} * (100% - 1.25rem)))`
                          : '0.1875rem',
                    }}
                  />
                </span>
                <span
                  aria-hidden
                  className={clsx(
                    'border-t-2 pt-1 tabular-nums',
                    chosen === n ? 'border-ink' : 'border-transparent',
                  )}
                >
                  {n} ★
                </span>
              </>
            ),
          })}
        </li>
      ))}
    </ol>
  )
}
