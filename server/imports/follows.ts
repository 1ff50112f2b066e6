import { followingMax, importFollowsMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import type { RecordLineState } from '#shared/imports.ts'
import type { ImportLineRow } from '#server/db/tables.ts'
import { lockMembers } from '#server/privacy/store.ts'
import { findCounts, insertFollow } from '#server/social/store.ts'
import type { ParsedFollow } from './formats/parsed.ts'
import { record } from './journal.ts'
import { updateLine } from './lines-store.ts'
import { instantOf } from './formats/values.ts'
import type { ImportContext, Writing } from './step.ts'
import { listFollowable } from './store.ts'

type FollowDiff = { state: RecordLineState; note: string; followeeId: number | null }

/**
 * Compares the follows in an export of this server with the current members and follows; null stays null. A username alone does not
 * identify a member, because usernames can be reused: the id must match too.
 */
export async function diffFollows(
  { db, row, options }: ImportContext,
  follows: readonly (ParsedFollow | null)[],
): Promise<(FollowDiff | null)[]> {
  const names = follows.flatMap((follow) => follow?.username ?? [])
  const members = new Map((await listFollowable(db, row.user_id, names)).map((each) => [each.username, each]))
  return follows.map((follow) => {
    if (!follow) return null
    const { username, id } = follow
    const member = members.get(username)
    const note = `Follow of ${username}`
    if (!member || (id !== null && id !== member.id))
      return { state: 'notFound', note: `${note}, who is not a member any more.`, followeeId: null }
    const followeeId = member.id
    if (member.followed_at !== null) return { state: 'same', note, followeeId }
    if (member.is_private === 1)
      return { state: 'left', note: `${note}, who accepts followers: ask on their profile.`, followeeId }
    // Follows that an earlier import restored and the member has ended stay ended, unless the file wins conflicts.
    const isLeft = !options.follows || (Boolean(member.was_imported) && options.conflicts === 'mine')
    return { state: isLeft ? 'left' : 'new', note, followeeId }
  })
}

/** Follows the member of a line, and records it. Nobody is notified. */
export async function applyFollow(
  writing: Writing,
  line: ImportLineRow,
  follow: ParsedFollow,
): Promise<void> {
  const { db: trx, progress, now } = writing
  const { user_id: userId } = writing.row
  const diff = async () => (await diffFollows(writing, [follow]))[0]!
  const { followeeId: locked } = await diff()
  if (locked !== null) await lockMembers(trx, [userId, locked])
  // Again, because the followee may have blocked the member, or become private, before the lock.
  const { followeeId: followee_id, ...found } = await diff()
  let { state, note } = found
  const leave = (why: string) => ([state, note] = ['left', `${note}: ${why}`])
  if (state === 'new' && progress.applied.follows >= importFollowsMax)
    leave(`an import makes at most ${importFollowsMax} follows.`)
  if (state === 'new' && ((await findCounts(trx, userId))?.following_count ?? 0) >= followingMax)
    leave(messages.tooManyFollows)
  if (state === 'new' && followee_id !== null && followee_id === locked) {
    const created_at = instantOf(follow.on ?? now.toISOString(), now)
    if (await insertFollow(trx, { follower_id: userId, followee_id, created_at })) {
      await record(writing, { what: 'follow', target_id: followee_id, after: { created_at } })
      progress.applied.follows++
    }
    state = 'taken'
  }
  progress.adds.follows--
  await updateLine(trx, line.id, { state, note })
}
