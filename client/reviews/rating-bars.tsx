import { clsx } from 'clsx'
import type { ReactElement } from 'react'
import { barColumns, type Counts, useBars } from '#client/ui/half-stars.ts'
import { type RatingStep, shortStars } from '#shared/domain/ratings.ts'
import { useFormats } from '#client/ui/formats.ts'
import { renderAs } from '#client/ui/render.ts'
import { starsText } from '#client/ui/stars.tsx'

export function RatingBars({
  ratings,
  label,
  chosen,
  render,
  className,
}: {
  ratings: Counts
  label: string
  chosen?: number | undefined
  render: (stars: RatingStep) => ReactElement
  className?: string | undefined
}) {
  const { count } = useFormats()
  const shown = useBars(ratings)
  const most = Math.max(1, ...shown.map((bar) => bar.count))
  return (
    <ol aria-label={label} className={clsx('grid', barColumns(shown), className)}>
      {shown.map(({ stars: n, count: number }) => (
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
                  {starsText(n)}: {count(number)}
                </span>
                <span aria-hidden className="flex min-h-0 grow flex-col justify-end">
                  <span className="pb-0.5 font-semibold tabular-nums">
                    {number === 0 ? null : count(number)}
                  </span>
                  <span
                    className={clsx(
                      'block w-full rounded-t-bar transition-opacity',
                      number > 0 ? 'histogram-bar' : 'bg-line',
                      chosen !== undefined && chosen !== n && 'opacity-40 group-hover:opacity-100',
                    )}
                    style={{
                      height:
                        number > 0 ? `max(0.25rem, calc(${number / most} * (100% - 1.25rem)))` : '0.1875rem',
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
                  {shown.length > 5 ? shortStars(n) : `${n} ★`}
                </span>
              </>
            ),
          })}
        </li>
      ))}
    </ol>
  )
}
