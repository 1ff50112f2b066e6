import { Link, useNavigate } from '@tanstack/react-router'
import { BookmarkCheck, NotebookPen, Plus } from 'lucide-react'
import { FilterSelect, FilterToggle, KindChoice } from '#client/titles/facet-selects.tsx'
import { FilterDialog } from '#client/app/filter-dialog.tsx'
import { inPlace } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { ShowMore } from '#client/app/show-more.tsx'
import { useSite } from '#client/app/site.ts'
import { StartActions } from '#client/app/start-actions.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { RenderedLater } from '#client/ui/hydration.ts'
import { PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { SectionLink } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { trpc } from '#client/app/trpc.ts'
import { type DiaryStatus, diaryStatuses, kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { Months } from './diary-months.tsx'
import { today } from './entries.ts'
import { useEntries } from './hooks.ts'
import { HeatStrip } from './heat-strip.tsx'
import { type DiaryParams, lengths } from './params.ts'
import { PickButton, WantList } from './want-list.tsx'
import { PrivateDiary } from './private-diary.tsx'
import { t } from '#shared/domain/message.ts'

const statusLabels: Record<Exclude<DiaryStatus, 'want'>, string> = {
  started: t`Started`,
  paused: t`Paused`,
  finished: t`Finished`,
  dropped: t`Stopped`,
}
const sortOptions = [
  { value: 'newest', label: t`Last added` },
  { value: 'release', label: t`Release` },
  { value: 'average', label: t`Average rating` },
] as const

type Entries = ReturnType<typeof useEntries>

/** Expects that the loader has checked the permission. */
export function DiaryScreen({
  userId,
  name,
  params,
  onAdd,
}: {
  userId: number
  name?: string
  params: DiaryParams
  onAdd?: (() => void) | undefined
}) {
  const isOwn = useSession()?.user.id === userId
  const entries = useEntries(userId, params)
  const navigate = useNavigate()
  const { list, kind, status, year, sort, length, services } = params
  const { hasOffers } = useSite()
  const thisYear = Number(today().slice(0, 4))
  const isFiltered = hasFilter(params)
  const isBlank = !isFiltered && entries.data?.pages[0]?.entries.length === 0
  const change = (next: DiaryParams) =>
    void navigate({
      to: '.',
      search: { ...params, ...next } as never,
      ...inPlace,
    })
  const kindChoice = <KindChoice label="Kind" kind={kind} onChange={(next) => change({ kind: next })} />
  const filter =
    list === 'want' ? (
      <div className="flex flex-wrap items-center gap-4">
        <FilterSelect
          label="Free time"
          all="Any length"
          value={length}
          options={lengths}
          onChange={(next) => change({ length: next })}
        />
        {isOwn && hasOffers ? (
          <FilterToggle
            pressed={services === 'mine'}
            onChange={(pressed) => change({ services: pressed ? 'mine' : undefined })}
          >
            {t`On my services`}
          </FilterToggle>
        ) : null}
      </div>
    ) : (
      <FilterSelect
        label="Status"
        all="All"
        value={status}
        options={diaryStatuses
          .filter((value) => value !== 'want')
          .map((value) => ({
            value,
            label: kind === undefined ? statusLabels[value] : kinds[kind].words.diary[value],
          }))}
        onChange={(next) => change({ status: next })}
      />
    )
  return (
    <div className="page py-5 sm:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h1 className="text-h1">{isOwn ? t`Diary` : t`Diary of ${name ?? ''}`}</h1>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <SectionLink
            render={
              <Link
                to="/user/$userId/year/$year"
                params={{ userId: String(userId), year: String(year ?? thisYear) }}
              />
            }
          >
            {isOwn ? t`My ${year ?? thisYear}` : (year ?? thisYear)}
          </SectionLink>
          {onAdd === undefined ? null : (
            <Button
              variant="primary"
              className="max-sm:hidden"
              icon={<Plus aria-hidden />}
              aria-haspopup="dialog"
              onClick={onAdd}
            >
              Log
            </Button>
          )}
        </div>
      </div>
      <Tabs
        label="Diary"
        className="mt-3 sm:mt-6"
        value={list ?? 'log'}
        onChange={(next) =>
          change({
            list: next === 'want' ? 'want' : undefined,
            status: undefined,
            year: undefined,
            sort: undefined,
            length: undefined,
            services: undefined,
          })
        }
        items={[
          { value: 'log', label: t`By month` },
          { value: 'want', label: t`Want list` },
        ]}
      >
        <div hidden={isBlank} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <div className="max-sm:hidden">{kindChoice}</div>
          <div className="flex flex-wrap items-center gap-4">
            <div className="sm:hidden">
              <FilterDialog
                values={list === 'want' ? { kind, length, services } : { kind, status }}
                onChange={change}
              >
                {kindChoice}
                {filter}
              </FilterDialog>
            </div>
            <div className="max-sm:hidden">{filter}</div>
            {list === 'want' ? (
              <>
                <Select
                  label="Sort by"
                  hideLabel
                  value={sort ?? 'newest'}
                  options={sortOptions}
                  onChange={(value) => change({ sort: value === 'newest' ? undefined : value })}
                />
                {isOwn ? <PickButton params={params} /> : null}
              </>
            ) : null}
          </div>
        </div>
        <div className={isBlank ? undefined : 'mt-5 sm:mt-8'}>
          <RenderedLater>
            <Shown entries={entries} isOwn={isOwn} params={params} />
          </RenderedLater>
        </div>
        {list === 'want' || isBlank ? null : (
          <HeatStrip
            userId={userId}
            year={year ?? thisYear}
            isFiltered={year !== undefined}
            onYear={(next) => change({ year: next })}
          />
        )}
      </Tabs>
    </div>
  )
}

function Shown({ entries, isOwn, params }: { entries: Entries; isOwn: boolean; params: DiaryParams }) {
  const isWanted = params.list === 'want'
  if (entries.isPending) return isWanted ? <PosterGridSkeleton count={7} /> : <RowsSkeleton />
  if (entries.data === undefined)
    return <LoadError title="The diary did not load" error={entries.error} onRetry={entries.refetch} />
  const shown = entries.data.pages.flatMap((page) => page.entries)
  if (shown.length === 0) return <Nothing isOwn={isOwn} params={params} />
  return (
    <>
      {isWanted ? <WantList entries={shown} isOwn={isOwn} /> : <Months entries={shown} isOwn={isOwn} />}
      <ShowMore query={entries} busyLabel={messages.loading} className="mt-8 justify-items-center" />
    </>
  )
}

function hasFilter({ kind, status, year, length, services }: DiaryParams): boolean {
  return [kind, status, year, length, services].some((filter) => filter !== undefined)
}

function Nothing({ isOwn, params }: { isOwn: boolean; params: DiaryParams }) {
  const { list } = params
  const isWanted = list === 'want'
  const isFiltered = hasFilter(params)
  const title = isFiltered
    ? t`Nothing matches these filters.`
    : isWanted
      ? t`Nothing on the list yet.`
      : t`Nothing in the diary yet.`
  const find = <StartActions />
  const reset = (
    <ButtonLink render={<Link to="." search={(isWanted ? { list } : {}) as never} resetScroll={false} />}>
      Clear the filters
    </ButtonLink>
  )
  return (
    <EmptyState
      icon={isWanted ? <BookmarkCheck aria-hidden /> : <NotebookPen aria-hidden />}
      title={title}
      action={isFiltered ? reset : isOwn ? find : undefined}
    >
      {isOwn && params.services ? (
        <>
          Only titles count whose offers are known. You choose your country and your services in{' '}
          <Link to="/settings" className="link">
            Settings
          </Link>
          .
        </>
      ) : !isOwn || isFiltered ? undefined : isWanted ? (
        t`Press “Want to watch” on a title’s page to add it to this list.`
      ) : (
        t`Add what you watch, read or play on a title’s page. It then appears here.`
      )}
    </EmptyState>
  )
}

function RowsSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="grid animate-appear gap-3">
      <Skeleton className="h-8 w-40 rounded-full" />
      {Array.from({ length: 6 }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they are all alike
        <Skeleton key={index} className="h-19 rounded-card" />
      ))}
    </div>
  )
}

function DiaryPending() {
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">Diary</h1>
      <div className="mt-10">
        <RowsSkeleton />
      </div>
    </div>
  )
}

export function DiaryOfMember(props: { userId: number; name: string; params: DiaryParams }) {
  const visible = trpc.diary.isVisible.useQuery({ id: props.userId })
  if (visible.data?.isVisible) return <DiaryScreen {...props} />
  if (visible.isPending) return <DiaryPending />
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="mb-8 text-h1">{t`Diary of ${props.name}`}</h1>
      {visible.data ? (
        <PrivateDiary />
      ) : (
        <LoadError title="The diary did not load" error={visible.error} onRetry={visible.refetch} />
      )}
    </div>
  )
}
