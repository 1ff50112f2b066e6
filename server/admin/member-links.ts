import { countLink, queueLink } from '#server/accounts/links.ts'
import { mailRetrySeconds } from '#server/accounts/rules.ts'
import type { Db } from '#server/db/open.ts'
import type { Context } from '#server/calls/context.ts'
import { TooManyRequests } from '#server/calls/errors.ts'

/** Throws TOO_MANY_REQUESTS at the limit of the mailbox. */
export async function sendResetLink(
  trx: Db,
  ctx: Context,
  member: { id: number; email: string },
): Promise<void> {
  if (!(await countLink(trx, ctx, 'reset', member.email))) throw new TooManyRequests(mailRetrySeconds)
  await queueLink(trx, ctx, 'reset', member)
}

/** Throws TOO_MANY_REQUESTS at the limit of the mailbox. */
export async function sendKeepLink(
  trx: Db,
  ctx: Context,
  member: { id: number; email: string },
): Promise<void> {
  if (!(await countLink(trx, ctx, 'keep-account', member.email))) throw new TooManyRequests(mailRetrySeconds)
  await queueLink(trx, ctx, 'keep-account', member)
}
