import { Link, useNavigate } from '@tanstack/react-router'
import { FileX2 } from 'lucide-react'
import type { ComponentType } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { isNotFound } from '#client/app/trpc.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useDates } from '#client/ui/dates.ts'
import { useFormats } from '#client/ui/formats.ts'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { Time } from '#client/ui/time.tsx'
import { type ImportOrigin, originName } from '#shared/domain/import-formats.ts'
import type { ImportDetail } from '#shared/contracts/imports.ts'
import { messages } from '#shared/texts/messages.ts'
import { Decide } from './decide.tsx'
import { Done } from './done.tsx'
import { failed, isWorking, useAction, useImport, useUpdateImport } from './hooks.ts'
import { firstTab, type ImportParams, type ImportTab, toImport } from './params.ts'
import type { PanelProps } from './panel.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { Rehearsal } from './rehearsal.tsx'
import { TitlesTab } from './titles-tab.tsx'
import { pauseText, sourceName } from './labels.ts'
import { t } from '#shared/domain/message.ts'

export function ImportScreen({ id, params }: { id: number | null; params: ImportParams }) {
  return id === null ? <ImportNotFound /> : <Loaded id={id} params={params} />
}

function Loaded({ id, params }: { id: number; params: ImportParams }) {
  const query = useImport(id)
  if (query.data) return <Shown one={query.data.import} params={params} />
  if (query.isPending) return <ImportPending />
  if (isNotFound(query.error)) return <ImportNotFound />
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="mb-8 text-h1">Import</h1>
      <LoadError title="The import did not load" error={query.error} onRetry={query.refetch} />
    </div>
  )
}

function Shown({ one, params }: { one: ImportDetail; params: ImportParams }) {
  const navigate = useNavigate()
  const { id, service, fileName, createdAt, counts, state } = one
  const tab = params.tab ?? firstTab(state)
  const change = (search: ImportParams) =>
    void navigate({ ...toImport(id, search), replace: true, viewTransition: false })
  const Panel = panels[tab]
  return (
    <div className="page py-8 sm:py-12">
      <BackLink render={<Link to="/imports" />}>Your imports</BackLink>
      <h1 className="mt-3 text-h1">{headings[service] ?? t`Import from ${originName(service)}`}</h1>
      <p className="mt-3 text-muted wrap-anywhere">
        {fileName === '' ? (
          t`Ratings that imports had rounded have their halves again`
        ) : (
          <bdi>{fileName}</bdi>
        )}{' '}
        · <Time value={createdAt} />
      </p>
      <Work one={one} />
      {service === 'originals' ? (
        <div className="mt-8">
          <Done one={one} params={params} onParams={change} />
        </div>
      ) : (
        <Tabs
          label="Import"
          className="mt-8"
          value={tab}
          onChange={(next: ImportTab) => change({ tab: next })}
          items={[
            { value: 'rehearsal', label: t`Rehearsal` },
            { value: 'decide', label: t`Decide`, count: counts['ambiguous'] },
            { value: 'titles', label: t`All titles` },
            { value: 'done', label: t`Done` },
          ]}
        >
          <Panel one={one} params={params} onParams={change} />
        </Tabs>
      )}
    </div>
  )
}

const headings: Partial<Record<ImportOrigin, string>> = {
  csv: t`Import of a CSV file`,
  originals: t`Original ratings`,
}

const panels: Record<ImportTab, ComponentType<PanelProps>> = {
  rehearsal: Rehearsal,
  decide: Decide,
  titles: TitlesTab,
  done: Done,
}

function Work({ one }: { one: ImportDetail }) {
  const { id, state } = one
  const stop = useAction('stop')
  const resume = useAction('resume')
  const update = useUpdateImport()
  if (state === 'stopped')
    return (
      <Callout
        className="mt-6"
        title="This import is stopped."
        action={
          <Button
            variant="outline"
            busy={resume.isPending}
            onClick={() => resume.mutate({ id }, failed(t`The import was not resumed`))}
          >
            Resume
          </Button>
        }
      >
        Nothing is lost. It continues where it was stopped.
      </Callout>
    )
  if (!isWorking(state)) return null
  const canStop = state === 'matching' || state === 'waiting' || state === 'applying'
  return (
    <section aria-label="Progress" className="card mt-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <WorkText one={one} />
        <div className="flex flex-wrap gap-2">
          {state === 'waiting' && !one.options.skipSources ? (
            <Button
              busy={update.isPending}
              onClick={() => update.mutate({ id, skipSources: true }, failed(t`The import is still waiting`))}
            >
              {one.waitingFor === null ? t`Go on without it` : t`Go on without ${sourceName(one.waitingFor)}`}
            </Button>
          ) : null}
          {canStop ? (
            <Button
              variant="outline"
              busy={stop.isPending}
              onClick={() => stop.mutate({ id }, failed(t`The import was not stopped`))}
            >
              Stop
            </Button>
          ) : null}
        </div>
      </div>
      <div className="mt-4">
        <ProgressBar label="Progress" value={one.total === 0 ? undefined : one.done} max={one.total} />
      </div>
    </section>
  )
}

const verbs: Partial<Record<ImportDetail['state'], string>> = {
  reading: t`Reading the file`,
  matching: t`Looking up titles`,
  applying: t`Importing`,
  undoing: t`Undoing`,
}

function WorkText({ one: { state, total, done, waitingFor, nextAt } }: { one: ImportDetail }) {
  const { count } = useFormats()
  const { clock } = useDates()
  if (state === 'waiting' || waitingFor !== null)
    return (
      <p role="status" className="min-w-0 text-label">
        {pauseText(waitingFor)}
        {nextAt === null ? null : <> {t`Continues at ${clock(nextAt)}.`}</>}
        <span className="block font-normal text-muted">You can close this page.</span>
      </p>
    )
  return (
    <div className="min-w-0">
      {/* The numbers change every two seconds: only the kind of work is announced. */}
      <p className="text-label tabular-nums">
        <span role="status">{verbs[state]}</span>
        {total > 0 ? <>: {t`${count(done)} of ${count(total)}`}.</> : '…'}
      </p>
      <p className="text-muted">You can close this page.</p>
    </div>
  )
}

function ImportNotFound() {
  return (
    <div className="page py-12">
      <EmptyState
        isPage
        icon={<FileX2 aria-hidden />}
        title={messages.importNotFound}
        action={<ButtonLink render={<Link to="/imports" />}>Your imports</ButtonLink>}
      >
        It may have been deleted. What it added stays.
      </EmptyState>
    </div>
  )
}

export function ImportPending() {
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">Import</h1>
      <div role="status" aria-label={messages.loading} className="mt-10 grid animate-appear gap-4">
        <Skeleton className="h-12 rounded-full" />
        <Skeleton className="h-28 rounded-card" />
        <Skeleton className="h-64 rounded-card" />
      </div>
    </div>
  )
}
