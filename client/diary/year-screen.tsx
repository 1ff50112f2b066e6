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

export function YearScreen({ userId, name, year }: { userId: number; name: string; year: number }) {
  const isOwn = useSession()?.user.id === userId
  const { data, error, refetch } = useYear(userId, year)
  const params = { userId: String(userId) }
  return (
    <div className="page min-h-svh py-8 sm:py-12">
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

/** Twelve columns, divided by kind. Sizes in percent, so that the names of the months have the size of other text. */
function MonthsChart({ year: { year, months } }: { year: Year }) {
  const { month: monthName } = useDates()
  const most = Math.max(1, ...months.map((month) => allKinds.reduce((sum, { kind }) => sum + month[kind], 0)))
  const width = 100 / 12
  return (
    <div aria-hidden>
      <svg className="h-44 w-full sm:h-72">
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
                    className="fill-accent stroke-surface"
                  />
                )
              })}
            </g>
          )
        })}
        <line x1="0" x2="100%" y1="100%" y2="100%" className="stroke-line stroke-2" />
      </svg>
      <p className="mt-1.5 grid grid-cols-12 text-center text-[0.625rem] text-muted sm:text-tiny">
        {months.map(({ month }) => (
          <span key={month}>{monthName(`${year}-${String(month).padStart(2, '0')}`, 'short')}</span>
        ))}
      </p>
    </div>
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
          <ul aria-hidden className="grid gap-3">
            {rows.map(({ label, count }) => (
              <li key={label}>
                <p className="flex justify-between gap-3 text-meta">
                  {label} <span className="text-muted tabular-nums">{format(count)}</span>
                </p>
                <svg className="mt-1 h-2 w-full">
                  <rect
                    width={count === 0 ? 0 : `${Math.max(2, (100 * count) / most)}%`}
                    height="100%"
                    rx={4}
                    className={className}
                  />
                </svg>
              </li>
            ))}
          </ul>
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
