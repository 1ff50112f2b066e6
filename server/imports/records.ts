import { followingMax, importFollowsMax } from '#shared/domain/limits.ts'
import { merge } from '#shared/domain/merge.ts'
import { messages } from '#shared/texts/messages.ts'
import { settingsFrom, type SettingsChange } from '#shared/contracts/notifications.ts'
import { lockInbox, updateInbox } from '#server/accounts/notify-store.ts'
import { findInbox } from '#server/notifications/store.ts'
import { lockMembers } from '#server/social/privacy-store.ts'
import { findCounts, insertFollow } from '#server/social/store.ts'
import type { Parsed, ParsedFollow } from './formats/parsed.ts'
import { instantOf } from './formats/values.ts'
import { record } from './journal.ts'
import { updateLine } from './lines-store.ts'
import type { ImportContext, Writing } from './step.ts'
import { findFollowable } from './store.ts'

// Lines that are about no title: the members whom the owner of the file follows, and their notification settings.

type ParsedRecord = Extract<Parsed, { type: 'follow' | 'settings' }>
/** What applying a line does if its state is `new`; `note` is for display. */
type Diff = { state: 'new' | 'same' | 'left' | 'notFound'; note: string; followeeId?: number }

/** Compares a line with what the member has. */
export async function diffRecord(context: ImportContext, record: ParsedRecord): Promise<Diff> {
  return record.type === 'follow'
    ? diffFollow(context, record.follow)
    : diffSettings(context, record.settings)
}

/** Applies a line if it is still `new`, and records what it writes. Nobody is notified. */
export async function applyRecord(writing: Writing, lineId: number, record: ParsedRecord): Promise<void> {
  const { db, row, progress } = writing
  // Compared again under the lock: the followee may have blocked the member, or become private.
  const before = await diffRecord(writing, record)
  if (record.type === 'settings') await lockInbox(db, row.user_id)
  else if (before.followeeId !== undefined) await lockMembers(db, [row.user_id, before.followeeId])
  let diff = await diffRecord(writing, record)
  if (diff.followeeId !== before.followeeId) diff = { ...diff, state: 'notFound' }
  if (diff.state === 'new')
    diff =
      record.type === 'follow'
        ? await follow(writing, record.follow, diff)
        : await changeSettings(writing, record.settings, diff)
  const count = record.type === 'follow' ? 'follows' : 'settings'
  progress.adds[count]--
  if (diff.state === 'new') progress.applied[count]++
  await updateLine(db, lineId, { state: diff.state === 'new' ? 'taken' : diff.state, note: diff.note })
}

/**
 * Compares a follow in an export of this server with the current members and follows. A username alone does not identify a member,
 * because usernames can be reused: the id must match too.
 */
async function diffFollow(
  { db, row, options }: ImportContext,
  { username, id }: ParsedFollow,
): Promise<Diff> {
  const member = await findFollowable(db, row.user_id, username)
  const note = `Follow of ${username}`
  if (!member || (id !== null && id !== member.id))
    return { state: 'notFound', note: `${note}, who is not a member any more.` }
  const followeeId = member.id
  if (member.followed_at !== null) return { state: 'same', note, followeeId }
  if (!member.isOpen)
    return { state: 'left', note: `${note}, who accepts followers: ask on their profile.`, followeeId }
  // Follows that an earlier import restored and the member has ended stay ended, unless the file wins conflicts.
  const isLeft = !options.follows || (Boolean(member.was_imported) && options.conflicts === 'mine')
  return { state: isLeft ? 'left' : 'new', note, followeeId }
}

/** Follows a member, unless that would be too many. */
async function follow(writing: Writing, { on }: ParsedFollow, diff: Diff): Promise<Diff> {
  const { db: trx, row, progress, now } = writing
  const left = (why: string): Diff => ({ state: 'left', note: `${diff.note}: ${why}` })
  if (progress.applied.follows >= importFollowsMax)
    return left(`an import makes at most ${importFollowsMax} follows.`)
  if (((await findCounts(trx, row.user_id))?.following_count ?? 0) >= followingMax)
    return left(messages.tooManyFollows)
  const created_at = instantOf(on ?? now.toISOString(), now)
  const followeeId = diff.followeeId!
  await insertFollow(trx, { follower_id: row.user_id, followee_id: followeeId, created_at })
  await record(writing, { what: 'follow', target_id: followeeId, after: { created_at } })
  return diff
}

const merged = (stored: string, change: SettingsChange) => JSON.stringify(merge(settingsFrom(stored), change))

/** Compares notification settings with those of the member, who keeps what they have chosen unless the file wins conflicts. */
async function diffSettings({ db, row, options }: ImportContext, change: SettingsChange): Promise<Diff> {
  const { settings } = await findInbox(db, row.user_id)
  const note = 'Notification settings'
  if (merged(settings, change) === merged(settings, {})) return { state: 'same', note }
  return { state: settings !== '{}' && options.conflicts === 'mine' ? 'left' : 'new', note }
}

async function changeSettings(writing: Writing, change: SettingsChange, diff: Diff): Promise<Diff> {
  const { db: trx, row } = writing
  const { settings } = await findInbox(trx, row.user_id)
  const after = { settings: merged(settings, change) }
  await updateInbox(trx, row.user_id, after)
  await record(writing, { what: 'settings', target_id: row.user_id, before: { settings }, after })
  return diff
}
