import * as schema from '#shared/contracts/admin.ts'
import { messages } from '#shared/texts/messages.ts'
import { pluck } from '#shared/domain/pluck.ts'
import { sendLink } from '#server/accounts/links.ts'
import { queueNotice } from '#server/accounts/notices.ts'
import { linkExpiry } from '#server/accounts/rules.ts'
import { removeCalendarLink } from '#server/accounts/credentials-store.ts'
import { removeAccessTokens, removeSessions } from '#server/accounts/sessions-store.ts'
import { countContents, isLastAdmin, scheduleDeletion, setRole, verifyUser } from '#server/accounts/store.ts'
import type { Db } from '#server/db/open.ts'
import { joined } from '#server/accounts/notify-store.ts'
import { conflict } from '#server/calls/errors.ts'
import { audit } from '#server/calls/audit.ts'
import type { Context, MemberContext } from '#server/calls/context.ts'
import { pageOf, readCursor } from '#server/calls/cursors.ts'
import { callsIn, found, roleMissing, router } from '#server/calls/procedures.ts'
import { mayDecide, presentDecision } from '#server/moderation/rules.ts'
import { listDecisionsAbout } from '#server/moderation/decisions-store.ts'
import { listPeople } from '#server/moderation/store.ts'
import * as store from './members-store.ts'
import { presentMember } from './rules.ts'
import type { AuditAction } from '#shared/domain/audit.ts'

const { forAdmins, forModerators } = callsIn('Administration')
const decisionsMax = 20

/** Moderators see no addresses, and cannot act on moderators and admins. */
export const membersRouter = router({
  members: forModerators('GET /admin/members', 'listMembers', schema.listMembers, {
    summary: 'List the members of the site',
    description: 'The newest first.',
    errors: [403],
  }).query(async ({ ctx, input: { cursor, limit, ...filters } }) => {
    const beforeId = readCursor(cursor, schema.memberCursor)?.[1]
    const mayRead = ctx.member.role === 'admin'
    const rows = await store.listMembers(ctx.db, filters, mayRead, beforeId, limit + 1)
    const { shown, nextCursor } = pageOf(rows, limit, ({ id }) => ['members', id])
    return { members: shown.map((row) => presentMember(row, mayRead)), nextCursor }
  }),

  member: forModerators('GET /admin/members/{id}', 'getMember', schema.getMember, {
    summary: 'Get a member of the site',
    errors: [403, 404],
  }).query(async ({ ctx, input: { id } }) => {
    const row = found(await store.findMember(ctx.db, id), messages.userNotFound)
    const { inviter, ...relations } = await store.findRelations(ctx.db, id, row.invited_by)
    const counts = await countContents(ctx.db, id)
    // They name the moderators.
    const decisions = mayDecide(ctx.member, row)
      ? await listDecisionsAbout(ctx.db, id, { limit: decisionsMax })
      : []
    const moderators = await listPeople(ctx.db, pluck(decisions, 'moderator_id'))
    return {
      member: {
        ...presentMember(row, ctx.member.role === 'admin'),
        deletionAt: row.deletion_at,
        invitedBy: inviter,
        ...relations,
        decisions: decisions.map((decision) => presentDecision(decision, moderators, ctx.now)),
        counts,
      },
    }
  }),

  setRole: forAdmins('PATCH /admin/members/{id}', 'changeRole', schema.setRole, {
    summary: 'Change the role of a member',
    description: 'The last admin keeps the role (409).',
    errors: [403, 404, 409],
  }).mutation(({ ctx, input: { id, role, reason } }) =>
    ctx.db.transaction().execute(async (trx) => {
      const member = found(await store.lockMember(trx, id), messages.userNotFound)
      if (!member.verified_at) throw conflict(messages.memberInactive)
      if (role !== 'admin') await checkNotLastAdmin(trx, id)
      if (role !== member.role) {
        const change = { before: { role: member.role }, after: { role }, reason }
        await record(trx, ctx, 'role.change', member, change)
        await setRole(trx, id, role)
      }
      return { message: messages.roleChanged }
    }),
  ),

  approve: forModerators('POST /admin/members/{id}/approve', 'approveMember', schema.actOnMember, {
    summary: 'Approve an account that waits for approval',
    description: 'The member is notified by email, and can log in. Returns 409 if the account does not wait.',
    errors: [403, 404, 409],
  }).mutation(async ({ ctx, input: { id, reason } }) => {
    await ctx.db.transaction().execute(async (trx) => {
      const member = await lockApplicant(trx, id)
      await record(trx, ctx, 'member.approve', member, { reason })
      await verifyUser(trx, id, ctx.now)
      await joined(trx, id, ctx.now)
      await notifyApplicant(trx, ctx, member.email, 'approval')
    })
    ctx.mailer.flush()
    return { message: messages.memberApproved }
  }),

  reject: forModerators('POST /admin/members/{id}/reject', 'rejectMember', schema.actOnMember, {
    summary: 'Reject an account that waits for approval',
    description:
      'Removes the account, which frees its username and email. The applicant is notified by email. Returns 409 if the account does not wait.',
    errors: [403, 404, 409],
  }).mutation(async ({ ctx, input: { id, reason } }) => {
    await ctx.db.transaction().execute(async (trx) => {
      const member = await lockApplicant(trx, id)
      await record(trx, ctx, 'member.reject', member, { reason })
      await notifyApplicant(trx, ctx, member.email, 'rejection')
      await store.removeApplicant(trx, id)
    })
    ctx.mailer.flush()
    return { message: messages.memberRejected }
  }),

  logOut: forModerators('POST /admin/members/{id}/log-out', 'logOutMember', schema.actOnMember, {
    summary: 'End all sessions of a member',
    description: 'Revokes all access tokens too.',
    errors: [403, 404],
  }).mutation(({ ctx, input: { id, reason } }) =>
    ctx.db.transaction().execute(async (trx) => {
      await record(trx, ctx, 'member.logOut', await lockSubject(trx, ctx, id), { reason })
      await removeSessions(trx, id)
      await removeAccessTokens(trx, id)
      await removeCalendarLink(trx, id)
      return { message: messages.memberLoggedOut }
    }),
  ),

  sendReset: forModerators('POST /admin/members/{id}/send-reset', 'sendResetToMember', schema.actOnMember, {
    summary: 'Send a member a link to set a new password',
    description: 'At most one email a minute and five an hour (429).',
    errors: [403, 404],
  }).mutation(async ({ ctx, input: { id, reason } }) => {
    await ctx.db.transaction().execute(async (trx) => {
      const member = await lockSubject(trx, ctx, id)
      await record(trx, ctx, 'member.sendReset', member, { reason })
      await sendLink(trx, ctx, 'reset', member)
    })
    ctx.mailer.flush()
    return { message: messages.memberResetSent }
  }),

  removeMember: forAdmins('DELETE /admin/members/{id}', 'deleteMember', schema.actOnMember, {
    summary: 'Schedule the deletion of an account',
    description:
      'As if the member had asked for it: the account is deleted in seven days, and the member is notified by email. The last admin stays (409).',
    errors: [403, 404, 409],
  }).mutation(async ({ ctx, input: { id, reason } }) => {
    await ctx.db.transaction().execute(async (trx) => {
      const member = await lockSubject(trx, ctx, id)
      await checkNotLastAdmin(trx, id)
      await record(trx, ctx, 'member.delete', member, { reason })
      if (member.deletion_at) return
      await scheduleDeletion(trx, id, linkExpiry('keep-account', ctx.now))
      await sendLink(trx, ctx, 'keep-account', member)
    })
    ctx.mailer.flush()
    return { message: messages.deletionScheduled }
  }),
})

type Subject = NonNullable<Awaited<ReturnType<typeof store.lockMember>>>

/** Admins act on everybody, moderators on members without a role. */
async function lockSubject(trx: Db, { member }: MemberContext, id: number): Promise<Subject> {
  const subject = found(await store.lockMember(trx, id), messages.userNotFound)
  if (subject.role !== 'member' && member.role !== 'admin') throw roleMissing()
  return subject
}

async function lockApplicant(trx: Db, id: number): Promise<Subject> {
  const applicant = found(await store.lockMember(trx, id), messages.userNotFound)
  if (!applicant.pending_since) throw conflict(messages.memberNotPending)
  return applicant
}

async function checkNotLastAdmin(trx: Db, id: number): Promise<void> {
  if (await isLastAdmin(trx, id)) throw conflict(messages.lastAdmin)
}

function record(
  trx: Db,
  { member, now }: MemberContext,
  action: AuditAction,
  { id, username }: Subject,
  more: { before?: object; after?: object; reason?: string | undefined },
): Promise<void> {
  return audit(trx, { by: member, action, target: { type: 'user', id, name: username }, ...more, at: now })
}

async function notifyApplicant(
  trx: Db,
  { now }: Context,
  to: string,
  mail: 'approval' | 'rejection',
): Promise<void> {
  await queueNotice(trx, 'application-notice', { to, mail }, now)
}
