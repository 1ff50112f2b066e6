import { followingMax, importFollowsMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import type { FollowLineState, ImportOptions } from '#shared/imports.ts'
import type { ImportLineRow, ImportRow } from '#server/db/tables.ts'
import type { Db } from '#server/db/open.ts'
import { findFollowCounts, insertFollow, removeFollow } from '#server/social/store.ts'
import type { ImportFacts } from './facts.ts'
import type { ReadingFollow } from './formats/reading.ts'
import { timeOf } from './judge.ts'
import {
  findFollowTime,
  findImportedFollow,
  insertImportedFollow,
  listFollowable,
  removeImportedFollow,
} from './follows-store.ts'
import { updateLines } from './lines-store.ts'

type Judged = { state: FollowLineState; note: string; followeeId: number | null }

/**
 * Compares the follows in an export of this server with the current members and follows. A username alone does not identify a member,
 * because usernames can be reused: the id must match too.
 */
export async function judgeFollows(
  db: Db,
  userId: number,
  follows: readonly ReadingFollow[],
  options: Pick<ImportOptions, 'conflicts' | 'follows'>,
): Promise<Judged[]> {
  const members = new Map(
    (
      await listFollowable(
        db,
        userId,
        follows.map(({ username }) => username),
      )
    ).map((member) => [member.username, member]),
  )
  return follows.map(({ username, id }) => {
    const member = members.get(username)
    if (!member || (id !== null && id !== member.id))
      return {
        state: 'notFound',
        note: `Follow of ${username}, who is not a member any more.`,
        followeeId: null,
      }
    const judged = { note: `Follow of ${username}`, followeeId: member.id }
    if (member.isFollowed) return { ...judged, state: 'same' }
    if (!options.follows) return { ...judged, state: 'left' }
    // Follows that an earlier import restored and the member has ended stay ended, unless the file wins conflicts.
    return { ...judged, state: member.wasImported && options.conflicts === 'mine' ? 'left' : 'new' }
  })
}

/** Follows the member of a line, and records it. Nobody is notified. Changes `facts`. */
export async function applyFollow(
  trx: Db,
  { id: importId, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
  { id, title_id }: ImportLineRow,
  follow: ReadingFollow,
  { options, facts, now }: { options: ImportOptions; facts: ImportFacts; now: Date },
): Promise<void> {
  const [judged] = await judgeFollows(trx, userId, [follow], options)
  let { state, note } = judged!
  const { followeeId } = judged!
  if (state === 'new' && facts.follows.applied >= importFollowsMax)
    [state, note] = ['left', `${note}: an import makes at most ${importFollowsMax} follows.`]
  if (state === 'new' && ((await findFollowCounts(trx, userId))?.following_count ?? 0) >= followingMax)
    [state, note] = ['left', `${note}: ${messages.tooManyFollows}`]
  if (state === 'new' && followeeId !== null) {
    const time = timeOf(follow.on)
    const created_at = time && time < now.toISOString() ? time : now.toISOString()
    const pair = { follower_id: userId, followee_id: followeeId }
    if (await insertFollow(trx, { ...pair, created_at })) {
      await insertImportedFollow(trx, {
        import_id: importId,
        line_id: id,
        followee_id: followeeId,
        created_at,
      })
      facts.follows.applied++
    }
    state = 'taken'
  }
  facts.follows.adds--
  await updateLines(trx, [{ id, title_id, state, note }])
}

/** Undoes the last follow that an import has created. Returns false if there is none. */
export async function undoLastFollow(
  trx: Db,
  { id: importId, user_id: userId }: Pick<ImportRow, 'id' | 'user_id'>,
): Promise<boolean> {
  const row = await findImportedFollow(trx, importId)
  if (!row) return false
  const pair = { follower_id: userId, followee_id: row.followee_id }
  // One that the member has ended and begun again since stays.
  const isSame = (await findFollowTime(trx, userId, row.followee_id)) === row.created_at
  if (isSame) await removeFollow(trx, pair)
  await removeImportedFollow(trx, row)
  return true
}
