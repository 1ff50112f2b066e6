import { clsx } from 'clsx'
import { useDates, useToday } from '#client/ui/dates.ts'
import { allKinds } from '#shared/domain/kinds.ts'
import { countOfMonth } from './entries.ts'
import type { Year } from './hooks.ts'

/** Without the months to come. Sizes in percent, so that the names of the months have the size of other text. */
export function MonthsChart({
  year: { year, months: all },
  className = 'h-44 sm:h-72',
}: {
  year: Year
  className?: string
}) {
  const { month: monthName } = useDates()
  const thisMonth = useToday().slice(0, 7)
  const months = all.filter(
    (month) => countOfMonth(month) > 0 || `${year}-${String(month.month).padStart(2, '0')}` <= thisMonth,
  )
  const names = months.map(({ month }) => monthName(`${year}-${String(month).padStart(2, '0')}`, 'short'))
  const areLong = names.some((name) => name.length > 4)
  const most = Math.max(1, ...months.map(countOfMonth))
  const width = 100 / months.length
  return (
    <div aria-hidden>
      <svg className={clsx('w-full', className)}>
        {months.map((month, index) => {
          let top = 100
          return (
            <g key={month.month}>
              {allKinds.map(({ kind }) => {
                const size = (month[kind] / most) * 97
                top -= size
                return size === 0 ? null : (
                  <rect
                    key={kind}
                    data-kind={kind}
                    x={`${(index + 0.15) * width}%`}
                    y={`${top}%`}
                    width={`${0.7 * width}%`}
                    height={`${size}%`}
                    className="chart-bar fill-accent stroke-surface"
                  />
                )
              })}
            </g>
          )
        })}
        <line x1="0" x2="100%" y1="100%" y2="100%" className="stroke-line stroke-2" />
      </svg>
      <p
        className="mt-1.5 grid text-center text-[0.625rem] text-muted sm:text-tiny"
        style={{ gridTemplateColumns: `repeat(${months.length}, minmax(0, 1fr))` }}
      >
        {names.map((name) => (
          // On a phone, every second of long names has place.
          <span key={name} className={clsx(areLong && '-mx-4 whitespace-nowrap max-sm:even:invisible')}>
            {name}
          </span>
        ))}
      </p>
    </div>
  )
}
