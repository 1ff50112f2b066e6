import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Trash2, Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { lazyComponent } from '#client/ui/lazy.ts'
import { Section } from '#client/ui/section.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { download } from '#client/app/download.ts'
import { showFailure } from '#client/app/trpc.ts'
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
  const saving = useMutation({ mutationFn: () => download('/export', 'application/zip') })
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
                  onError: (error) => showFailure('Your account will still be deleted.', error),
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
          text="Your history from Letterboxd, Goodreads, StoryGraph, IMDb, Trakt or any CSV."
        >
          <ButtonLink icon={<Upload aria-hidden />} render={<Link to="/imports" />}>
            Import your history
          </ButtonLink>
        </Row>
        <Row
          title="Download"
          text="Your ratings, reviews, diary, favorites, follows and comments, as JSON and CSV."
        >
          <Button
            icon={<Download aria-hidden />}
            busy={saving.isPending}
            busyLabel="Preparing…"
            onClick={() => void confirmed('Your data was not downloaded.', () => saving.mutateAsync())}
          >
            Download all
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

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 basis-64 grow">
        <h3 className="text-label">{title}</h3>
        <p className="text-meta text-muted">{text}</p>
      </div>
      {children}
    </li>
  )
}
