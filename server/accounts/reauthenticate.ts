import { confirmationMinutes } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { caseless } from '#server/db/fold.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { badRequest, ReasonedError } from '#server/calls/errors.ts'
import { checkSession } from '#server/calls/procedures.ts'
import { type Credential, findPassword, recordUse } from './credentials-store.ts'
import { isPassword } from './passwords.ts'
import { findProof } from './sessions-store.ts'

/** The names of the account in the limits of guesses: at a login, where it may not exist, and at a confirmation. */
export const loginAccount = (email: string) => `email ${caseless(email)}`
export const confirmationAccount = (userId: number) => `member ${userId}`

/** Checks the limit per address first: guesses that it refuses must not count against the account. */
export async function countGuess(ctx: Context, account: string): Promise<void> {
  await ctx.limit('guessFromAddress', account)
  await ctx.limit('guessFromAnywhere', account)
}

/** Counts the guess only when the password is about to be verified. */
export async function guessPassword(
  ctx: Context,
  account: string,
  { password, credential }: { password: string; credential: Credential | undefined },
): Promise<boolean> {
  const count = () => countGuess(ctx, account)
  return isPassword(password, credential?.secret, { address: ctx.address, count })
}

/** Within a transaction that has locked the account. */
export type Confirm = (trx: Context['db']) => Promise<void>

/**
 * Verifies the password. Without one, the session must have been confirmed recently. Throws BAD_REQUEST if neither is given, and FORBIDDEN if
 * the password is wrong. Guesses are limited per member, so that a stolen session cannot be used to guess the password. The returned function
 * throws FORBIDDEN if the password has changed since: run it in the transaction, before any change.
 */
export async function reauthenticate(
  ctx: Context & { member: Pick<Member, 'id' | 'sessionHash'> },
  { password }: { password: string | undefined },
): Promise<Confirm> {
  if (!password) {
    const proof = await findProof(ctx.db, ctx.member.sessionHash)
    if (isRecent(proof?.confirmed_at, ctx.now)) return async () => {}
    throw badRequest(messages.currentPasswordMissing)
  }
  const credential = await findPassword(ctx.db, ctx.member.id)
  const isCorrect = await guessPassword(ctx, confirmationAccount(ctx.member.id), { password, credential })
  if (!credential || !isCorrect) throw wrongPassword()
  return async (trx) => {
    if (!(await recordUse(trx, credential, ctx.now))) throw wrongPassword()
  }
}

export const proofNote = `Requires a login, or a confirmation, within the last ${confirmationMinutes} minutes (403, \`CONFIRMATION_REQUIRED\`).`

/**
 * For calls that change sign-in methods, create access tokens or export. Throws CONFIRMATION_REQUIRED unless this session began or was confirmed within the last
 * `confirmationMinutes`.
 */
export async function requireProof({
  db,
  member,
  now,
}: Context & { member: Pick<Member, 'sessionHash'> }): Promise<void> {
  const proof = await findProof(db, member.sessionHash)
  checkSession({ hasSession: proof !== undefined })
  if (!isRecent(proof?.confirmed_at, now) && !isRecent(proof?.created_at, now))
    throw new ReasonedError('FORBIDDEN', 'CONFIRMATION_REQUIRED', messages.confirmationRequired)
}

function isRecent(time: string | null | undefined, now: Date): boolean {
  return Boolean(time) && now.getTime() - Date.parse(time!) < confirmationMinutes * 60_000
}

function wrongPassword(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'PASSWORD_WRONG', messages.currentPasswordWrong)
}
