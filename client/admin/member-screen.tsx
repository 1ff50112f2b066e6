import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changed } from '#client/app/facts.ts'
import { download } from '#client/app/download.ts'
import { toMember } from '#client/app/links.ts'
import { LoadError } from '#client/app/load-error.tsx'
import { useSession } from '#client/app/session.ts'
import { errorText, type RouterOutputs, trpc } from '#client/app/trpc.ts'
import { Button } from '#client/ui/button.tsx'
import { Callout } from '#client/ui/callout.tsx'
import { useFormats } from '#client/ui/formats.ts'
import { type Question, useQuestion } from '#client/ui/question.tsx'
import { Select } from '#client/ui/select.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Stat, Stats } from '#client/ui/stat.tsx'
import { Time } from '#client/ui/time.tsx'
import { showDone } from '#client/ui/toasts.ts'
import { type Role, roles } from '#shared/domain/roles.ts'
import { roleNames, toAdmin } from './section.ts'
import { memberStates } from '#shared/domain/member-states.ts'
import { decisionActions } from '#shared/domain/moderation.ts'
import { t } from '#shared/domain/message.ts'

type Member = RouterOutputs['admin']['member']['member']
const decidable: readonly Member['state'][] = ['active', 'frozen', 'suspended']

export function MemberScreen({ id }: { id: number }) {
  const me = useSession()?.user
  const isAdmin = me?.role === 'admin'
  const navigate = useNavigate()
  const { count } = useFormats()
  const { data, error, refetch } = trpc.admin.member.useQuery({ id })
  const [askFirst, question] = useQuestion()
  const [problem, setProblem] = useState<string>()
  const options = {
    async onSuccess({ message }: { message: string }) {
      setProblem(undefined)
      showDone(message)
      await changed('member', id)
    },
    onError: (failure: unknown) => setProblem(errorText(failure)),
  }
  const setRole = trpc.admin.setRole.useMutation(options)
  const approve = trpc.admin.approve.useMutation(options)
  const reject = trpc.admin.reject.useMutation({
    ...options,
    async onSuccess({ message }) {
      showDone(message)
      await changed('member', id)
      await navigate(toAdmin('members'))
    },
  })
  const logOut = trpc.admin.logOut.useMutation(options)
  const sendReset = trpc.admin.sendReset.useMutation(options)
  const remove = trpc.admin.removeMember.useMutation(options)
  const open = trpc.moderation.open.useMutation({
    onSuccess: ({ case: { id: caseId } }) => navigate(toAdmin(`reports/${caseId}`)),
    onError: (failure) => setProblem(errorText(failure)),
  })
  const exporting = useMutation({
    mutationFn: () => download(`/admin/members/${id}/export`, 'application/zip'),
    onError: (failure) => setProblem(failure.message),
  })
  if (error && data === undefined)
    return <LoadError title="The member did not load" error={error} onRetry={refetch} />
  if (data === undefined) return <Skeleton className="h-96 animate-appear rounded-card" />
  const { member } = data
  // Moderators do not act on moderators and admins.
  const mayAct = isAdmin || member.role === 'member'
  const ask = (next: Question) => () => askFirst(next)
  return (
    <div className="grid gap-6">
      <div>
        <Link {...toAdmin('members')} className="link text-meta">
          All members
        </Link>
        <h1 className="mt-2 text-h2 wrap-anywhere">
          <bdi>{member.username}</bdi>
        </h1>
        <p className="text-muted wrap-anywhere">
          {member.role === 'member' ? null : <strong className="text-accent">{member.role} · </strong>}
          {memberStates[member.state]}
          {member.email === undefined ? '' : ` · ${member.email}`}
        </p>
        <p className="flex flex-wrap gap-x-4 text-meta">
          {member.state === 'active' ? (
            <Link {...toMember(id)} className="link inline-flex min-h-9 items-center">
              Profile
            </Link>
          ) : null}
          <Link
            {...toAdmin('audit', { target: 'user', targetId: String(id) })}
            className="link inline-flex min-h-9 items-center"
          >
            Audit log
          </Link>
        </p>
      </div>
      {problem === undefined ? null : <Callout tone="error">{problem}</Callout>}
      {member.signUpReason === null ? null : (
        <blockquote dir="auto" className="card whitespace-pre-wrap wrap-anywhere">
          {member.signUpReason}
        </blockquote>
      )}
      {member.state === 'pending' ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={approve.isPending} onClick={() => approve.mutate({ id })}>
            Approve
          </Button>
          <Button
            busy={reject.isPending}
            onClick={ask({
              title: t`Reject ${member.username}?`,
              description: t`The account is removed, which frees the name and the address. The applicant is notified by email.`,
              label: t`Reject`,
              onConfirm: () => reject.mutate({ id }),
            })}
          >
            Reject
          </Button>
        </div>
      ) : null}
      <Stats>
        <Stat label="Ratings" value={count(member.counts.reviews)} />
        <Stat label="Comments" value={count(member.counts.comments)} />
        <Stat label="Favorites" value={count(member.counts.favorites)} />
        <Stat label="Uploads" value={count(member.counts.uploads)} />
        <Stat label="Titles added" value={count(member.counts.titles)} />
        <Stat label="Sessions" value={count(member.sessions)} />
      </Stats>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-meta">
        <dt className="text-muted">Joined</dt>
        <dd>
          <Time value={member.createdAt} />
        </dd>
        <dt className="text-muted">Last seen</dt>
        <dd>{member.seenOn === null ? t`Never` : <Time value={member.seenOn} />}</dd>
        <dt className="text-muted">Invited by</dt>
        <dd>
          {member.invitedBy === null ? (
            t`Nobody`
          ) : (
            <Link {...toAdmin(`members/${member.invitedBy.id}`)} className="link">
              <bdi>{member.invitedBy.username}</bdi>
            </Link>
          )}
        </dd>
        <dt className="text-muted">Has invited</dt>
        <dd>
          {member.invited === 0 ? (
            t`Nobody`
          ) : (
            <Link {...toAdmin('members', { invitedBy: String(id) })} className="link">
              {count(member.invited)}
            </Link>
          )}
        </dd>
        {member.deletionAt === null ? null : (
          <>
            <dt className="text-muted">Will be deleted</dt>
            <dd>
              <Time value={member.deletionAt} />
            </dd>
          </>
        )}
      </dl>
      <Decisions decisions={member.decisions} />
      <div className="flex flex-wrap items-end gap-2">
        {mayAct && id !== me?.id && decidable.includes(member.state) ? (
          <Button busy={open.isPending} onClick={() => open.mutate({ target: { type: 'user', id } })}>
            Decide …
          </Button>
        ) : null}
        {mayAct ? (
          <Button
            busy={logOut.isPending}
            onClick={ask({
              title: t`End all sessions of ${member.username}?`,
              description: t`All access tokens are revoked too. The member can log in again.`,
              label: t`End sessions`,
              onConfirm: () => logOut.mutate({ id }),
            })}
          >
            End sessions
          </Button>
        ) : null}
        {mayAct ? (
          <Button busy={sendReset.isPending} onClick={() => sendReset.mutate({ id })}>
            Send a new password link
          </Button>
        ) : null}
        {isAdmin ? (
          <Button
            busy={exporting.isPending}
            onClick={ask({
              title: t`Download the data of ${member.username}?`,
              description: t`For a legal request. The audit log records it.`,
              label: t`Download`,
              onConfirm: () => exporting.mutate(),
            })}
          >
            Download the data
          </Button>
        ) : null}
      </div>
      {isAdmin && member.state === 'active' ? (
        <div className="max-w-60">
          <Select<Role>
            shape="field"
            label="Role"
            value={member.role}
            onChange={(role) =>
              askFirst({
                title: {
                  admin: t`Make ${member.username} an admin?`,
                  moderator: t`Make ${member.username} a moderator?`,
                  member: t`Make ${member.username} a member?`,
                }[role],
                description:
                  role === 'admin'
                    ? t`Admins see the addresses of all members, and change settings and roles.`
                    : role === 'moderator'
                      ? t`Moderators decide reports and approve accounts.`
                      : t`The member loses the role at once.`,
                label: t`Change the role`,
                onConfirm: () => setRole.mutate({ id, role }),
              })
            }
            options={roles.map((value) => ({ value, label: roleNames[value] }))}
          />
        </div>
      ) : null}
      {isAdmin ? (
        <Button
          className="justify-self-start"
          variant="danger"
          busy={remove.isPending}
          onClick={ask({
            title: t`Delete the account of ${member.username}?`,
            description: t`It is deleted in seven days. The member is notified by email, and can cancel the deletion.`,
            label: t`Delete account`,
            onConfirm: () => remove.mutate({ id }),
          })}
        >
          Delete account
        </Button>
      ) : null}
      {question}
    </div>
  )
}

function Decisions({ decisions }: { decisions: Member['decisions'] }) {
  if (decisions.length === 0) return null
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions" className="text-h3">
        Decisions
      </h2>
      <ul className="mt-2 border-t border-line">
        {decisions.map(({ id, caseId, action, reason, createdAt, until, endedAt }) => (
          <li key={id} className="border-b border-line py-2">
            <p className="flex flex-wrap justify-between gap-x-3">
              <Link {...toAdmin(`reports/${caseId}`)} className="link inline-flex min-h-9 items-center">
                {decisionActions[action].name}
              </Link>
              <span className="flex items-center gap-1 text-meta text-muted">
                <Time value={createdAt} />
                {endedAt !== null ? (
                  t`ended`
                ) : until === null ? null : (
                  <>
                    until <Time value={until} />
                  </>
                )}
              </span>
            </p>
            {reason === '' ? null : (
              <p dir="auto" className="text-meta text-muted wrap-anywhere">
                “{reason}”
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
