import { merge } from '#shared/merge.ts'
import { settingsFrom, type SettingsChange } from '#shared/notifications.ts'
import type { ImportOptions, RecordLineState } from '#shared/imports.ts'
import type { ImportLineRow, InboxRow } from '#server/db/tables.ts'
import { lockInbox, updateInbox } from '#server/notifications/notify-store.ts'
import { updateLines } from './lines-store.ts'
import type { ImportProgress } from './progress.ts'
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

/** Restores the notification settings of a line. The progress keeps the previous ones for the undo. */
export async function applySettings(
  { db: trx, row: { user_id }, options, progress }: Writing,
  { id }: ImportLineRow,
  change: SettingsChange,
): Promise<void> {
  const inbox = await lockInbox(trx, user_id)
  let state = diffSettings(inbox, change, options)
  if (state === 'new') {
    const written = merged(inbox.settings, change)
    await updateInbox(trx, user_id, { settings: written })
    progress.settings = { before: progress.settings?.before ?? inbox.settings, written, lineId: id }
    progress.applied.settings = 1
    state = 'taken'
  }
  progress.adds.settings = 0
  await updateLines(trx, [{ id, title_id: null, state, note: settingsNote }])
}

/** Returns whether the undo of an import restores earlier notification settings: it has changed them, and the member has not since. */
export function restoresSettings({ settings }: ImportProgress, inbox: Pick<InboxRow, 'settings'>): boolean {
  return settings?.written === inbox.settings
}

/** Reverts the notification settings. Returns 0 if the import has not changed them, otherwise 1. */
export async function revertSettings({ db: trx, row: { user_id }, progress }: Writing): Promise<number> {
  const { settings } = progress
  if (!settings) return 0
  const inbox = await lockInbox(trx, user_id)
  if (restoresSettings(progress, inbox)) await updateInbox(trx, user_id, { settings: settings.before })
  await updateLines(trx, [{ id: settings.lineId, title_id: null, state: 'left', note: settingsNote }])
  delete progress.settings
  return 1
}
