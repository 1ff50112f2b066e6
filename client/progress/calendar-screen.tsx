import { Link, useNavigate } from '@tanstack/react-router'
import { CalendarDays, CalendarPlus, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { FilterDialog } from '#client/app/filter-dialog.tsx'
import { inPlace } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { StartActions } from '#client/app/start-actions.tsx'
import { trpc } from '#client/app/trpc.ts'
import { FilterSelect, KindChoice } from '#client/titles/facet-selects.tsx'
import { Button, ButtonLink, IconButton } from '#client/ui/button.tsx'
import { useDates, useToday } from '#client/ui/dates.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { RenderedLater } from '#client/ui/hydration.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Segmented } from '#client/ui/segmented.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { kinds } from '#shared/domain/kinds.ts'
import { calendarMax } from '#shared/domain/limits.ts'
import { t } from '#shared/domain/message.ts'
import { Agenda } from './calendar-agenda.tsx'
import { type CalendarEntry, firstMonth, lastMonth, monthOf, plusMonths, spanOf } from './calendar-days.ts'
import { MonthView } from './calendar-month.tsx'
import { type CalendarParams, calendarStatuses, type View } from './calendar-params.ts'

const statusLabels: Record<CalendarEntry['status'], string> = {
  want: t`Want list`,
  started: t`Started`,
  paused: t`Paused`,
  finished: t`Finished`,
}
const viewOptions = [
  { value: 'agenda', label: t`Agenda` },
  { value: 'month', label: t`Month` },
] as const

const { Component: LinkDialog, opens } = lazyComponent(
  async () => (await import('./calendar-link-dialog.tsx')).CalendarLinkDialog,
)

export function CalendarScreen({ params }: { params: CalendarParams }) {
  const today = useToday()
  const { view, month, kind, status } = params
  const query = trpc.progress.calendar.useQuery({ ...spanOf(month, today), kind, status })
  const navigate = useNavigate()
  const change = (next: CalendarParams) =>
    void navigate({ to: '.', search: { ...params, ...next } as never, ...inPlace })
  const choice = { onChange: (next: View) => change({ view: next }), options: viewOptions, label: t`View` }
  return (
    <div className="page py-5 sm:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="text-h1">Calendar</h1>
        <div className="flex max-w-full min-w-0 flex-wrap items-center gap-3">
          {view === undefined ? (
            <>
              <Segmented {...choice} value="agenda" className="sm:hidden" />
              <Segmented {...choice} value="month" className="max-sm:hidden" />
            </>
          ) : (
            <Segmented {...choice} value={view} />
          )}
          <FilterDialog values={{ kind, status }} onChange={change}>
            <KindChoice label="Kind" kind={kind} onChange={(next) => change({ kind: next })} />
            <FilterSelect
              label="Status"
              all="All"
              value={status}
              options={calendarStatuses.map((value) => ({
                value,
                label: kind === undefined ? statusLabels[value] : kinds[kind].words.diary[value],
              }))}
              onChange={(next) => change({ status: next })}
            />
          </FilterDialog>
          <Subscribe />
        </div>
      </div>
      <MonthChoice
        month={month ?? monthOf(today)}
        today={today}
        onChange={(next) => change({ month: next })}
      />
      <RenderedLater>
        {query.data !== undefined ? (
          <Shown entries={query.data.entries} params={params} today={today} />
        ) : query.error ? (
          <LoadError title={t`The calendar did not load`} error={query.error} onRetry={query.refetch} />
        ) : (
          <Skeletons count={5} each="h-20 rounded-card" />
        )}
      </RenderedLater>
    </div>
  )
}

function Subscribe() {
  const [isOpen, setOpen] = useState(false)
  // Without the address that the last one showed.
  const [key, setKey] = useState(0)
  const open = () => {
    setKey((last) => last + 1)
    setOpen(true)
  }
  return (
    <>
      <Button
        icon={<CalendarPlus aria-hidden />}
        className="max-sm:w-11 max-sm:gap-0 max-sm:px-0"
        aria-haspopup="dialog"
        {...opens(open)}
      >
        <span className="max-sm:sr-only">Subscribe</span>
      </Button>
      {key === 0 ? null : <LinkDialog key={key} open={isOpen} onOpenChange={setOpen} />}
    </>
  )
}

function MonthChoice({
  month,
  today,
  onChange,
}: {
  month: string
  today: string
  onChange: (month: string | undefined) => void
}) {
  const { release, lang } = useDates()
  // Without a month in the address, the current one stays current.
  const go = (count: number) => {
    const next = plusMonths(month, count)
    onChange(next === monthOf(today) ? undefined : next)
  }
  return (
    <div className="mt-5 mb-4 flex flex-wrap items-center gap-1 sm:mt-8">
      <h2 aria-live="polite" className="me-auto min-w-0 text-h3 sm:text-h2">
        <time dateTime={month} lang={lang} suppressHydrationWarning>
          {release(month)}
        </time>
      </h2>
      <Button variant="outline" size="sm" className="me-1" onClick={() => onChange(undefined)}>
        Today
      </Button>
      <IconButton label={t`Previous month`} aria-disabled={month <= firstMonth} onClick={() => go(-1)}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton label={t`Next month`} aria-disabled={month >= lastMonth} onClick={() => go(1)}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  )
}

function Shown({
  entries,
  params,
  today,
}: {
  entries: readonly CalendarEntry[]
  params: CalendarParams
  today: string
}) {
  const { view, month } = params
  if (entries.length === 0) return <Nothing params={params} />
  const agenda = <Agenda key={month} entries={entries} today={today} isCurrent={month === undefined} />
  const shownMonth = month ?? monthOf(today)
  const grid = <MonthView key={month} entries={entries} month={shownMonth} today={today} />
  return (
    <>
      {entries.length < calendarMax ? null : (
        <p className="mb-4 text-meta text-muted">
          There is more than the calendar can show. Filters make it less.
        </p>
      )}
      {view === 'agenda' ? agenda : view === 'month' ? grid : null}
      {view === undefined ? (
        <>
          <div className="sm:hidden">{agenda}</div>
          <div className="max-sm:hidden">{grid}</div>
        </>
      ) : null}
    </>
  )
}

function Nothing({ params: { view, month, kind, status } }: { params: CalendarParams }) {
  const isFiltered = kind !== undefined || status !== undefined
  const reset = (search: CalendarParams, label: string) => (
    <ButtonLink render={<Link to="." search={search as never} {...inPlace} />}>{label}</ButtonLink>
  )
  if (isFiltered)
    return (
      <EmptyState
        icon={<CalendarDays aria-hidden />}
        title={t`Nothing matches these filters.`}
        action={reset({ view, month }, t`Clear the filters`)}
      />
    )
  return (
    <EmptyState
      icon={<CalendarDays aria-hidden />}
      title={month === undefined ? t`Nothing is coming up` : t`Nothing in this month`}
      action={month === undefined ? <StartActions /> : reset({ view }, t`Back to today`)}
      className="sm:py-20"
    >
      Episodes of the shows in your diary appear here on the day they air, and the titles of your want list on
      the day of their release.
    </EmptyState>
  )
}
