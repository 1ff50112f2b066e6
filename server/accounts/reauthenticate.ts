import { TRPCError } from '@trpc/server'
import { messages } from '#shared/texts/messages.ts'
import type { Context, Member } from '#server/calls/context.ts'
import { ReasonedError } from '#server/calls/errors.ts'
import { type Credential, findPassword, recordUse } from './credentials-store.ts'
import { isPassword } from './passwords.ts'

/**
 * Counts the guess only when the password is about to be verified. Checks the limit per address first: guesses that it refuses must not
 * count against the account.
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

/** Within a transaction that has locked the account. */
export type Confirm = (trx: Context['db']) => Promise<void>

/**
 * Throws BAD_REQUEST without a password, and FORBIDDEN if it is wrong. Limits the guesses per member, so that a stolen session cannot find
 * the password. The returned function throws FORBIDDEN if the password has changed since: run it in the transaction before any change.
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
