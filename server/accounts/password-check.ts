import { messages } from '#shared/messages.ts'
import type { Context } from '#server/trpc/context.ts'
import { ReasonedError } from '#server/trpc/errors.ts'
import { isPassword } from './passwords.ts'

/** Counts a password guess. Checks the limit per address first: guesses that it refuses must not use up the limit of the account. */
export async function countGuess(ctx: Context, account: string): Promise<void> {
  await ctx.limit('guessFromAddress', account)
  await ctx.limit('guessFromAnywhere', account)
}

/** Throws FORBIDDEN if the password is wrong. Limits the guesses per member, so that a stolen session cannot find the password. */
export async function checkPassword(
  ctx: Context,
  user: { id: number; password_hash: string },
  password: string,
): Promise<void> {
  await countGuess(ctx, `member ${user.id}`)
  if (!(await isPassword(password, user.password_hash))) throw wrongPassword()
}

export function wrongPassword(): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'PASSWORD_WRONG', messages.currentPasswordWrong)
}
