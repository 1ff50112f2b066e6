import { z } from 'zod'
import { loginLinkMinutes, signInStepMinutes } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Config } from '#server/config.ts'
import type { MeRow, StepKind, UserRow } from '#server/members/tables.ts'
import type { Db } from '#server/db/open.ts'
import type { Context, MemberContext } from '#server/calls/context.ts'
import { ReasonedError, SecondFactorRequired } from '#server/calls/errors.ts'
import { findStep, findTotp, insertStep, takeStep } from './credentials-store.ts'
import { type Identity, identitySchema } from './identity.ts'
import { linkIdentity } from './providers.ts'
import { confirmationAccount, loginAccount } from './reauthenticate.ts'
import { hashToken, newToken, presentMe, sessionEnd } from './rules.ts'
import * as sessions from './sessions-store.ts'

/** Throws FORBIDDEN unless the email of an account is verified and, where moderators review accounts, the account approved. */
export function checkMayLogIn(user: Pick<UserRow, 'verified_at' | 'pending_since'>): void {
  if (user.verified_at) return
  throw user.pending_since
    ? new ReasonedError('FORBIDDEN', 'APPROVAL_PENDING', messages.approvalPending)
    : new ReasonedError('FORBIDDEN', 'EMAIL_UNVERIFIED', messages.verifyFirst)
}

/**
 * Starts a session for the member that `identify` returns after locking the account. Every login ends here. Throws SecondFactorRequired if
 * the account has a second factor, unless `replacesFactor`. `identity` is the login at a provider that the session begins with, and `link` one
 * that is linked to the account once the login is complete.
 */
export async function startSession(
  ctx: Context,
  identify: (trx: Db) => Promise<MeRow>,
  {
    replacesFactor = false,
    identity,
    link,
  }: { replacesFactor?: boolean; identity?: Identity; link?: Identity } = {},
) {
  const [token, pageKey, ticket] = [newToken(), newToken(), newToken()]
  await sessions.removeExpiredSessions(ctx.db, ctx.now)
  const { user, isComplete } = await ctx.db.transaction().execute(async (trx) => {
    const user = await identify(trx)
    if (!replacesFactor && (await findTotp(trx, user.id))) {
      const step = { keyHash: hashToken(ticket), kind: 'second-factor', userId: user.id } as const
      const details = JSON.stringify({ link })
      await insertStep(trx, { ...step, details, expiresAt: stepEnd(ctx.now) })
      return { user, isComplete: false }
    }
    const linked = link ? await linkIdentity(ctx, trx, user.id, link) : undefined
    const session = {
      tokenHash: hashToken(token),
      pageHash: hashToken(pageKey),
      userId: user.id,
      userAgent: ctx.userAgent,
      language: ctx.browserLanguage?.(),
      expiresAt: sessionEnd(ctx.now),
      identity: identity ?? link,
    }
    await sessions.insertSession(trx, session, ctx.now)
    return { user: linked ?? user, isComplete: true }
  })
  if (!isComplete) throw new SecondFactorRequired(ticket)
  ctx.response.pageKey = pageKey
  for (const account of [loginAccount(user.email), confirmationAccount(user.id)]) ctx.recordLogin(account)
  if (link) ctx.mailer.flush()
  return { token, user: presentMe(user) }
}

/**
 * Finds a pending step by its key, which `take` consumes. `take` throws TICKET_EXPIRED with this message if another call has consumed it.
 * Returns undefined if there is no such step, or if it has expired.
 */
export async function findPendingStep(
  { db, now }: Pick<Context, 'db' | 'now'>,
  key: string,
  kind: StepKind,
  message: string = messages.ticketExpired,
) {
  const keyHash = hashToken(key)
  const step = await findStep(db, keyHash, kind, now)
  if (!step) return undefined
  return {
    userId: step.user_id,
    details: step.details,
    take: async (trx: Db) => {
      if (!(await takeStep(trx, keyHash, kind, now))) throw expired(message)
    },
  }
}

export function expired(message: string = messages.ticketExpired): ReasonedError {
  return new ReasonedError('UNAUTHORIZED', 'TICKET_EXPIRED', message)
}

export const secondFactorStep = z.object({ link: identitySchema.optional() })

export function stepEnd(now: Date): Date {
  return new Date(now.getTime() + signInStepMinutes * 60_000)
}

/**
 * Returns a one-time login link. The token is in the URL fragment, which browsers never send, so it appears in no proxy log and no referrer.
 */
export async function newLoginLink(
  trx: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  userId: number,
  now: Date,
): Promise<string> {
  const token = newToken()
  const expiresAt = new Date(now.getTime() + loginLinkMinutes * 60_000)
  await insertStep(trx, { keyHash: hashToken(token), kind: 'login-link', userId, expiresAt })
  return `${publicUrl}/login#link=${token}`
}

/** Gives the session of the caller a new cookie that opens their pages. */
export async function renewPages(ctx: MemberContext, db: Db): Promise<void> {
  const pageKey = newToken()
  await sessions.setPageHash(db, ctx.member.sessionHash, hashToken(pageKey))
  ctx.response.pageKey = pageKey
}
