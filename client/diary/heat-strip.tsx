import { FilterToggle } from '#client/facet-selects.tsx'
import { LoadError } from '#client/load-error.tsx'
import { Button } from '#client/ui/button.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { today } from './entries.ts'
import { MonthsTable } from './data-table.tsx'
import { MonthsChart } from './months-chart.tsx'
import { useYear, type Year } from './hooks.ts'

/** Side, pitch and corner radius of a day’s square, in units of the picture. */
const [side, pitch, radius] = [10, 12, 2]
const dayMs = 86_400_000

/** A year’s finished entries, a square per day, or bars by month on phones, with buttons for the years around it. */
export function HeatStrip({
  userId,
  year,
  isFiltered,
  onYear,
}: {
  userId: number
  year: number
  /** Whether the list below is filtered to this year. */
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
    <figure className="card mt-6 p-4!" aria-label={`${data.year}: ${count(total)} finished`}>
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-1">
          <strong className="mr-2 font-display text-h3 tabular-nums">{data.year}</strong>
          {[previousYear, next].map((to) =>
            to === null ? null : (
              <Button key={to} variant="ghost" aria-label={`Show ${to}`} onClick={() => onYear(to)}>
                {to}
              </Button>
            ),
          )}
          <span className="ml-2 text-meta text-muted">{count(total)} finished</span>
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
  const first = Date.UTC(year, 0, 1)
  // Weeks start on Monday.
  const offset = (new Date(first).getUTCDay() + 6) % 7
  const end = offset + (Date.UTC(year + 1, 0, 1) - first) / dayMs
  const counts = new Map(days.map(({ date, count }) => [offset + (Date.parse(date) - first) / dayMs, count]))
  const most = Math.max(1, ...counts.values())
  const empty = Array.from({ length: end - offset }, (_, index) => offset + index).filter(
    (place) => !counts.has(place),
  )
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${Math.ceil(end / 7) * pitch - (pitch - side)} ${7 * pitch}`}
      className="w-full"
    >
      {/* One element for all of them. */}
      <path className="chart-empty fill-raised" d={empty.map(square).join('')} />
      {days.map(({ date, count }) => (
        <path
          key={date}
          className="chart-bar fill-ink"
          fillOpacity={0.35 + (0.65 * count) / most}
          d={square(offset + (Date.parse(date) - first) / dayMs)}
        >
          <title>{`${date}: ${count}`}</title>
        </path>
      ))}
    </svg>
  )
}

/** Returns the outline of the square of a day, which is counted from the first Monday. */
function square(place: number): string {
  const inner = side - 2 * radius
  const corner = (x: number, y: number) => `a${radius} ${radius} 0 0 1 ${x} ${y}`
  return (
    `M${Math.floor(place / 7) * pitch + radius} ${(place % 7) * pitch}h${inner}${corner(radius, radius)}` +
    `v${inner}${corner(-radius, radius)}h${-inner}${corner(-radius, -radius)}v${-inner}${corner(radius, -radius)}z`
  )
}
