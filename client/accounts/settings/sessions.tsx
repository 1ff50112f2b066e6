import { Link } from '@tanstack/react-router'
import { Laptop, Smartphone } from 'lucide-react'
import { useRef } from 'react'
import { LoadError } from '#client/app/load-error.tsx'
import { type RouterOutputs, showFailure, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { useQuestion } from '#client/ui/question.tsx'
import { Section } from '#client/ui/section.tsx'
import { Time } from '#client/ui/time.tsx'
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx'
import { Skeletons } from '#client/ui/skeleton.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { useLogout } from '../logout.ts'
import { useEndSession } from './hooks.ts'
import { describeAgent, isHandheld } from './rules.ts'
import { isolated, t } from '#shared/domain/message.ts'

export function Sessions() {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Section title="Where you are logged in" headingRef={heading} className="card">
      <SessionsList onEnded={() => heading.current?.focus()} />
      <CalendarLink />
    </Section>
  )
}

/** Only that there is one: the calendar ends it. */
function CalendarLink() {
  const { data } = trpc.progress.calendarLink.useQuery()
  if (!data?.createdAt) return null
  return (
    <p className="mt-4 border-t border-line pt-4 text-meta text-muted">
      Calendar apps read your calendar by a link, made <Time value={data.createdAt} relative />. You can end
      it in the{' '}
      <Link to="/calendar" className="link">
        calendar
      </Link>
      .
    </p>
  )
}

function SessionsList({ onEnded }: { onEnded: () => void }) {
  const sessions = trpc.accounts.listSessions.useQuery()
  if (sessions.isPending) return <Skeletons count={2} each="h-14 rounded-item" />
  if (sessions.data === undefined)
    return <LoadError title="Your sessions did not load" error={sessions.error} onRetry={sessions.refetch} />
  return (
    <ul className="-my-2 divide-y divide-line">
      {sessions.data.sessions
        .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
        .map((session) => (
          <SessionRow key={session.id} session={session} onEnded={onEnded} />
        ))}
    </ul>
  )
}

function SessionRow({
  session,
  onEnded,
}: {
  session: RouterOutputs['accounts']['listSessions']['sessions'][number]
  onEnded: () => void
}) {
  const end = useEndSession()
  const [ask, question] = useQuestion()
  const { logOut, isPending } = useLogout()
  const device = describeAgent(session.userAgent)
  const name = isolated(device)
  async function logOutThere() {
    if (session.isCurrent) return logOut()
    onEnded()
    try {
      await end.mutateAsync({ id: session.id })
      showDone(t`${name} is logged out.`)
    } catch (error) {
      showFailure(t`${name} is still logged in.`, error)
    }
  }
  const Icon = isHandheld(session.userAgent) ? Smartphone : Laptop
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 grow basis-32">
        <p dir="auto" className="truncate text-label">
          {device}
        </p>
        <p className="text-meta text-muted wrap-anywhere">
          {session.isCurrent ? (
            <span className="font-semibold text-ok">This device</span>
          ) : (
            <>
              Last used <Time value={session.lastUsedAt} relative />
            </>
          )}
          {' · since '}
          <Time value={session.createdAt} />
        </p>
      </div>
      <Button
        busy={isPending}
        aria-haspopup={session.isCurrent ? undefined : 'dialog'}
        onClick={() =>
          session.isCurrent
            ? void logOutThere()
            : ask({
                title: t`Log out ${name}?`,
                description: t`Somebody who uses it must log in again.`,
                label: t`Log out`,
                onConfirm: () => void logOutThere(),
              })
        }
      >
        Log out
        <VisuallyHidden> {session.isCurrent ? t`this device` : <bdi>{device}</bdi>}</VisuallyHidden>
      </Button>
      {question}
    </li>
  )
}
