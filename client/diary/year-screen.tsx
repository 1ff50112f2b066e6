import { Link } from '@tanstack/react-router'
import { CalendarRange } from 'lucide-react'
import type { ReactNode } from 'react'
import { toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { genreText } from '#client/titles/genres.ts'
import { kindWords } from '#client/titles/kind-words.ts'
import { PosterWall } from '#client/titles/poster-wall.tsx'
import { useSession } from '#client/app/session.ts'
import { StartActions } from '#client/app/start-actions.tsx'
import { TitleCard } from '#client/titles/title-card.tsx'
import { type ApiError, trpc } from '#client/app/trpc.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useBars } from '#client/ui/half-stars.ts'
import { useFormats } from '#client/ui/formats.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { PosterGrid } from '#client/ui/poster-grid.tsx'
import { Section } from '#client/ui/section.tsx'
import { Stars, starsText } from '#client/ui/stars.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { allKinds, kinds } from '#shared/domain/kinds.ts'
import { DataTable, MonthsTable } from './data-table.tsx'
import { countOfMonth, longestStreak } from './entries.ts'
import { type DiaryTitle, useYear, type Year } from './hooks.ts'
import { MonthsChart } from './months-chart.tsx'
import { PrivateDiary } from './private-diary.tsx'
import { plural, t } from '#shared/domain/message.ts'

export function YearScreen({
  userId,
  name,
  year,
  share,
}: {
  userId: number
  name: string
  year: number
  share?: ReactNode
}) {
  const isOwn = useSession()?.user.id === userId
  const { data, error, refetch } = useYear(userId, year)
  const params = { userId: String(userId) }
  return (
    <div className="page min-h-svh py-8 sm:py-12">
      <h1 className="text-h1">{isOwn ? t`My ${year}` : t`${year} of ${name}`}</h1>
      <nav aria-label="Years" className="mt-4 flex flex-wrap gap-2">
        {data?.previousYear ? <YearLink userId={userId} year={data.previousYear} /> : null}
        {data?.nextYear ? <YearLink userId={userId} year={data.nextYear} /> : null}
        <ButtonLink render={isOwn ? <Link to="/diary" /> : <Link to="/user/$userId" params={params} />}>
          {isOwn ? t`Diary` : t`Profile`}
        </ButtonLink>
        {data && data.total > 0 ? share : null}
      </nav>
      <div className="mt-8">
        {error && data === undefined ? (
          (error as ApiError).data?.code === 'FORBIDDEN' ? (
            <PrivateDiary />
          ) : (
            <LoadError title="The year did not load" error={error} onRetry={refetch} />
          )
        ) : data === undefined ? (
          <YearSkeleton />
        ) : data.total === 0 ? (
          <EmptyState
            icon={<CalendarRange aria-hidden />}
            title={t`Nothing finished in ${year}.`}
            action={isOwn ? <StartActions /> : undefined}
          >
            {isOwn ? t`Finish something and add it to your diary with its date.` : undefined}
          </EmptyState>
        ) : (
          <Numbers userId={userId} year={data} />
        )}
      </div>
    </div>
  )
}

function YearSkeleton() {
  return <Skeletons count={2} each="h-64 rounded-card" className="grid gap-6 lg:grid-cols-2" />
}

export function YearPending({ year }: { year: string }) {
  return (
    <div className="page min-h-svh py-8 sm:py-12">
      <h1 className="text-h1">{year}</h1>
      <div className="mt-8">
        <YearSkeleton />
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

function Numbers({ userId, year }: { userId: number; year: Year }) {
  const ratings = useBars({ counts: year.ratings, halfCounts: year.halfRatings })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
      <Mosaic year={year} />
      <Total year={year} />
      <Section title="By month" className="card lazy-paint [--lazy-height:22rem] lg:col-span-2">
        <MonthsChart year={year} />
        <MonthsTable year={year} />
      </Section>
      <YearTwin userId={userId} year={year.year} />
      <FirstAndLast year={year} />
      {year.highestRated.length === 0 ? null : (
        <Section title="Highest rated" className="-m-4 p-4 lazy-paint lg:col-span-2">
          <PosterGrid row label="Highest rated" className="lg:grid-cols-5!">
            {year.highestRated.map(({ title, rating }) => (
              <TitleCard
                key={title.id}
                title={title}
                sizes="(min-width: 640px) 14rem, 38vw"
                kindLabel={kinds[title.kind].words.one}
                meta={title.releaseYear ?? undefined}
              >
                <Stars value={rating} />
              </TitleCard>
            ))}
          </PosterGrid>
        </Section>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:col-span-2 lg:grid-cols-3 lg:items-start">
        <Ranking
          title="Ratings"
          rows={ratings.map(({ stars, count }) => ({ label: starsText(stars), count })).reverse()}
          className="fill-star"
          empty="None of these titles is rated."
        />
        <Ranking
          title="Genres"
          rows={year.genres.map(({ name, count }) => ({ label: genreText(name), count }))}
          empty="The titles of this year have no genres."
        />
        <Ranking
          title="Decades"
          rows={year.decades.map(({ decade, count }) => ({ label: t`${decade}s`, count }))}
          empty="The titles of this year have no release dates."
        />
      </div>
    </div>
  )
}

function Total({ year }: { year: Year }) {
  const { count } = useFormats()
  const { date, month: monthName } = useDates()
  const streak = longestStreak(year.days)
  const busiest = busiestMonth(year)
  const facts = [
    ...lengthFacts(year),
    streak === null ? null : (
      <Fact key="streak">
        <Figure>{plural(streak.days, { one: '# day', other: '# days' })}</Figure> in a row,{' '}
        {date(streak.from)} to {date(streak.to)}
      </Fact>
    ),
    busiest === null ? null : (
      <Fact key="busiest">
        <Figure>{monthName(`${year.year}-${String(busiest.month).padStart(2, '0')}`, 'long')}</Figure> the
        busiest month, with {count(busiest.count)}
      </Fact>
    ),
  ].filter((fact) => fact !== null)
  return (
    <Section title="Finished" className="card lg:col-span-2">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-6 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-end">
        <div>
          <p className="font-display text-[clamp(4.5rem,2rem+12vw,10rem)] leading-[0.85] font-extrabold tracking-tight tabular-nums">
            {count(year.total)}
          </p>
          <ul className="mt-5 flex flex-wrap gap-x-5 gap-y-1">
            {allKinds
              .filter(({ kind }) => year.kinds[kind] > 0)
              .map(({ kind }) => (
                <li key={kind} className="inline-flex items-baseline gap-1.5">
                  <KindDot kind={kind} />{' '}
                  <span className="tabular-nums">{kindWords[kind].finished(year.kinds[kind])}</span>
                </li>
              ))}
          </ul>
        </div>
        {facts.length === 0 ? null : <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">{facts}</ul>}
      </div>
    </Section>
  )
}

function lengthFacts({ minutes, pages }: Year) {
  const hours = Math.round(minutes / 60)
  return [
    hours > 0 ? (
      <Fact key="hours">
        <Figure>{plural(hours, { one: '# hour', other: '# hours' })}</Figure> of movies
      </Fact>
    ) : null,
    pages > 0 ? (
      <Fact key="pages">
        <Figure>{plural(pages, { one: '# page', other: '# pages' })}</Figure> of books
      </Fact>
    ) : null,
  ]
}

function Fact({ children }: { children: ReactNode }) {
  return <li className="border-t border-line pt-3 text-meta text-muted">{children}</li>
}

function Figure({ children }: { children?: ReactNode }) {
  return <strong className="block font-display text-h2 text-ink tabular-nums">{children}</strong>
}

function busiestMonth({ months }: Year): { month: number; count: number } | null {
  const [best] = months
    .map((month) => ({ month: month.month, count: countOfMonth(month) }))
    .sort((a, b) => b.count - a.count || a.month - b.month)
  return best && best.count > 1 ? best : null
}

function Mosaic({ year: { year, titles } }: { year: Year }) {
  if (titles.length < 3) return null
  return (
    <PosterWall
      label={t`Titles of ${year}`}
      titles={titles}
      isSeamless
      className="grid-cols-[repeat(auto-fill,minmax(4rem,1fr))] gap-1 overflow-hidden rounded-card max-sm:[&>li:nth-child(n+21)]:hidden sm:grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] lg:col-span-2"
    />
  )
}

function YearTwin({ userId, year }: { userId: number; year: number }) {
  const isOwn = useSession()?.user.id === userId
  const { data } = trpc.diary.yearTwin.useQuery({ id: userId, year })
  if (!data?.twin) return null
  const { user, commonCount, titles } = data.twin
  const twin = (
    <Link {...toMember(user.id)} className="link block text-label text-ink wrap-anywhere">
      <bdi>{user.username}</bdi>
    </Link>
  )
  return (
    <Section title={isOwn ? t`Your twin` : t`Twin`} className="card lazy-paint [--lazy-height:15rem]">
      <div className="flex items-center gap-4">
        <Avatar name={user.username} src={user.profilePicture} size="lg" />
        <p className="min-w-0 text-meta text-muted">
          {isOwn ? (
            <>
              {twin} finished {plural(commonCount, { one: '# of your titles', other: '# of your titles' })} in{' '}
              {year} too
            </>
          ) : (
            <>
              {twin} finished{' '}
              {plural(commonCount, { one: '# of the same titles', other: '# of the same titles' })} in {year}{' '}
              too
            </>
          )}
        </p>
      </div>
      <PosterWall label="Titles of both" titles={titles} className="mt-5 grid-cols-5 gap-2" />
    </Section>
  )
}

function FirstAndLast({ year: { first, last } }: { year: Year }) {
  if (first === null || last === null) return null
  if (first.date === last.date && first.title.id === last.title.id)
    return (
      <Section title="First and last" className="card lazy-paint">
        <dl>
          <Dated label="The only one with a date" {...first} />
        </dl>
      </Section>
    )
  return (
    <Section title="First and last" className="card lazy-paint">
      <dl className="grid grid-cols-2 gap-4">
        <Dated label="First" {...first} />
        <Dated label="Last" {...last} />
      </dl>
    </Section>
  )
}

function Dated({ label, date, title }: { label: string; date: string; title: DiaryTitle }) {
  const { release } = useDates()
  return (
    <div>
      <dt className="text-meta text-muted">
        {label}
        <VisuallyHidden>, </VisuallyHidden>
        <time dateTime={date} className="block">
          {release(date)}
        </time>
      </dt>
      <dd className="mt-2">
        <TitleCard title={title} sizes="8rem" className="max-w-32" />
      </dd>
    </div>
  )
}

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
    <Section title={title} className="card lazy-paint [--lazy-height:22rem]">
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
            head={[title, t`Titles`]}
            rows={rows.map(({ label, count }) => [label, format(count)])}
          />
        </>
      )}
    </Section>
  )
}
