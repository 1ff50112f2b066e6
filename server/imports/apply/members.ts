import { noteOf } from '#shared/texts/import-notes.ts'
import { followingMax, importFollowsMax } from '#shared/domain/limits.ts'
import { merge } from '#shared/domain/merge.ts'
import { settingsFrom, type SettingsChange } from '#shared/contracts/notifications.ts'
import { lockInbox, updateInbox } from '#server/accounts/notify-store.ts'
import { findInbox } from '#server/notifications/store.ts'
import { turnHalfStarsOn } from '#server/reviews/library-store.ts'
import { lockMembers } from '#server/social/privacy-store.ts'
import { findCounts, insertFollow } from '#server/social/store.ts'
import type { LineRecord, ParsedFollow } from '#server/imports/read/formats/records.ts'
import { instantOf } from '#server/imports/read/formats/values.ts'
import { logChange } from './journal.ts'
import { updateLine } from '#server/imports/read/lines-store.ts'
import type { ImportContext, Writing } from '#server/imports/context.ts'
import { findFollowable } from '#server/imports/store.ts'

type MemberRecord = Extract<LineRecord, { type: 'follow' | 'settings' }>
type Change = { state: 'new' | 'same' | 'left' | 'notFound'; note: string; followeeId?: number }

export async function compareRecord(context: ImportContext, record: MemberRecord): Promise<Change> {
  return record.type === 'follow'
    ? compareFollow(context, record.follow)
    : compareSettings(context, record.settings)
}

/** Only if the line is still `new`. Nobody is notified. */
export async function applyRecord(writing: Writing, lineId: number, record: MemberRecord): Promise<void> {
  const { db, row, facts } = writing
  // The followee may have blocked the member, or become private.
  const before = await compareRecord(writing, record)
  if (record.type === 'settings') await lockInbox(db, row.user_id)
  else if (before.followeeId !== undefined) await lockMembers(db, [row.user_id, before.followeeId])
  let change = await compareRecord(writing, record)
  if (change.followeeId !== before.followeeId) change = { ...change, state: 'notFound' }
  if (change.state === 'new')
    change =
      record.type === 'follow'
        ? await follow(writing, record.follow, change)
        : await changeSettings(writing, record.settings, change)
  const count = record.type === 'follow' ? 'follows' : 'settings'
  facts.adds[count]--
  if (change.state === 'new') facts.applied[count]++
  await updateLine(db, lineId, { state: change.state === 'new' ? 'taken' : change.state, note: change.note })
}

/** Usernames can be reused: the id must match too. */
async function compareFollow(
  { db, row, options }: ImportContext,
  { username, id }: ParsedFollow,
): Promise<Change> {
  const member = await findFollowable(db, row.user_id, username)
  const note = noteOf('follow', username)
  if (!member || (id !== null && id !== member.id))
    return { state: 'notFound', note: noteOf('followGone', username) }
  const followeeId = member.id
  if (member.followed_at !== null) return { state: 'same', note, followeeId }
  if (!member.isOpen) return { state: 'left', note: noteOf('followAsks', username), followeeId }
  // A restored follow that the member has ended stays ended, unless the file wins conflicts.
  const isLeft = !options.follows || (Boolean(member.was_imported) && options.conflicts === 'mine')
  return { state: isLeft ? 'left' : 'new', note, followeeId }
}

async function follow(writing: Writing, { username, on }: ParsedFollow, change: Change): Promise<Change> {
  const { db: trx, row, facts, now } = writing
  if (facts.applied.follows >= importFollowsMax)
    return { state: 'left', note: noteOf('followLimit', username) }
  if (((await findCounts(trx, row.user_id))?.following_count ?? 0) >= followingMax)
    return { state: 'left', note: noteOf('followsFull', username) }
  const created_at = instantOf(on ?? now.toISOString(), now)
  const followeeId = change.followeeId!
  await insertFollow(trx, { follower_id: row.user_id, followee_id: followeeId, created_at })
  await logChange(writing, { what: 'follow', target_id: followeeId, after: { created_at } })
  return change
}

const merged = (stored: string, sent: SettingsChange) => JSON.stringify(merge(settingsFrom(stored), sent))

/** The member’s own settings stay unless the file wins conflicts. */
async function compareSettings({ db, row, options }: ImportContext, sent: SettingsChange): Promise<Change> {
  const { settings } = await findInbox(db, row.user_id)
  const note = noteOf('settings')
  if (merged(settings, sent) === merged(settings, {})) return { state: 'same', note }
  return { state: settings !== '{}' && options.conflicts === 'mine' ? 'left' : 'new', note }
}

async function changeSettings(writing: Writing, sent: SettingsChange, change: Change): Promise<Change> {
  const { db: trx, row } = writing
  const { settings } = await findInbox(trx, row.user_id)
  const after = { settings: merged(settings, sent) }
  await updateInbox(trx, row.user_id, after)
  await logChange(writing, { what: 'settings', target_id: row.user_id, before: { settings }, after })
  return change
}

/** Unless the member has chosen half stars. Each import with halves has it in its journal, and undoing the last of them turns it off. */
export async function turnOnHalfStars(writing: Writing): Promise<void> {
  const { db: trx, row } = writing
  if (!(await turnHalfStarsOn(trx, row.user_id))) return
  const [before, after] = [{ half_stars: 0 }, { half_stars: 2 }]
  await logChange(writing, { what: 'halfStars', target_id: row.user_id, before, after })
}
