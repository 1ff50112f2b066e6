import * as accounts from '#shared/contracts/accounts.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Db } from '#server/db/open.ts'
import type { MemberContext } from '#server/calls/context.ts'
import { callsIn, checkSession, found, router } from '#server/calls/procedures.ts'
import { conflict, forbidden } from '#server/calls/errors.ts'
import { deadLink, sendLink } from './links.ts'
import * as mails from './mail-store.ts'
import { type Confirm, reauthenticate } from './reauthenticate.ts'
import { hashToken, linkExpiry, presentDeletion } from './rules.ts'
import * as store from './store.ts'

const { forAll, forMembers } = callsIn('Accounts')

export const deletionRouter = router({
  deletion: forMembers('GET /users/me/deletion', 'getDeletion', accounts.getDeletion, {
    summary: 'Preview the deletion of the caller’s own account',
    description:
      'Returns when the account will be deleted, if that is scheduled, and counts what the deletion removes and keeps.',
    scope: 'session',
    isForSuspended: true,
    returnsData: 'own',
  }).query(async ({ ctx: { db, member } }) => {
    const user = found(await store.findMe(db, member.id))
    return presentDeletion(user, await store.countContents(db, member.id))
  }),

  requestDeletion: forMembers('POST /users/me/deletion', 'requestDeletion', accounts.requestDeletion, {
    summary: 'Schedule the deletion of the caller’s own account',
    description:
      'The account is deleted in seven days, with everything that belongs to it, and cannot be restored. Nothing changes until then. `DELETE /users/me/deletion`, or the link in an email to the member, cancels the deletion. A repeated call does not postpone it. Returns 403 if the password is wrong, and for demo accounts; 409 for the last admin.',
    errors: [403, 409, 503],
    scope: 'session',
    isForSuspended: true,
    limit: 'write',
  }).mutation(async ({ ctx, input: { currentPassword } }) => {
    const user = found(await store.findAccount(ctx.db, ctx.member.id))
    const confirm = await reauthenticate(ctx, { password: currentPassword })
    if (user.is_demo) throw forbidden(messages.demoAccountStays)
    const deletionAt = await ctx.db.transaction().execute((trx) => scheduleDeletion(trx, ctx, user, confirm))
    ctx.mailer.flush()
    return { message: messages.deletionScheduled, deletionAt }
  }),

  cancelDeletion: forMembers('DELETE /users/me/deletion', 'cancelDeletion', accounts.cancelDeletion, {
    summary: 'Cancel the deletion of the caller’s own account',
    description: 'Changes nothing if no deletion is scheduled.',
    scope: 'session',
    isForSuspended: true,
    limit: 'write',
  }).mutation(({ ctx: { db, member, now } }) =>
    db.transaction().execute(async (trx) => {
      checkSession(await store.lockAccount(trx, member))
      await cancelDeletion(trx, member.id, now)
      return { message: messages.deletionCanceled }
    }),
  ),

  keepAccount: forAll('POST /auth/keep-account', 'keepAccount', accounts.keepAccount, {
    summary: 'Cancel the deletion of an account by an emailed link',
    description:
      'Takes the token of the link in the email that `POST /users/me/deletion` sends. Once the deletion is canceled, it is refused with the reason `LINK_USED`.',
    limit: 'write',
  }).mutation(({ ctx, input: { token } }) =>
    ctx.db.transaction().execute(async (trx) => {
      await store.lockByMailToken(trx, hashToken(token))
      const link = await mails.takeMailToken(trx, hashToken(token), ['keep-account'], ctx.now)
      if (!link) throw await deadLink(trx, ctx.now, token, ['keep-account'], messages.deletionLinkFailed)
      await cancelDeletion(trx, link.user_id, ctx.now)
      return { message: messages.deletionCanceled }
    }),
  ),
})

type Account = NonNullable<Awaited<ReturnType<typeof store.findAccount>>>

/** Queues the email with the link that cancels it. Changes nothing if the deletion is already scheduled. */
async function scheduleDeletion(
  trx: Db,
  ctx: MemberContext,
  user: Account,
  confirm: Confirm,
): Promise<string> {
  const at = linkExpiry('keep-account', ctx.now)
  checkSession(await store.lockAccount(trx, ctx.member))
  if (await store.isLastAdmin(trx, user.id)) throw conflict(messages.lastAdmin)
  const isScheduled = await mails.hasMailToken(trx, user.id, 'keep-account', ctx.now)
  await confirm(trx)
  const deletionAt = await store.scheduleDeletion(trx, user.id, at)
  if (isScheduled) return deletionAt
  await sendLink(trx, ctx, 'keep-account', user)
  return deletionAt
}

/** Also uses up the links that cancel it. */
async function cancelDeletion(trx: Db, id: number, now: Date): Promise<void> {
  await store.cancelDeletion(trx, id)
  await mails.useUpMailTokens(trx, id, 'keep-account', now)
}
