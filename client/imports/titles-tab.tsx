import { Link } from '@tanstack/react-router'
import { Download, FileSearch } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { download } from '#client/app/download.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { titlePath } from '#client/app/kinds.ts'
import type { RouterOutputs } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { commaList, givenText, useFormats } from '#client/ui/formats.ts'
import { KindDot } from '#client/ui/kind.tsx'
import { Pager, PageStatus, usePagedHeading } from '#client/ui/pager.tsx'
import { SearchField } from '#client/app/search-field.tsx'
import { Section } from '#client/ui/section.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { type ImportDetail } from '#shared/contracts/imports.ts'
import { kinds } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import {
  failed,
  type ImportLine,
  type ImportTitle,
  useAfterDecisions,
  useDecide,
  useLines,
  useTitles,
} from './hooks.ts'
import type { PanelProps } from './panel.tsx'
import type { ImportParams } from './params.ts'
import { decisionText, titleStateNames } from './labels.ts'
import { type ImportLineState, importLineStates, importTitleStates } from '#shared/domain/import-states.ts'
import { t } from '#shared/domain/message.ts'

const all = 'all'
const linesPrefix = 'lines:'
const lineStateNames: Record<ImportLineState, string> = {
  unreadable: t`Unreadable lines`,
  notKept: t`Left in the file`,
  repeated: t`Repeated lines`,
}

export function TitlesTab({ one, params, onParams }: PanelProps) {
  const { count } = useFormats()
  const { counts, notKept } = one
  const change = (next: ImportParams) => onParams({ ...params, tab: 'titles', page: undefined, ...next })
  const numberOf = (key: ImportLineState) =>
    key === 'notKept' ? notKept.reduce((sum, each) => sum + each.count, 0) : (counts[key] ?? 0)
  const named = (label: string, number: number) => `${label} (${count(number)})`
  const options = [
    { value: all, label: t`All titles` },
    ...importTitleStates
      .filter((state) => (counts[state] ?? 0) > 0 || state === params.state)
      .map((state) => ({
        value: state as string,
        label: named(titleStateNames[state]!, counts[state] ?? 0),
      })),
    ...(one.withoutRating > 0 || params.unrated
      ? [{ value: 'unrated', label: named(t`Reviews without a rating`, one.withoutRating) }]
      : []),
    ...(one.unknownEpisodes > 0 || params.episodes
      ? [{ value: 'episodes', label: named(t`Episodes not known here`, one.unknownEpisodes) }]
      : []),
    ...importLineStates
      .filter((state) => numberOf(state) > 0 || state === params.lines)
      .map((state) => ({ value: linesPrefix + state, label: named(lineStateNames[state], numberOf(state)) })),
  ]
  const shown = params.lines
    ? linesPrefix + params.lines
    : params.unrated
      ? 'unrated'
      : params.episodes
        ? 'episodes'
        : (params.state ?? all)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Select
          label="Show"
          value={shown}
          options={options}
          onChange={(value) =>
            change({
              lines: importLineStates.find((state) => linesPrefix + state === value),
              unrated: value === 'unrated' ? 'yes' : undefined,
              episodes: value === 'episodes' ? 'unknown' : undefined,
              state: importTitleStates.find((state) => state === value),
            })
          }
        />
        {params.lines ? null : (
          <SearchField
            label="Search names and authors"
            placeholder="Search names and authors"
            q={params.q}
            onChange={(q) => change({ q })}
          />
        )}
        <DownloadReport id={one.id} />
      </div>
      <div className="mt-6">
        {params.lines ? (
          <Lines one={one} params={params} state={params.lines} onParams={onParams} />
        ) : (
          <Titles one={one} params={params} onParams={onParams} />
        )}
      </div>
    </>
  )
}

function DownloadReport({ id }: { id: number }) {
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      await download(`/imports/${id}/report`, 'text/csv')
    } catch (error) {
      toasts.add({
        tone: 'error',
        title: t`The report was not downloaded`,
        description: (error as Error).message,
      })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      icon={<Download aria-hidden />}
      busy={isBusy}
      title="A CSV file with the outcome of each line"
      onClick={() => void save()}
    >
      Download report
    </Button>
  )
}

function RowsSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="grid animate-appear gap-3">
      {Array.from({ length: 6 }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they are all alike
        <Skeleton key={index} className="h-16 rounded-card" />
      ))}
    </div>
  )
}

function Titles({ one, params, onParams }: PanelProps) {
  const titles = useTitles(one.id, params)
  const rows = titles.data?.titles.map((title) => <TitleRow key={title.id} one={one} title={title} />)
  return (
    <Paged
      failure="The titles did not load"
      heading="Titles"
      query={titles}
      rows={rows}
      params={params}
      onParams={onParams}
    />
  )
}

function Lines({ one, params, state, onParams }: PanelProps & { state: ImportLineState }) {
  const lines = useLines(one.id, params)
  const rows = lines.data?.lines.map((line) => <LineRow key={line.id} line={line} />)
  const heading = lineStateNames[state]
  return (
    <Paged
      failure="The lines did not load"
      heading={heading}
      query={lines}
      rows={rows}
      params={params}
      onParams={onParams}
    />
  )
}

type PagedProps = Omit<PanelProps, 'one'> & {
  failure: string
  heading: string
  query: Pick<ReturnType<typeof useLines>, 'isPending' | 'isPlaceholderData' | 'error'> & {
    data: Pick<RouterOutputs['imports']['lines'], 'pagination'> | undefined
    refetch: () => unknown
  }
  rows: ReactNode[] | undefined
}

function Paged({ failure, heading, query, rows, params, onParams }: PagedProps) {
  const { count } = useFormats()
  const { page = 1 } = params
  const ref = usePagedHeading(page)
  if (query.isPending) return <RowsSkeleton />
  if (query.data === undefined)
    return <LoadError title={failure} error={query.error} onRetry={query.refetch} />
  const { pagination } = query.data
  return (
    <Section title={heading} count={count(pagination.total)} headingRef={ref}>
      <PageStatus pagination={pagination} isLoading={query.isPlaceholderData} />
      {rows?.length === 0 ? (
        <EmptyState icon={<FileSearch aria-hidden />} title="Nothing matches these filters." />
      ) : (
        <ul className="stale" aria-busy={query.isPlaceholderData}>
          {rows}
        </ul>
      )}
      <Pager
        page={page}
        pageCount={pagination.totalPages}
        onPage={(next) => onParams({ ...params, page: next })}
        className="mt-6"
      />
    </Section>
  )
}

function TitleRow({ one, title }: { one: ImportDetail; title: ImportTitle }) {
  const { kind, name, year, authors, state, reason, notes, lines, theirs, decision } = title
  const target = title.title
  const isOther = target !== null && (target.name !== name || target.releaseYear !== year)
  return (
    <li className="grid gap-x-6 gap-y-1 border-b border-line py-3 last:border-none sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="text-label wrap-anywhere">
          {target === null ? (
            name
          ) : (
            <Link to={titlePath(kinds[target.kind], target.id)} className="hover:underline">
              {name}
            </Link>
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap items-baseline gap-x-1.5 text-meta text-muted">
          <KindDot kind={kind} />
          {[kinds[kind].words.one, year, authors[0]].filter(Boolean).join(' · ')}
          {theirs.ratingGiven === null ? null : (
            <span className="text-ink">{givenText(theirs.ratingGiven)}</span>
          )}
        </p>
        {isOther ? (
          <p className="text-meta text-muted wrap-anywhere">
            {t`Here: ${commaList([target.name, target.releaseYear])}`}
            {reason === null ? null : ` (${reason})`}
          </p>
        ) : null}
        {notes.map((note) => (
          <p key={note} dir="auto" className="text-meta text-muted wrap-anywhere">
            {note}
          </p>
        ))}
      </div>
      <div className="text-meta sm:max-w-64 sm:text-end">
        <p className="font-semibold">{titleStateNames[state]}</p>
        {decision === null ? null : <Decision one={one} title={title} />}
        <p className="text-muted wrap-anywhere">
          {lines.slice(0, 3).map(({ file, line }) => (
            <span key={`${file} ${line}`} className="block">
              {file === '' ? t`line ${line}` : t`${file}, line ${line}`}
            </span>
          ))}
        </p>
      </div>
    </li>
  )
}

function Decision({ one, title }: { one: ImportDetail; title: ImportTitle }) {
  const decide = useDecide()
  const after = useAfterDecisions(one.id)
  return (
    <p className="text-muted">
      {decisionText(title.decision)}
      {one.state === 'ready' ? (
        <>
          {' · '}
          <button
            type="button"
            className="link min-h-6"
            aria-disabled={decide.isPending}
            onClick={() => {
              if (decide.isPending) return
              decide.mutate(
                { id: one.id, titleId: title.id, decision: null },
                {
                  onSuccess: () => {
                    void changed('import', one.id)
                    after(one.state)
                  },
                  ...failed(t`Your decision was not changed`),
                },
              )
            }}
          >
            Take it back
          </button>
        </>
      ) : null}
    </p>
  )
}

function LineRow({ line: { file, line, name, note } }: { line: ImportLine }) {
  return (
    <li className="flex flex-wrap gap-x-6 gap-y-0.5 border-b border-line py-3 text-meta last:border-none">
      <p className="shrink-0 basis-56 text-muted tabular-nums wrap-anywhere">
        {file === '' ? t`Line ${line}` : t`${file}, line ${line}`}
      </p>
      <p dir="auto" className="min-w-0 grow basis-64 wrap-anywhere">
        {[name, note].filter(Boolean).join(': ')}
      </p>
    </li>
  )
}
