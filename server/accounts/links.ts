import type { TRPCError } from '@trpc/server'
import { caseless } from '#server/db/fold.ts'
import { readSettings } from '#server/members/settings.ts'
import type { LinkPurpose } from '#server/members/tables.ts'
import { joined } from '#server/accounts/notify-store.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { badRequest, ReasonedError, TooManyRequests } from '#server/calls/errors.ts'
import * as mails from './mail-store.ts'
import { queueNotice } from './notices.ts'
import { hashToken, linkExpiry, mailKey, mailKeysOf, mailLimit, mailRetrySeconds, newToken } from './rules.ts'
import * as store from './store.ts'

/** For emails that are not registered. */
const noUserId = 0

/** Runs the same statements whether or not the account exists, so that the response time reveals nothing. */
export async function requestLink(ctx: Context, purpose: 'verify' | 'reset', email: string): Promise<void> {
  await ctx.limit('mailbox', `email ${caseless(email)}`)
  await ctx.db.transaction().execute(async (trx) => {
    const user = await store.lockByEmail(trx, email)
    if (!(await countLink(trx, ctx, purpose, email))) return
    const state = purpose === 'verify' && (user?.verified_at ? 'verified' : user?.pending_since && 'pending')
    await queueLink(trx, ctx, purpose, user ?? { id: noUserId, email }, state || undefined)
  })
  ctx.mailer.flush()
}

/** Throws TOO_MANY_REQUESTS at the limit of the mailbox. */
export async function sendLink(
  trx: Db,
  ctx: Context,
  purpose: LinkPurpose,
  user: { id: number; email: string },
): Promise<void> {
  if (!(await countLink(trx, ctx, purpose, user.email))) throw new TooManyRequests(mailRetrySeconds)
  await queueLink(trx, ctx, purpose, user)
}

/** Returns false at the limit of the mailbox; the links of the counted emails are still valid (`mailWindowMs`). */
async function countLink(trx: Db, { now }: Context, purpose: LinkPurpose, email: string): Promise<boolean> {
  return mails.countMail(trx, mailKey(purpose, email), now, mailLimit(now))
}

/** If the email is verified already, the email says so. Writes nothing if the user does not exist. */
export async function queueLink(
  trx: Db,
  { now }: Context,
  purpose: LinkPurpose,
  { id, email }: { id: number; email: string },
  verified?: 'verified' | 'pending',
): Promise<void> {
  const token = newToken()
  const expiresAt = linkExpiry(purpose, now)
  await mails.removeExpiredMailTokens(trx, id, now)
  const userId = verified ? noUserId : id
  await mails.insertMailToken(trx, { tokenHash: hashToken(token), userId, purpose, expiresAt })
  const content = verified ? { mail: verified } : { mail: purpose, token, expiresAt: expiresAt.toISOString() }
  await mails.insertMailFor(trx, id, { to: email, ...content }, now)
}

/**
 * The reason says if the link did its work before: otherwise a link that a mail scanner or a reload opened first looks broken. Only the
 * holder of the token learns it.
 */
export async function deadLink(
  db: Db,
  now: Date,
  token: string,
  purposes: readonly LinkPurpose[],
  message: string,
): Promise<TRPCError> {
  const used = await mails.findUsedMailToken(db, hashToken(token), purposes, now)
  if (used?.purpose === 'verify' && used.pending_since)
    return new ReasonedError('BAD_REQUEST', 'APPROVAL_PENDING', message)
  const holds =
    used &&
    (used.purpose === 'verify'
      ? used.verified_at !== null
      : used.purpose !== 'keep-account' || used.deletion_at === null)
  return holds ? new ReasonedError('BAD_REQUEST', 'LINK_USED', message) : badRequest(message)
}

/** `pending` waits for the approval of a moderator; `canceled` is a change of email. */
export async function applyVerification(
  trx: Db,
  now: Date,
  { user_id: id, purpose }: { user_id: number; purpose: LinkPurpose },
): Promise<'verified' | 'pending' | 'canceled'> {
  if (purpose === 'change-email') {
    // Links in the old mailbox must no longer give access to the account.
    await mails.removeMailTokens(trx, id, ['reset'])
    const email = await store.confirmPendingEmail(trx, id)
    if (!email) return 'canceled'
    // Earlier requests for this email were counted, although they sent no email.
    await mails.removeMailCounts(trx, mailKeysOf(email))
    return 'verified'
  }
  const { registration } = await readSettings(trx)
  if (registration.mode === 'approval') return store.applyForApproval(trx, id, now)
  await store.verifyUser(trx, id, now)
  await joined(trx, id, now)
  return 'verified'
}

/**
 * Also queues the notice to the current email. Links for another address must have been removed, because a token does not store the address
 * that it verifies.
 */
export async function queueEmailChange(
  trx: Db,
  ctx: Context,
  user: { id: number; email: string },
  newEmail: string,
): Promise<void> {
  if (await countLink(trx, ctx, 'change-email', newEmail))
    await queueLink(trx, ctx, 'change-email', { id: user.id, email: newEmail })
  else if (!(await mails.hasMailToken(trx, user.id, 'change-email', ctx.now)))
    // The counted emails belonged to other accounts: this one has no link.
    throw new TooManyRequests(mailRetrySeconds)
  await queueNotice(trx, 'notice', { to: user.email, mail: 'email-change' }, ctx.now)
}
