import { messages } from '#shared/texts/messages.ts'
import type { Context } from '#server/trpc/context.ts'
import { ReasonedError } from '#server/trpc/errors.ts'
import { isPassword } from './passwords.ts'

/**
 * Returns whether a password is correct. Counts the guess only when the password is about to be verified, so that calls that are
 * refused while they wait do not count. Checks the limit per address first: guesses that it refuses must not count against the limit
 * of the account.
 */
export async function guessPassword(
  ctx: Context,
  account: string,
  { password, passwordHash }: { password: string; passwordHash: string | undefined },
): Promise<boolean> {
  const count = async () => {
    await ctx.limit('guessFromAddress', account)
    await ctx.limit('guessFromAnywhere', account)
  }
  return isPassword(password, passwordHash, { address: ctx.address, count })
}

/** Throws FORBIDDEN if the password is wrong. Limits the guesses per member, so that a stolen session cannot find the password. */
export async function checkPassword(
  ctx: Context,
  user: { id: number; password_hash: string },
  password: string,
): Promise<void> {
  const isCorrect = await guessPassword(ctx, `member ${user.id}`, {
    password,
    passwordHash: user.password_hash,
  })
  if (!isCorrect) throw wrongPassword()
}

export function wrongPassword(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'PASSWORD_WRONG', messages.currentPasswordWrong)
}
