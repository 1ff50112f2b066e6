import { merge } from '#shared/merge.ts'
import { settingsFrom, type SettingsChange } from '#shared/notifications.ts'
import type { ImportOptions, RecordLineState } from '#shared/imports.ts'
import type { ImportLineRow, InboxRow } from '#server/db/tables.ts'
import { lockInbox, updateInbox } from '#server/notifications/notify-store.ts'
import { record } from './journal.ts'
import { updateLine } from './lines-store.ts'
import type { Writing } from './step.ts'

export const settingsNote = 'Notification settings'

const merged = (stored: string, change: SettingsChange) => JSON.stringify(merge(settingsFrom(stored), change))

/** Compares the notification settings of a file with those of the member, who keeps what they have chosen unless the file wins conflicts. */
export function diffSettings(
  { settings }: Pick<InboxRow, 'settings'>,
  change: SettingsChange,
  { conflicts }: Pick<ImportOptions, 'conflicts'>,
): RecordLineState {
  if (merged(settings, change) === merged(settings, {})) return 'same'
  return settings !== '{}' && conflicts === 'mine' ? 'left' : 'new'
}

/** Restores the notification settings of a line, and records it. */
export async function applySettings(
  writing: Writing,
  { id }: ImportLineRow,
  change: SettingsChange,
): Promise<void> {
  const {
    db: trx,
    row: { user_id },
    options,
    progress,
  } = writing
  const inbox = await lockInbox(trx, user_id)
  let state = diffSettings(inbox, change, options)
  if (state === 'new') {
    const before = { settings: inbox.settings }
    const after = { settings: merged(inbox.settings, change) }
    await updateInbox(trx, user_id, after)
    await record(writing, { what: 'settings', target_id: user_id, before, after })
    progress.applied.settings = 1
    state = 'taken'
  }
  progress.adds.settings = 0
  await updateLine(trx, id, { state, note: settingsNote })
}
