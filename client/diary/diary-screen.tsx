import { Link, useNavigate } from '@tanstack/react-router'
import { BookmarkCheck, NotebookPen, Pencil, Repeat2, StickyNote } from 'lucide-react'
import { useState } from 'react'
import { LoadError } from '#client/load-error.tsx'
import { titlePath } from '#client/kinds.ts'
import { useSession } from '#client/session.ts'
import { Button, ButtonLink, IconButton } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { KindDot } from '#client/ui/kind.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Poster, PosterCard } from '#client/ui/poster-card.tsx'
import { PosterGrid, PosterGridSkeleton } from '#client/ui/poster-grid.tsx'
import { SectionLink } from '#client/ui/section.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { imageSrcSet } from '#shared/images.ts'
import { allKinds, type DiaryStatus, diaryStatuses, type Kind, kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { byMonth, dayOf, statusWord, today } from './entries.ts'
import { type Entry, type ShownEntry, type Title, useEntries } from './hooks.ts'
import { HeatStrip } from './heat-strip.tsx'
import type { DiaryParams } from './params.ts'

const { Component: EntryDialog, load } = lazyComponent(
  async () => (await import('./entry-dialog.tsx')).EntryDialog,
)

const all = 'all'
const kindOptions = [
  { value: all, label: 'All' },
  ...allKinds.map(({ kind, words }) => ({ value: kind as string, label: words.many })),
]
/** The names of the statuses for entries of all kinds. */
const statusLabels: Record<Exclude<DiaryStatus, 'want'>, string> = {
  started: 'Started',
  paused: 'Paused',
  finished: 'Finished',
  dropped: 'Stopped',
}
const sortOptions = [
  { value: 'newest', label: 'Last added' },
  { value: 'release', label: 'Release' },
  { value: 'average', label: 'Average rating' },
] as const

type Entries = ReturnType<typeof useEntries>

/**
 * A member’s diary by month, or the want list if `params.list` is `want`. Expects that the loader has checked the permission.
 */
export function DiaryScreen({
  userId,
  name,
  params,
}: {
  userId: number
  name?: string
  params: DiaryParams
}) {
  const isOwn = useSession()?.user.id === userId
  const entries = useEntries(userId, params)
  const navigate = useNavigate()
  const { list, kind, status, year, sort } = params
  const thisYear = Number(today().slice(0, 4))
  const change = (next: DiaryParams) =>
    void navigate({
      to: '.',
      search: { ...params, ...next } as never,
      replace: true,
      resetScroll: false,
      viewTransition: false,
    })
  return (
    <div className="page py-8 sm:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h1 className="text-h1">{isOwn ? 'Diary' : `Diary of ${name}`}</h1>
        <SectionLink
          render={
            <Link
              to="/user/$userId/year/$year"
              params={{ userId: String(userId), year: String(year ?? thisYear) }}
            />
          }
        >
          {`${year ?? thisYear} in numbers`}
        </SectionLink>
      </div>
      <Tabs
        label="Diary"
        className="mt-6"
        value={list ?? 'log'}
        onChange={(next) =>
          change({
            list: next === 'want' ? 'want' : undefined,
            status: undefined,
            year: undefined,
            sort: undefined,
          })
        }
        items={[
          { value: 'log', label: 'By month' },
          { value: 'want', label: 'Want list' },
        ]}
      >
        <div className="flex flex-wrap items-center justify-between gap-4">
          {/* On phones a line of its own, also while it loads. */}
          <div className="max-sm:w-full">
            <Segmented
              label="Kind"
              value={kind ?? all}
              options={kindOptions}
              onChange={(value) => change({ kind: value === all ? undefined : (value as Kind) })}
            />
          </div>
          {list === 'want' ? (
            <Select
              label="Sort by"
              value={sort ?? 'newest'}
              options={sortOptions}
              onChange={(value) => change({ sort: value === 'newest' ? undefined : value })}
            />
          ) : (
            <Select
              label="Status"
              value={status ?? all}
              options={[
                { value: all, label: 'All' },
                ...diaryStatuses
                  .filter((value) => value !== 'want')
                  .map((value) => ({
                    value: value as string,
                    label: kind === undefined ? statusLabels[value] : kinds[kind].words.diary[value],
                  })),
              ]}
              onChange={(value) => change({ status: value === all ? undefined : (value as DiaryStatus) })}
            />
          )}
        </div>
        {list === 'want' ? null : (
          <HeatStrip
            userId={userId}
            year={year ?? thisYear}
            isFiltered={year !== undefined}
            onYear={(next) => change({ year: next })}
          />
        )}
        <div className="mt-8">
          <Shown entries={entries} isOwn={isOwn} params={params} />
        </div>
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
      {isWanted ? <WantList entries={shown} /> : <Months entries={shown} isOwn={isOwn} />}
      {entries.hasNextPage ? (
        <div className="mt-8 grid justify-items-center">
          {entries.isFetchNextPageError ? (
            <p className="mb-3 text-meta text-danger">The rest did not load.</p>
          ) : null}
          <Button
            busy={entries.isFetchingNextPage}
            busyLabel={messages.loading}
            onClick={() => void entries.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Nothing({ isOwn, params: { list, kind, status, year } }: { isOwn: boolean; params: DiaryParams }) {
  const isWanted = list === 'want'
  const isFiltered = [kind, status, year].some((filter) => filter !== undefined)
  const title = isFiltered
    ? 'Nothing matches these filters.'
    : isWanted
      ? 'Nothing on the list yet.'
      : 'Nothing in the diary yet.'
  const find = (
    <>
      <ButtonLink variant="primary" render={<Link to="/search" />}>
        Find something
      </ButtonLink>
      <ButtonLink render={<Link to="/imports" />}>Import your history</ButtonLink>
    </>
  )
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
      {!isOwn || isFiltered
        ? undefined
        : isWanted
          ? 'Press “Want to watch” on a title’s page to add it to this list.'
          : 'Add what you watch, read or play on a title’s page. It then appears here.'}
    </EmptyState>
  )
}

function WantList({ entries }: { entries: readonly ShownEntry[] }) {
  return (
    <PosterGrid label="Want list">
      {entries.map(({ id, title }, index) => (
        <PosterCard
          key={id}
          kind={title.kind}
          title={title.name}
          kindLabel={kinds[title.kind].words.one}
          meta={title.releaseYear ?? undefined}
          image={imageOf(title, '(min-width: 640px) 11rem, 45vw')}
          eager={index < 7}
          render={<Link to={titlePath(kinds[title.kind], title.id)} />}
        />
      ))}
    </PosterGrid>
  )
}

function imageOf({ imageUrl }: Title, sizes: string) {
  return { src: imageUrl, srcSet: imageSrcSet(imageUrl), sizes }
}

function Months({ entries, isOwn }: { entries: readonly (Entry | ShownEntry)[]; isOwn: boolean }) {
  const { release } = useDates()
  const [edited, setEdited] = useState<Entry>()
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState(0)
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {byMonth(entries).map(({ month, entries }) => (
          <section key={month} aria-labelledby={`month-${month}`}>
            <h2
              id={`month-${month}`}
              className="sticky top-16 z-10 -mx-2 bg-bg/92 px-2 py-2 text-h3 backdrop-blur-md"
            >
              {month === '' ? 'Without a date' : release(month)}
            </h2>
            <ul>
              {entries.map((entry) => (
                <Row
                  key={entry.id}
                  entry={entry}
                  onEdit={
                    isOwn
                      ? () => {
                          load()
                          setEdited(entry as Entry)
                          setOpened(opened + 1)
                          setOpen(true)
                        }
                      : undefined
                  }
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {edited === undefined ? null : (
        <EntryDialog
          key={opened}
          title={edited.title}
          name={edited.title.name}
          entry={edited}
          entries={[]}
          open={isOpen}
          onOpenChange={setOpen}
        />
      )}
    </>
  )
}

function Row({ entry, onEdit }: { entry: Entry | ShownEntry; onEdit: (() => void) | undefined }) {
  const { title } = entry
  const facts = kinds[title.kind]
  const day = dayOf(entry)
  const { fullDate } = useDates()
  return (
    <li
      data-kind={title.kind}
      className="flex min-h-20 flex-wrap items-center gap-3 border-b border-line py-2.5 last:border-none sm:gap-5"
    >
      <span className="w-9 shrink-0 text-center font-display text-h2 text-muted tabular-nums sm:w-12">
        {day.length === 10 ? (
          <time dateTime={day} title={fullDate(day)}>
            {Number(day.slice(8))}
          </time>
        ) : (
          <span aria-hidden>–</span>
        )}
      </span>
      <Poster
        title={title.name}
        kind={title.kind}
        image={imageOf(title, '3rem')}
        noImageText=""
        className="w-12! shrink-0 rounded-item!"
      />
      <div className="min-w-0 grow basis-32">
        <p className="line-clamp-2 text-label wrap-break-word">
          <Link to={titlePath(facts, title.id)} className="hover:underline">
            {title.name}
          </Link>
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-meta text-muted">
          <span className="inline-flex items-baseline gap-1.5">
            <KindDot kind={title.kind} />
            {[facts.words.one, title.releaseYear].filter(Boolean).join(' · ')}
          </span>
          <span className="inline-flex items-center gap-1 text-ink">
            {entry.status === 'finished' && entry.isAgain ? <Repeat2 aria-hidden className="size-4" /> : null}
            {statusWord(facts, entry)}
          </span>
          {entry.rating === null ? null : <Stars value={entry.rating} className="text-meta" />}
          {'text' in entry && entry.text !== '' ? (
            <span title={entry.text}>
              <StickyNote aria-hidden className="size-4" />
              <VisuallyHidden>With a private note</VisuallyHidden>
            </span>
          ) : null}
        </p>
      </div>
      {onEdit === undefined ? null : (
        <IconButton
          label={`Edit the entry of ${title.name}`}
          onPointerEnter={load}
          onFocus={load}
          onClick={onEdit}
        >
          <Pencil aria-hidden />
        </IconButton>
      )}
    </li>
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

export function DiaryPending() {
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">Diary</h1>
      <div className="mt-10">
        <RowsSkeleton />
      </div>
    </div>
  )
}
