import { Link, useNavigate } from '@tanstack/react-router'
import { FileInput, FileUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { ButtonLink, IconButton } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Section, SectionLink } from '#client/ui/section.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Time } from '#client/ui/time.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { originName } from '#shared/domain/import-formats.ts'
import { messages } from '#shared/texts/messages.ts'
import { FileHelp } from './file-help.tsx'
import { failed, type ImportSummary, isWorking, useImports, useRemoveImport } from './hooks.ts'
import { UploadArea } from './upload-area.tsx'
import { nameOfImport, stateNames } from './labels.ts'
import { t } from '#shared/domain/message.ts'

const { Component: ConfirmDialog, opens } = lazyComponent(
  async () => (await import('#client/ui/dialog.tsx')).ConfirmDialog,
)

export function ImportsScreen() {
  const navigate = useNavigate()
  return (
    <div className="page py-8 sm:py-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h1 className="text-h1">Bring your history</h1>
        <SectionLink render={<Link to="/settings" search={{ tab: 'account' }} />}>
          Export your data
        </SectionLink>
      </div>
      <p className="mt-4 max-w-[38em] text-lead text-muted">
        Ratings, reviews and diaries from other services. Nothing is changed before you have seen what it will
        do.
      </p>
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <UploadArea
          onDone={({ id }) => void navigate({ to: '/imports/$importId', params: { importId: String(id) } })}
        />
        <FileHelp />
      </div>
      <Imports />
    </div>
  )
}

function Imports() {
  const imports = useImports()
  const heading = useRef<HTMLHeadingElement>(null)
  const [removed, setRemoved] = useState<ImportSummary>()
  const [isOpen, setOpen] = useState(false)
  const remove = useRemoveImport()
  const all = imports.data?.imports
  return (
    <Section title="Your imports" headingRef={heading} className="mt-12">
      {imports.isPending ? (
        <div role="status" aria-label={messages.loading} className="grid animate-appear gap-3">
          <Skeleton className="h-20 rounded-card" />
          <Skeleton className="h-20 rounded-card" />
        </div>
      ) : all === undefined ? (
        <LoadError title="Your imports did not load" error={imports.error} onRetry={imports.refetch} />
      ) : all.length === 0 ? (
        <EmptyState icon={<FileInput aria-hidden />} title="No imports yet.">
          Each file that you send is listed here, and can be undone from here.
        </EmptyState>
      ) : (
        <ul className="grid gap-3">
          {all.map((one) => (
            <ImportRow
              key={one.id}
              one={one}
              onRemove={() => {
                setRemoved(one)
                setOpen(true)
              }}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={removed ? t`Delete the import of ${nameOfImport(removed)}?` : ''}
        description={
          removed?.appliedAt && removed.undoneAt === null
            ? t`What it added stays, but cannot be undone from here any more.`
            : t`Its lines and your decisions are deleted.`
        }
        confirmLabel="Delete"
        onConfirm={() => {
          if (removed === undefined) return
          setOpen(false)
          remove.mutate(
            { id: removed.id },
            {
              onSuccess: ({ message }) => {
                toasts.add({ tone: 'success', title: message })
                heading.current?.focus()
              },
              ...failed(t`The import was not deleted`),
            },
          )
        }}
      />
    </Section>
  )
}

function ImportRow({ one, onRemove }: { one: ImportSummary; onRemove: () => void }) {
  const { id, service, fileName, state, createdAt } = one
  const name = nameOfImport(one)
  // The server refuses to delete an import that changes data.
  const isLocked = isWorking(state) && state !== 'matching' && state !== 'waiting'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4 sm:px-5">
      <FileUp aria-hidden className="size-6 shrink-0 text-muted max-sm:hidden" />
      <div className="min-w-0 grow basis-60">
        <p className="text-label wrap-anywhere">
          {originName(service)}
          {fileName === '' ? null : (
            <span className="font-normal text-muted">
              {' · '}
              <bdi>{fileName}</bdi>
            </span>
          )}
        </p>
        <p className="mt-0.5 text-meta text-muted tabular-nums">
          <Time value={createdAt} /> · <Outcome one={one} />
        </p>
      </div>
      <div className="flex items-center gap-1">
        <ButtonLink
          variant={state === 'ready' ? 'primary' : 'soft'}
          render={<Link to="/imports/$importId" params={{ importId: String(id) }} />}
        >
          Open
          <VisuallyHidden> the import of {name}</VisuallyHidden>
        </ButtonLink>
        <IconButton
          label={
            isLocked ? t`Delete: not possible while the import is running` : t`Delete the import of ${name}`
          }
          busy={isLocked}
          {...opens(onRemove)}
        >
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

function Outcome({ one: { service, state, counts, total, done, changes } }: { one: ImportSummary }) {
  const { count } = useFormats()
  if (state === 'undone') return t`Undone`
  if (isWorking(state))
    return total > 0 ? t`${stateNames[state]}: ${count(done)} of ${count(total)}` : stateNames[state]
  const parts = [
    state === 'done'
      ? service === 'originals'
        ? t`${count(counts['taken'] ?? 0)} restored`
        : t`${count(counts['taken'] ?? 0)} imported`
      : t`${count(changes)} to import`,
    (counts['ambiguous'] ?? 0) > 0 ? t`${count(counts['ambiguous']!)} to decide` : '',
    state === 'stopped' ? t`stopped` : '',
  ]
  return parts.filter(Boolean).join(' · ')
}

export function ImportsPending() {
  return (
    <div className="page py-8 sm:py-12">
      <h1 className="text-h1">Bring your history</h1>
      <div role="status" aria-label={messages.loading} className="mt-12 grid animate-appear gap-3">
        <Skeleton className="h-52 rounded-card" />
        <Skeleton className="h-20 rounded-card" />
      </div>
    </div>
  )
}
