import { countLink, queueLink } from '#server/accounts/links.ts'
import { mailRetrySeconds } from '#server/accounts/rules.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { TooManyRequests } from '#server/calls/errors.ts'

/** Emails a member a link to set a new password. Throws TOO_MANY_REQUESTS if the mailbox has reached its limit. */
export async function sendResetLink(
  trx: Db,
  ctx: Context,
  member: { id: number; email: string },
): Promise<void> {
  if (!(await countLink(trx, ctx, 'reset', member.email))) throw new TooManyRequests(mailRetrySeconds)
  await queueLink(trx, ctx, 'reset', member)
}

/** Emails a member the link that cancels the deletion of the account. Throws TOO_MANY_REQUESTS if the mailbox has reached its limit. */
export async function sendKeepLink(
  trx: Db,
  ctx: Context,
  member: { id: number; email: string },
): Promise<void> {
  if (!(await countLink(trx, ctx, 'keep-account', member.email))) throw new TooManyRequests(mailRetrySeconds)
  await queueLink(trx, ctx, 'keep-account', member)
}
