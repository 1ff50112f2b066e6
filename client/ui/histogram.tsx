import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type RatingStep, shortStars } from '#shared/domain/ratings.ts'
import { useFormats } from './formats.ts'
import { barColumns, type Counts, useBars } from './half-stars.ts'
import { starsText } from './stars.tsx'

export function Histogram({
  ratings,
  label,
  above,
  className,
}: {
  ratings: Counts
  label: string
  above?: ((stars: RatingStep) => ReactNode) | undefined
  className?: string | undefined
}) {
  const { count } = useFormats()
  const shown = useBars(ratings)
  const most = Math.max(...shown.map((bar) => bar.count))
  const all = shown.reduce((sum, bar) => sum + bar.count, 0)
  return (
    <ol aria-label={label} className={clsx('grid h-28', barColumns(shown), className)}>
      {shown.map(({ stars: n, count: number }) => {
        const percent = all === 0 ? 0 : Math.round((100 * number) / all)
        return (
          <li key={n} className="group flex flex-col justify-end gap-1.5 text-center text-tiny text-muted">
            <span className="sr-only">
              {starsText(n)}: {count(number)} ({percent} %)
            </span>
            <span aria-hidden className="flex min-h-0 grow flex-col justify-end">
              {above?.(n)}
              <span className="pb-0.5 font-semibold tabular-nums opacity-0 transition-opacity group-hover:opacity-100">
                {count(number)}
              </span>
              <span
                className={clsx('block w-full rounded-t-bar', number > 0 ? 'histogram-bar' : 'bg-line')}
                style={{
                  height:
                    number > 0
                      ? `max(0.25rem, calc(${number / most} * (100% - ${above === undefined ? '1.25rem' : '2.75rem'})))`
                      : '0.1875rem',
                }}
              />
            </span>
            <span aria-hidden className="font-medium tabular-nums">
              {shortStars(n)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
