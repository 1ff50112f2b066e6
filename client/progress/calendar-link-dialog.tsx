import { CalendarPlus, Link2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { copyLink } from '#client/app/copy-link.ts'
import { changed } from '#client/app/facts.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { showFailure, trpc } from '#client/app/trpc.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { inputClass } from '#client/ui/field-look.ts'
import { useQuestion } from '#client/ui/question.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { t } from '#shared/domain/message.ts'

/** The address is shown once, after it was made. */
export function CalendarLinkDialog({ open, onOpenChange }: DialogControl) {
  const link = trpc.progress.calendarLink.useQuery()
  const create = trpc.progress.createCalendarLink.useMutation({
    onSuccess: () => changed('calendarLink'),
    onError: (error) => showFailure(t`There is no new link.`, error),
  })
  const url = create.data?.url
  return (
    <Dialog
      open={open}
      onOpenChange={(next, { reason }) => {
        // A press outside must not lose an address that is not shown again.
        if (url === undefined || reason !== 'outside-press') onOpenChange(next)
      }}
      title={url === undefined ? t`Subscribe in a calendar app` : t`Copy your link now`}
      description={
        url === undefined
          ? t`A calendar app on your phone or your computer can show this calendar, and keeps it up to date.`
          : t`It will not be shown again. Whoever has it can read your calendar.`
      }
    >
      {url !== undefined ? (
        <Address key={url} url={url} />
      ) : link.isPending ? (
        <Skeletons count={1} each="h-11 rounded-item" />
      ) : link.data === undefined ? (
        <LoadError title={t`Your link did not load`} error={link.error} onRetry={link.refetch} />
      ) : link.data.createdAt === null ? (
        <>
          <p className="text-meta text-muted">
            Whoever has the link can read your calendar. You can end it at any time.
          </p>
          <div className="actions mt-5">
            <Button variant="primary" busy={create.isPending} onClick={() => create.mutate()}>
              Make a link
            </Button>
          </div>
        </>
      ) : (
        <Made at={link.data.createdAt} isBusy={create.isPending} onRenew={() => create.mutate()} />
      )}
    </Dialog>
  )
}

function Address({ url }: { url: string }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // The button that had the focus is gone.
  useEffect(() => field.current?.select(), [])
  return (
    <>
      <label htmlFor={id} className="text-label">
        Address of your calendar
      </label>
      <input
        id={id}
        ref={field}
        readOnly
        value={url}
        dir="ltr"
        spellCheck={false}
        className={`${inputClass} mt-1.5 h-12`}
      />
      <div className="actions mt-5">
        <ButtonLink
          icon={<CalendarPlus aria-hidden />}
          href={url.replace(/^https?:/, 'webcal:')}
          className="max-sm:w-full"
        >
          Open in a calendar app
        </ButtonLink>
        <Button variant="primary" icon={<Link2 aria-hidden />} onClick={() => void copyLink(url)}>
          Copy link
        </Button>
      </div>
    </>
  )
}

function Made({ at, isBusy, onRenew }: { at: string; isBusy: boolean; onRenew: () => void }) {
  const [ask, question] = useQuestion()
  const [isEnding, setEnding] = useState(false)
  const remove = trpc.progress.removeCalendarLink.useMutation()
  async function end() {
    setEnding(true)
    try {
      showDone((await remove.mutateAsync()).message)
      await changed('calendarLink')
    } catch (error) {
      showFailure(t`The link has not ended.`, error)
    }
    setEnding(false)
  }
  return (
    <>
      <p>
        You made a link <Time value={at} relative />.
      </p>
      <p className="mt-1.5 text-meta text-muted">
        It was shown once. If you no longer have it, make a new one.
      </p>
      <div className="actions mt-5">
        <Button
          variant="danger"
          busy={isEnding}
          aria-haspopup="dialog"
          onClick={() =>
            ask({
              title: t`End the link?`,
              description: t`Calendar apps that use it are no longer updated.`,
              label: t`End the link`,
              onConfirm: () => void end(),
            })
          }
        >
          End
        </Button>
        <Button
          busy={isBusy}
          aria-haspopup="dialog"
          onClick={() =>
            ask({
              title: t`Make a new link?`,
              description: t`The old link no longer works for anybody who has it.`,
              label: t`New link`,
              onConfirm: onRenew,
            })
          }
        >
          New link
        </Button>
      </div>
      {question}
    </>
  )
}
