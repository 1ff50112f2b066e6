import { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { type Credential, findPassword, recordUse } from './credentials-store.ts'
import { isPassword } from './passwords.ts'

/**
 * Returns whether a password is correct. Counts the guess only when the password is about to be verified, so that calls that are
 * refused while they wait do not count. Checks the limit per address first: guesses that it refuses must not count against the limit
 * of the account.
 */
export async function guessPassword(
  ctx: Context,
  account: string,
  { password, credential }: { password: string; credential: Credential | undefined },
): Promise<boolean> {
  const count = async () => {
    await ctx.limit('guessFromAddress', account)
    await ctx.limit('guessFromAnywhere', account)
  }
  return isPassword(password, credential?.secret, { address: ctx.address, count })
}

/** Confirms within a transaction that the caller proved who they are. The account must be locked. */
export type Confirm = (trx: Context['db']) => Promise<void>

/**
 * Every call that asks members who have a session to prove who they are again uses this. Throws BAD_REQUEST without a password, and
 * FORBIDDEN if it is wrong. Limits the guesses per member, so that a stolen session cannot find the password. The returned function
 * throws FORBIDDEN if the password has changed since: the transaction of the call runs it before it changes anything.
 */
export async function reauthenticate(
  ctx: Context & { member: Pick<Member, 'id'> },
  { password }: { password: string | undefined },
): Promise<Confirm> {
  if (!password) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.currentPasswordMissing })
  const credential = await findPassword(ctx.db, ctx.member.id)
  const isCorrect = await guessPassword(ctx, `member ${ctx.member.id}`, { password, credential })
  if (!credential || !isCorrect) throw wrongPassword()
  return async (trx) => {
    if (!(await recordUse(trx, credential, ctx.now))) throw wrongPassword()
  }
}

function wrongPassword(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'PASSWORD_WRONG', messages.currentPasswordWrong)
}
