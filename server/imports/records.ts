import { followingMax, importFollowsMax } from '#shared/domain/limits.ts'
import { merge } from '#shared/domain/merge.ts'
import { messages } from '#shared/texts/messages.ts'
import { settingsFrom, type SettingsChange } from '#shared/contracts/notifications.ts'
import type { ImportLineRow } from './tables.ts'
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
type Diff = { state: 'new' | 'same' | 'left' | 'notFound'; note: string }

/** Compares a line with what the member has. */
export async function diffRecord(context: ImportContext, parsed: ParsedRecord): Promise<Diff> {
  if (parsed.type === 'follow') return diffFollow(context, parsed.follow)
  return diffSettings(context, (await findInbox(context.db, context.row.user_id)).settings, parsed.settings)
}

/** Applies a line if it is still `new`, and records what it writes. Nobody is notified. */
export async function applyRecord(
  writing: Writing,
  line: ImportLineRow,
  parsed: ParsedRecord,
): Promise<void> {
  const isFollow = parsed.type === 'follow'
  const { state, note } = await (isFollow
    ? applyFollow(writing, parsed.follow)
    : applySettings(writing, parsed.settings))
  const { adds, applied } = writing.progress
  const count = isFollow ? 'follows' : 'settings'
  adds[count]--
  if (state === 'new') applied[count]++
  await updateLine(writing.db, line.id, { state: state === 'new' ? 'taken' : state, note })
}

/**
 * Compares a follow in an export of this server with the current members and follows. A username alone does not identify a member,
 * because usernames can be reused: the id must match too.
 */
async function diffFollow(
  { db, row, options }: ImportContext,
  { username, id }: ParsedFollow,
): Promise<Diff & { followeeId?: number }> {
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

async function applyFollow(writing: Writing, follow: ParsedFollow): Promise<Diff> {
  const { db: trx, row, progress, now } = writing
  const { followeeId: locked } = await diffFollow(writing, follow)
  if (locked !== undefined) await lockMembers(trx, [row.user_id, locked])
  // Again, because the followee may have blocked the member, or become private, before the lock.
  const { followeeId, state, note } = await diffFollow(writing, follow)
  const left = (why: string): Diff => ({ state: 'left', note: `${note}: ${why}` })
  if (state !== 'new') return { state, note }
  if (followeeId === undefined || followeeId !== locked) return { state: 'notFound', note }
  if (progress.applied.follows >= importFollowsMax)
    return left(`an import makes at most ${importFollowsMax} follows.`)
  if (((await findCounts(trx, row.user_id))?.following_count ?? 0) >= followingMax)
    return left(messages.tooManyFollows)
  const created_at = instantOf(follow.on ?? now.toISOString(), now)
  await insertFollow(trx, { follower_id: row.user_id, followee_id: followeeId, created_at })
  await record(writing, { what: 'follow', target_id: followeeId, after: { created_at } })
  return { state, note }
}

const merged = (stored: string, change: SettingsChange) => JSON.stringify(merge(settingsFrom(stored), change))

/** Compares notification settings with those of the member, who keeps what they have chosen unless the file wins conflicts. */
function diffSettings(
  { options }: Pick<ImportContext, 'options'>,
  settings: string,
  change: SettingsChange,
): Diff {
  const note = 'Notification settings'
  if (merged(settings, change) === merged(settings, {})) return { state: 'same', note }
  return { state: settings !== '{}' && options.conflicts === 'mine' ? 'left' : 'new', note }
}

async function applySettings(writing: Writing, change: SettingsChange): Promise<Diff> {
  const { db: trx, row } = writing
  const { settings } = await lockInbox(trx, row.user_id)
  const diff = diffSettings(writing, settings, change)
  if (diff.state !== 'new') return diff
  const after = { settings: merged(settings, change) }
  await updateInbox(trx, row.user_id, after)
  await record(writing, { what: 'settings', target_id: row.user_id, before: { settings }, after })
  return diff
}
