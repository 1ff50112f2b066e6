import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Trash2, Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { t } from '#shared/domain/message.ts'
import { Select } from '#client/ui/select.tsx'
import { Section } from '#client/ui/section.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { download } from '#client/app/download.ts'
import { showFailure } from '#client/app/trpc.ts'
import { exportFormat, type ExportService, exportServices } from '#shared/domain/export-formats.ts'
import { useConfirmation } from './confirmation.tsx'
import { useCancelDeletion, useMe } from './hooks.ts'

const { Component: DeletionDialog, opens } = lazyComponent(
  async () => (await import('./deletion-dialog.tsx')).DeletionDialog,
)

export function YourData() {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isAsking, setAsking] = useState(false)
  const deletionAt = useMe().data?.user.deletionAt ?? null
  const cancel = useCancelDeletion()
  const [format, setFormat] = useState<ExportFormat>('zip')
  const saving = useMutation({ mutationFn: () => download(`/export?format=${format}`, typeOf(format)) })
  const [confirmed, confirmation] = useConfirmation()
  const focusHeading = () => heading.current?.focus()
  return (
    <Section title="Your data" headingRef={heading} className="card">
      {deletionAt === null ? null : (
        <Callout
          tone="error"
          title={
            <>
              Your account will be deleted on <Time value={deletionAt} />.
            </>
          }
          className="mb-5"
          action={
            <Button
              variant="outline"
              busy={cancel.isPending}
              onClick={() =>
                cancel.mutate(undefined, {
                  onSuccess({ message }) {
                    showDone(message)
                    focusHeading()
                  },
                  onError: (error) => showFailure(t`Your account will still be deleted.`, error),
                })
              }
            >
              Keep my account
            </Button>
          }
        >
          Until then, nothing changes.
        </Callout>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Row
          title="Import"
          text="Your history from Letterboxd, Goodreads, StoryGraph, IMDb, Trakt, Simkl and others, or any CSV."
        >
          <ButtonLink icon={<Upload aria-hidden />} render={<Link to="/imports" />}>
            Import your history
          </ButtonLink>
        </Row>
        <Row
          title="Download"
          text={
            format === 'zip'
              ? t`Your ratings, reviews, diary, favorites, follows and comments, as JSON and CSV, and the files for other services.`
              : exportFormat(format).about
          }
          isLive
        >
          <Select
            label="What to download"
            hideLabel
            value={format}
            onChange={setFormat}
            options={[
              { value: 'zip' as const, label: t`Everything (Medley)` },
              ...exportServices.map((value) => ({ value, label: t`For ${exportFormat(value).name}` })),
            ]}
          />
          <Button
            icon={<Download aria-hidden />}
            busy={saving.isPending}
            busyLabel="Preparing…"
            onClick={() => void confirmed(t`Your data was not downloaded.`, () => saving.mutateAsync())}
          >
            {format === 'zip' ? t`Download all` : t`Download`}
          </Button>
        </Row>
        {deletionAt === null ? (
          <Row title="Delete" text="Your account and everything in it, after seven days.">
            <Button icon={<Trash2 aria-hidden />} aria-haspopup="dialog" {...opens(() => setAsking(true))}>
              Delete my account
            </Button>
          </Row>
        ) : null}
      </ul>
      {confirmation}
      <DeletionDialog open={isAsking} onClose={() => setAsking(false)} onRequested={focusHeading} />
    </Section>
  )
}

type ExportFormat = 'zip' | ExportService

function typeOf(format: ExportFormat) {
  return format !== 'zip' && exportFormat(format).file === 'csv' ? 'text/csv' : 'application/zip'
}

type RowProps = { title: string; text: string; isLive?: boolean; children: ReactNode }

function Row({ title, text, isLive = false, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 basis-64 grow">
        <h3 className="text-label">{title}</h3>
        <p className="text-meta text-muted" aria-live={isLive ? 'polite' : undefined}>
          {text}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </li>
  )
}
