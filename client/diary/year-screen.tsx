import { Link } from '@tanstack/react-router'
import { CalendarRange } from 'lucide-react'
import { LoadError } from '#client/load-error.tsx'
import { titlePath } from '#client/kinds.ts'
import { useSession } from '#client/session.ts'
import type { ApiError } from '#client/trpc.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid } from '#client/ui/poster-grid.tsx'
import { Section } from '#client/ui/section.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { allKinds, kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { DataTable, MonthsTable } from './data-table.tsx'
import { type Title, useYear, type Year } from './hooks.ts'
import { PrivateDiary } from './private-diary.tsx'

/** A year of a member’s diary in numbers. */
export function YearScreen({ userId, name, year }: { userId: number; name: string; year: number }) {
  const isOwn = useSession()?.user.id === userId
  const { data, error, refetch } = useYear(userId, year)
  const params = { userId: String(userId) }
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">{isOwn ? `Your ${year}` : `${year} of ${name}`}</h1>
      <nav aria-label="Years" className="mt-4 flex flex-wrap gap-2">
        {data?.previousYear ? <YearLink userId={userId} year={data.previousYear} /> : null}
        {data?.nextYear ? <YearLink userId={userId} year={data.nextYear} /> : null}
        <ButtonLink render={isOwn ? <Link to="/diary" /> : <Link to="/user/$userId" params={params} />}>
          {isOwn ? 'Diary' : 'Profile'}
        </ButtonLink>
      </nav>
      <div className="mt-8">
        {error && data === undefined ? (
          (error as ApiError).data?.code === 'FORBIDDEN' ? (
            <PrivateDiary />
          ) : (
            <LoadError title="The year did not load" error={error} onRetry={refetch} />
          )
        ) : data === undefined ? (
          <div
            role="status"
            aria-label={messages.loading}
            className="grid animate-appear gap-6 lg:grid-cols-2"
          >
            <Skeleton className="h-64 rounded-card" />
            <Skeleton className="h-64 rounded-card" />
          </div>
        ) : data.total === 0 ? (
          <EmptyState icon={<CalendarRange aria-hidden />} title={`Nothing finished in ${year}.`}>
            {isOwn ? 'Finish something and add it to your diary with its date.' : undefined}
          </EmptyState>
        ) : (
          <Numbers year={data} />
        )}
      </div>
    </div>
  )
}

function YearLink({ userId, year }: { userId: number; year: number }) {
  return (
    <ButtonLink
      render={<Link to="/user/$userId/year/$year" params={{ userId: String(userId), year: String(year) }} />}
    >
      {String(year)}
    </ButtonLink>
  )
}

function Numbers({ year }: { year: Year }) {
  const { count } = useFormats()
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <Section title="Finished" className="card lg:col-span-2">
        <p className="font-display text-[clamp(3.5rem,2rem+8vw,7rem)] leading-none font-extrabold tracking-tight tabular-nums">
          {count(year.total)}
        </p>
        <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1">
          {allKinds
            .filter(({ kind }) => year.kinds[kind] > 0)
            .map(({ kind, words }) => (
              <li key={kind} className="inline-flex items-baseline gap-1.5">
                <KindDot kind={kind} />
                <span className="tabular-nums">{count(year.kinds[kind])}</span>
                <span className="text-muted">{year.kinds[kind] === 1 ? words.one : words.many}</span>
              </li>
            ))}
        </ul>
      </Section>
      <Section title="By month" className="card lg:col-span-2">
        <MonthsChart year={year} />
        <MonthsTable year={year} />
      </Section>
      <Ranking
        title="Ratings"
        rows={([5, 4, 3, 2, 1] as const).map((stars) => ({
          label: stars === 1 ? '1 star' : `${stars} stars`,
          count: year.ratings[stars],
        }))}
        className="fill-star"
        empty="None of these titles is rated."
      />
      <FirstAndLast year={year} />
      {year.highestRated.length === 0 ? null : (
        <Section title="Highest rated" className="lg:col-span-2">
          <PosterGrid row label="Highest rated">
            {year.highestRated.map(({ title, rating }) => (
              <PosterCard
                key={title.id}
                kind={title.kind}
                title={title.name}
                kindLabel={kinds[title.kind].words.one}
                meta={title.releaseYear ?? undefined}
                image={{
                  src: title.imageUrl,
                  srcSet: imageSrcSet(title.imageUrl),
                  sizes: '(min-width: 640px) 11rem, 38vw',
                }}
                render={<Link to={titlePath(kinds[title.kind], title.id)} />}
              >
                <Stars value={rating} />
              </PosterCard>
            ))}
          </PosterGrid>
        </Section>
      )}
      <Ranking
        title="Genres"
        rows={year.genres.map(({ name, count }) => ({ label: name, count }))}
        empty="The titles of this year have no genres."
      />
      <Ranking
        title="Decades"
        rows={year.decades.map(({ decade, count }) => ({ label: `${decade}s`, count }))}
        empty="The titles of this year have no release dates."
      />
    </div>
  )
}

/** Twelve columns, divided by kind. */
function MonthsChart({ year: { year, months } }: { year: Year }) {
  const { release } = useDates()
  const most = Math.max(1, ...months.map((month) => allKinds.reduce((sum, { kind }) => sum + month[kind], 0)))
  const [width, height, floor] = [28, 120, 16]
  return (
    <svg aria-hidden viewBox={`0 0 ${12 * width} ${height + floor}`} className="max-h-80 w-full">
      {months.map((month, index) => {
        let top = height
        return (
          <g key={month.month}>
            {allKinds.map(({ kind }) => {
              const size = (month[kind] / most) * (height - 4)
              top -= size
              return size === 0 ? null : (
                <rect
                  key={kind}
                  data-kind={kind}
                  x={index * width + 4}
                  y={top}
                  width={width - 8}
                  height={size}
                  className="fill-accent stroke-surface"
                />
              )
            })}
            <text
              x={index * width + width / 2}
              y={height + floor - 4}
              textAnchor="middle"
              className="fill-muted text-[11px]"
            >
              {release(`${year}-${String(month.month).padStart(2, '0')}`).slice(0, 3)}
            </text>
          </g>
        )
      })}
      <line x1={0} x2={12 * width} y1={height} y2={height} className="stroke-line" />
    </svg>
  )
}

function FirstAndLast({ year: { first, last } }: { year: Year }) {
  if (first === null || last === null) return null
  return (
    <Section title="First and last" className="card">
      <dl className="grid grid-cols-2 gap-4">
        <Dated label="First" {...first} />
        <Dated label="Last" {...last} />
      </dl>
    </Section>
  )
}

function Dated({ label, date, title }: { label: string; date: string; title: Title }) {
  const { release } = useDates()
  return (
    <div>
      <dt className="text-meta text-muted">
        {label}, <time dateTime={date}>{release(date)}</time>
      </dt>
      <dd className="mt-2">
        <PosterCard
          kind={title.kind}
          title={title.name}
          image={{
            src: title.imageUrl,
            srcSet: imageSrcSet(title.imageUrl),
            sizes: '8rem',
          }}
          className="max-w-32"
          render={<Link to={titlePath(kinds[title.kind], title.id)} />}
        />
      </dd>
    </div>
  )
}

/** Bars with a label each. */
function Ranking({
  title,
  rows,
  empty,
  className = 'fill-accent/70',
}: {
  title: string
  rows: readonly { label: string; count: number }[]
  empty: string
  className?: string
}) {
  const { count: format } = useFormats()
  const most = Math.max(0, ...rows.map(({ count }) => count))
  return (
    <Section title={title} className="card">
      {most === 0 ? (
        <p className="text-muted">{empty}</p>
      ) : (
        <>
          <svg aria-hidden viewBox={`0 0 320 ${rows.length * 34}`} className="w-full">
            {rows.map(({ label, count }, index) => (
              <g key={label} transform={`translate(0 ${index * 34})`}>
                <text y={12} className="fill-ink text-[12px]">
                  {label}
                </text>
                <text x={320} y={12} textAnchor="end" className="fill-muted text-[12px]">
                  {format(count)}
                </text>
                <rect
                  y={18}
                  width={count === 0 ? 0 : Math.max(4, (320 * count) / most)}
                  height={8}
                  rx={4}
                  className={className}
                />
              </g>
            ))}
          </svg>
          <DataTable
            caption={title}
            head={[title, 'Titles']}
            rows={rows.map(({ label, count }) => [label, format(count)])}
          />
        </>
      )}
    </Section>
  )
}
