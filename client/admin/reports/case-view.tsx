import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { errorText, trpc } from '#client/app/trpc.ts'
import { ReviewedLink } from '#client/titles/reviewed-link.tsx'
import { Button } from '#client/ui/button.tsx'
import { useDates } from '#client/ui/dates.ts'
import { useDraft } from '#client/ui/draft.ts'
import { Pill } from '#client/ui/pill.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Stars } from '#client/ui/stars.tsx'
import { Time } from '#client/ui/time.tsx'
import { TextArea } from '#client/ui/field.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { messages } from '#shared/texts/messages.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { type Case, useAssign, useUndo } from './hooks.ts'
import { nameOf } from './actions.ts'
import { type DecisionAction, decisionActions, reportCategories } from '#shared/domain/moderation.ts'
import { plural, t } from '#shared/domain/message.ts'

export function CaseView({
  id,
  onBack,
  onChoose,
}: {
  id: number
  onBack: () => void
  onChoose: (found: Case, action: DecisionAction) => void
}) {
  const { data, error, refetch } = trpc.moderation.byId.useQuery({ id })
  const found = data?.case
  return (
    <section aria-label="Case" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Button
        variant="ghost"
        icon={<ArrowLeft aria-hidden />}
        onClick={onBack}
        className="-ms-4 justify-self-start lg:hidden"
      >
        All cases
      </Button>
      {found ? (
        <>
          <Subject found={found} />
          <Content found={found} />
          {found.decisions.map((decision) => (
            <DecisionRow key={decision.id} decision={decision} isFull />
          ))}
          {found.state === 'open' ? (
            <DecisionButtons found={found} onChoose={(action) => onChoose(found, action)} />
          ) : null}
          <Reports found={found} />
          {found.history.length > 0 ? (
            <Part title="Earlier decisions">
              <ul className="grid gap-3">
                {found.history.map((decision) => (
                  <li key={decision.id}>
                    <DecisionRow decision={decision} />
                  </li>
                ))}
              </ul>
            </Part>
          ) : null}
        </>
      ) : error ? (
        <LoadError title="The case did not load" error={error} onRetry={refetch} />
      ) : (
        <div role="status" aria-label={messages.loading}>
          <SkeletonText lines={5} />
        </div>
      )}
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 text-label">{title}</h3>
      {children}
    </div>
  )
}

function Subject({ found }: { found: Case }) {
  const { member, standing, snapshot } = found
  return (
    <div>
      <h2 className="text-h2 wrap-anywhere">
        <bdi>{nameOf(found)}</bdi>
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted">
        {snapshot.title ? (
          <ReviewedLink title={snapshot.title} about={snapshot.about} className="link" />
        ) : null}
        {member ? (
          <Link {...toMember(member.id)} className="link">
            Profile of <bdi>{member.username}</bdi>
          </Link>
        ) : null}
        {standing === 'active' ? null : <Pill className="text-danger">{standing}</Pill>}
      </p>
      <Assignee found={found} />
    </div>
  )
}

/** Everybody can still decide the case. */
function Assignee({ found: { id, assignee, state, isAppealed } }: { found: Case }) {
  const me = useSession()?.user.id
  const { isPending, assign } = useAssign(id)
  if (state === 'closed' && !isAppealed) return null
  return (
    <p className="mt-1 flex min-h-11 flex-wrap items-center gap-x-3 text-meta text-muted">
      {assignee === null
        ? t`Assigned to nobody`
        : assignee.id === me
          ? t`Assigned to you`
          : t`Assigned to ${assignee.username}`}
      {assignee?.id === me || me === undefined ? null : (
        <Button size="sm" variant="outline" busy={isPending} onClick={() => assign(me)}>
          Assign to me
        </Button>
      )}
      {assignee === null ? null : (
        <Button size="sm" variant="ghost" busy={isPending} onClick={() => assign(null)}>
          Unassign
        </Button>
      )}
    </p>
  )
}

function Content({ found: { snapshot, current } }: { found: Case }) {
  const { text, rating, hasSpoilers, imageUrl, writtenAt } = snapshot
  const isChanged = current !== null && current.text !== text
  return (
    <div className="rounded-card border border-line bg-surface p-4 sm:p-5">
      <p className="flex flex-wrap items-center gap-x-3 text-meta text-muted">
        {rating === null ? null : <Stars value={rating} />}
        {writtenAt === null ? null : <Time value={writtenAt} relative />}
        {hasSpoilers ? t`Marked as a spoiler by its author` : null}
        {current === null ? t`Deleted` : current.isRemoved ? t`Hidden now` : null}
      </p>
      {imageUrl === null ? null : (
        <img src={imageUrl} alt="" className="mt-3 max-h-48 rounded-item" loading="lazy" />
      )}
      <p dir="auto" className="mt-2 text-review wrap-anywhere whitespace-pre-line">
        {text || <em className="text-muted">Without a text</em>}
      </p>
      {isChanged ? (
        <>
          <p className="mt-4 text-meta font-semibold">Changed since the report:</p>
          <p dir="auto" className="mt-1 text-review wrap-anywhere whitespace-pre-line">
            {current.text || <em className="text-muted">Without a text</em>}
          </p>
        </>
      ) : null}
    </div>
  )
}

function Reports({ found: { reports, reportCount } }: { found: Case }) {
  if (reportCount === 0) return null
  return (
    <Part title={plural(reportCount, { one: '# report', other: '# reports' })}>
      <ul className="border-t border-line">
        {reports.map(({ id, reporter, category, rules, comment, createdAt }) => (
          <li key={id} className="border-b border-line py-2.5">
            <p className="flex flex-wrap justify-between gap-x-3">
              <span>
                <strong>{reporter?.username ?? t`A deleted account`}</strong>: {reportCategories[category]}
                {rules.length > 0 ? ` (${rules.join(' · ')})` : ''}
              </span>
              <Time value={createdAt} relative className="text-meta text-muted" />
            </p>
            {comment === '' ? null : (
              <p dir="auto" className="text-meta text-muted wrap-anywhere">
                “{comment}”
              </p>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function DecisionRow({
  decision,
  isFull = false,
}: {
  decision: Case['decisions'][number]
  isFull?: boolean
}) {
  const { date } = useDates()
  const undo = useUndo()
  const { id, action, rules, reason, keepsRating, since, moderator, createdAt, until } = decision
  const { endedAt, endReason, appeal, isUndoable } = decision
  const ended = { undone: t`Undone`, expired: t`Ended`, accepted: t`Undone after an appeal` }
  return (
    <div className="rounded-card bg-raised p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <strong>{decisionActions[action].name}</strong>
          {until === null ? null : <> {t`until ${date(until)}`}</>} ·{' '}
          {moderator?.username ?? t`a deleted account`} ·{' '}
          <Time value={createdAt} relative className="text-meta text-muted" />
          {endReason === null || endedAt === null ? null : (
            <span className="text-meta text-muted">
              {' '}
              · {ended[endReason]} <Time value={endedAt} relative />
            </span>
          )}
        </p>
        {isUndoable ? (
          <Button size="sm" variant="outline" onClick={() => undo(id)}>
            Undo
          </Button>
        ) : null}
      </div>
      {rules.length === 0 ? null : <p className="mt-1 text-meta wrap-anywhere">{rules.join(' · ')}</p>}
      {reason === '' ? null : (
        <p dir="auto" className="mt-1 text-meta wrap-anywhere">
          “{reason}”
        </p>
      )}
      {since === null && keepsRating ? null : (
        <p className="mt-1 text-meta text-muted">
          {since === null ? null : <>{t`What was written since ${date(since)}.`} </>}
          {keepsRating ? null : t`The ratings do not count.`}
        </p>
      )}
      {appeal && isFull ? (
        <div className="mt-3 border-t border-line pt-3">
          <p className="text-label">Appeal</p>
          <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-line">
            {appeal.text}
          </p>
          {appeal.answeredAt === null ? (
            <AnswerForm decisionId={id} caseId={decision.caseId} />
          ) : (
            <p className="mt-2 text-meta wrap-anywhere">
              {appeal.isAccepted ? t`Accepted` : t`Not accepted`}: “<bdi>{appeal.answer}</bdi>”
            </p>
          )}
        </div>
      ) : null}
    </div>
  )
}

function AnswerForm({ decisionId, caseId }: { decisionId: number; caseId: number }) {
  const utils = trpc.useUtils()
  const answer = trpc.moderation.answer.useMutation()
  const { text, ...draft } = useDraft(`answer ${decisionId} ${useSession()?.user.id}`, '')
  const [problem, setProblem] = useState<string>()
  function send(accepts: boolean) {
    if (text.trim() === '') return setProblem(t`Please write an answer to the member.`)
    answer.mutate(
      { id: decisionId, accepts, answer: text },
      {
        onSuccess({ case: answered }) {
          draft.clear()
          utils.moderation.byId.setData({ id: caseId }, { case: answered })
          void changed('case')
          showDone(t`The member gets your answer`)
        },
        onError: (error) => setProblem(errorText(error)),
      },
    )
  }
  return (
    <div className="mt-3 grid gap-3">
      <TextArea
        label="Your answer"
        rows={3}
        value={text}
        onChange={(next) => {
          draft.set(next)
          setProblem(undefined)
        }}
        error={problem}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={answer.isPending} onClick={() => send(true)}>
          Accept and undo
        </Button>
        <Button variant="outline" busy={answer.isPending} onClick={() => send(false)}>
          Do not accept
        </Button>
      </div>
    </div>
  )
}
