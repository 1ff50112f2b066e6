import { messages } from '#shared/texts/messages.ts'
import { findAccess } from '#server/members/visibility.ts'
import type { Context } from './context.ts'
import { ReasonedError } from './errors.ts'
import { found } from './procedures.ts'

type Caller = Pick<Context, 'db' | 'member'>

/** Returns the counts of a member, and what of them is open to the caller. Throws NOT_FOUND if there is no such member. */
export async function findMember({ db, member }: Caller, userId: number) {
  return found(await findAccess(db, userId, member?.id ?? 0), messages.userNotFound)
}

/**
 * Returns the counts of a member whose reviews, favorites and lists the caller may see. Throws NOT_FOUND if there is no such member, and
 * FORBIDDEN if the profile is closed to the caller.
 */
export async function readOpenMember(caller: Caller, userId: number) {
  const access = await findMember(caller, userId)
  if (!access.isOpen) throw closed(messages.profilePrivate)
  return access
}

/** Like `readOpenMember`, for whom a member follows, and the followers. */
export async function readOpenFollows(caller: Caller, userId: number) {
  const access = await readOpenMember(caller, userId)
  if (!access.showsFollows) throw closed(messages.followsHidden)
  return access
}

function closed(text: string): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'PROFILE_PRIVATE', text)
}
