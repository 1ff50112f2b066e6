import { messages } from '#shared/texts/messages.ts'
import { findAccess } from '#server/members/visibility.ts'
import type { Context } from './context.ts'
import { ReasonedError } from './errors.ts'
import { found } from './procedures.ts'

type Caller = Pick<Context, 'db' | 'member'>

/** Returns a member, and which of their counts are open to the caller. Throws NOT_FOUND. */
export async function findMember({ db, member }: Caller, userId: number) {
  return found(await findAccess(db, userId, member?.id ?? 0), messages.userNotFound)
}

/** Returns a member as `findMember` does. Throws NOT_FOUND, and FORBIDDEN if the profile is closed to the caller. */
export async function readOpenMember(caller: Caller, userId: number) {
  const access = await findMember(caller, userId)
  if (!access.isOpen) throw closed(messages.profilePrivate)
  return access
}

/** Like `readOpenMember`, for follows. */
export async function readOpenFollows(caller: Caller, userId: number) {
  const access = await readOpenMember(caller, userId)
  if (!access.showsFollows) throw closed(messages.followsHidden)
  return access
}

function closed(text: string): ReasonedError {
  return new ReasonedError('FORBIDDEN', 'PROFILE_PRIVATE', text)
}
