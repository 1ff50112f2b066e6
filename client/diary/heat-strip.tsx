import { useId } from 'react'
import { FilterToggle } from '#client/titles/facet-selects.tsx'
import { LoadError } from '#client/app/load-error.tsx'
import { Button } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { today } from './entries.ts'
import { MonthsTable } from './data-table.tsx'
import { MonthsChart } from './months-chart.tsx'
import { useYear, type Year } from './hooks.ts'
import { t } from '#shared/domain/message.ts'
import { dayMs } from '#shared/domain/days.ts'

const pitch = 12
const square = { width: 10, height: 10, rx: 2 }

export function HeatStrip({
  userId,
  year,
  isFiltered,
  onYear,
}: {
  userId: number
  year: number
  isFiltered: boolean
  onYear: (year: number | undefined) => void
}) {
  const { data, error, refetch } = useYear(userId, year)
  const { count } = useFormats()
  if (error && data === undefined)
    return <LoadError title="The calendar did not load" error={error} onRetry={refetch} className="mt-6" />
  // As high as the figure, which grows with the width of the page.
  if (data === undefined)
    return <Skeleton className="mt-6 h-72 animate-appear rounded-card sm:h-[min(13.25vw+8.5rem,18.5rem)]" />
  const { previousYear, nextYear, total } = data
  const thisYear = Number(today().slice(0, 4))
  const next = nextYear ?? (data.year < thisYear ? thisYear : null)
  return (
    <figure className="card mt-6 p-4!" aria-label={t`${data.year}: ${count(total)} finished`}>
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-1">
          <strong className="me-2 font-display text-h3 tabular-nums">{data.year}</strong>
          {[previousYear, next].map((to) =>
            to === null ? null : (
              <Button key={to} variant="ghost" aria-label={t`Show ${to}`} onClick={() => onYear(to)}>
                {to}
              </Button>
            ),
          )}
          <span className="ms-2 text-meta text-muted">{count(total)} finished</span>
        </span>
        <FilterToggle pressed={isFiltered} onChange={(isOnly) => onYear(isOnly ? data.year : undefined)}>
          Only this year
        </FilterToggle>
      </figcaption>
      <div className="max-sm:hidden">
        <Calendar year={data} />
      </div>
      {/* On phones a day would be too small. */}
      <div className="sm:hidden">
        <MonthsChart year={data} className="h-28" />
      </div>
      <MonthsTable year={data} />
    </figure>
  )
}

function Calendar({ year: { year, days } }: { year: Year }) {
  const emptyId = useId()
  const first = Date.UTC(year, 0, 1)
  // Weeks start on Monday.
  const offset = (new Date(first).getUTCDay() + 6) % 7
  const end = offset + (Date.UTC(year + 1, 0, 1) - first) / dayMs
  const cells = days.map((day) => ({ ...day, cell: offset + (Date.parse(day.date) - first) / dayMs }))
  const most = Math.max(1, ...days.map(({ count }) => count))
  // The corner of a square, counted from the first Monday, and the corners of the weeks that the year shares.
  const x = (cell: number) => Math.floor(cell / 7) * pitch
  const y = (cell: number) => (cell % 7) * pitch
  const bottom = 7 * pitch
  const outline =
    `M${pitch} 0H${x(end)}V${bottom}H${pitch}z` +
    `M0 ${y(offset)}H${pitch}V${bottom}H0z` +
    `M${x(end)} 0h${pitch}V${y(end)}H${x(end)}z`
  const holes = cells.map(({ cell }) => `M${x(cell)} ${y(cell)}h${pitch}v${pitch}h${-pitch}z`)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${Math.ceil(end / 7) * pitch - (pitch - square.width)} ${bottom}`}
      className="w-full"
    >
      {/* The days without entries are one element. The space is for the outline in forced colours. */}
      <pattern id={emptyId} x={-1} y={-1} width={pitch} height={pitch} patternUnits="userSpaceOnUse">
        <rect {...square} x={1} y={1} className="chart-empty fill-raised" />
      </pattern>
      <path fill={`url(#${emptyId})`} fillRule="evenodd" d={outline + holes.join('')} />
      {cells.map(({ date, count, cell }) => (
        <rect
          key={date}
          {...square}
          x={x(cell)}
          y={y(cell)}
          className="chart-bar fill-ink"
          fillOpacity={0.35 + (0.65 * count) / most}
        >
          <title>{`${date}: ${count}`}</title>
        </rect>
      ))}
    </svg>
  )
}
