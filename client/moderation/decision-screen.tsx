import { Link } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { errorText, isNotFound, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { ReviewedLink } from '#client/titles/reviewed-link.tsx'
import { Button, ButtonLink, SubmitButton } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useDates } from '#client/ui/dates.ts'
import { useDraft } from '#client/ui/draft.ts'
import { TextArea } from '#client/ui/field.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { toasts } from '#client/ui/toasts.ts'
import { decisionTextMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { decisionHeadings } from './decision-headings.ts'
import { t } from '#shared/domain/message.ts'

type Decision = RouterOutputs['moderation']['myDecision']['decision']

export function DecisionScreen({ id, notFound }: { id: number; notFound: ReactNode }) {
  const { data, error, refetch } = trpc.moderation.myDecision.useQuery({ id })
  if (isNotFound(error)) return notFound
  return (
    <div className="page max-w-3xl py-8 sm:py-12">
      {data ? (
        <Decision decision={data.decision} />
      ) : error ? (
        <LoadError title="The decision did not load" error={error} onRetry={refetch} />
      ) : (
        <div role="status" aria-label={messages.loading}>
          <SkeletonText lines={5} />
        </div>
      )}
    </div>
  )
}

function Decision({ decision }: { decision: Decision }) {
  const { action, reason, rules, content, title, until, createdAt, endedAt, endReason } = decision
  const { date } = useDates()
  return (
    <>
      <p className="flex items-center gap-2 text-meta text-muted">
        <Scale aria-hidden className="size-4.5" /> <span>Decided by the moderators on {date(createdAt)}</span>
      </p>
      <h1 className="mt-2 text-h1">{decisionHeadings[action]}</h1>
      {endedAt === null ? null : (
        <Callout
          tone="success"
          className="mt-6"
          title={
            endReason === 'expired'
              ? t`It ended on ${date(endedAt)}.`
              : t`It was undone on ${date(endedAt)}: everything is as before.`
          }
        />
      )}
      {until !== null && endedAt === null ? (
        <p className="mt-4 text-lead">It ends on {date(until)}.</p>
      ) : null}
      <dl className="mt-6 grid gap-5">
        {reason === '' ? null : (
          <Fact label="Reason">
            <p dir="auto" className="whitespace-pre-line">
              {reason}
            </p>
          </Fact>
        )}
        {rules.length === 0 ? null : (
          <Fact label="Rules of this site">
            <ul className="list-disc ps-5">
              {rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
          </Fact>
        )}
        {content === '' ? null : (
          <Fact label={decision.target.type === 'user' ? t`Your account` : t`What it is about`}>
            {title ? (
              <p className="text-meta text-muted">
                <ReviewedLink title={title} about={decision.about} className="hover:underline" />
              </p>
            ) : null}
            <blockquote
              dir="auto"
              className="mt-1 border-s-2 border-edge ps-4 text-review wrap-anywhere whitespace-pre-line"
            >
              {content}
            </blockquote>
          </Fact>
        )}
      </dl>
      {decision.needsConfirmation ? <Confirmation id={decision.id} /> : null}
      <Appeal decision={decision} />
      <p className="mt-10 flex flex-wrap gap-2">
        <ButtonLink variant="outline" render={<Link to="/settings" search={{ tab: 'account' }} />}>
          Export or delete your account
        </ButtonLink>
      </p>
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-label">{label}</dt>
      <dd className="mt-1 wrap-anywhere">{children}</dd>
    </div>
  )
}

function Confirmation({ id }: { id: number }) {
  const confirm = trpc.moderation.confirm.useMutation()
  return (
    <Callout
      className="mt-8"
      title="Please confirm that you have read this."
      action={
        <Button
          variant="primary"
          busy={confirm.isPending}
          onClick={() =>
            confirm.mutate(
              { id },
              {
                onSuccess: () => changed('moderation'),
                onError: (error) => toasts.add({ tone: 'error', title: errorText(error) }),
              },
            )
          }
        >
          I have read it
        </Button>
      }
    />
  )
}

function Appeal({ decision: { id, appeal, appealUntil } }: { decision: Decision }) {
  const { date } = useDates()
  const send = trpc.moderation.appeal.useMutation()
  const utils = trpc.useUtils()
  const { text, ...draft } = useDraft(`appeal ${id} ${useSession()?.user.id}`, '')
  const [problem, setProblem] = useState<string>()
  if (appeal)
    return (
      <section className="mt-10">
        <h2 className="text-h2">Your appeal</h2>
        <p dir="auto" className="mt-2 wrap-anywhere whitespace-pre-line">
          {appeal.text}
        </p>
        {appeal.answeredAt === null ? (
          <Callout className="mt-4" title="A moderator will look at it. We will email you." />
        ) : (
          <Callout
            tone={appeal.isAccepted ? 'success' : 'info'}
            className="mt-4"
            title={appeal.isAccepted ? t`Your appeal was accepted` : t`Your appeal was not accepted`}
          >
            <p dir="auto" className="whitespace-pre-line">
              {appeal.answer}
            </p>
          </Callout>
        )}
      </section>
    )
  if (appealUntil === null) return null
  return (
    <section className="mt-10">
      <h2 className="text-h2">Appeal</h2>
      <p className="mt-1 text-muted">
        Once, until {date(appealUntil)}. Another moderator answers it, if there is one.
      </p>
      <form
        className="mt-4 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (send.isPending) return
          if (text.trim() === '') return setProblem(t`Please say why the decision is wrong.`)
          send.mutate(
            { id, text },
            {
              onSuccess(output) {
                draft.clear()
                utils.moderation.myDecision.setData({ id }, output)
              },
              onError: (error) => setProblem(errorText(error)),
            },
          )
        }}
      >
        <TextArea
          label="Why is the decision wrong?"
          rows={4}
          value={text}
          onChange={(next) => {
            draft.set(next)
            setProblem(undefined)
          }}
          error={problem}
          limit={decisionTextMax}
        />
        <div className="actions">
          <SubmitButton busy={send.isPending} busyLabel="Sending…">
            Appeal
          </SubmitButton>
        </div>
      </form>
    </section>
  )
}
