import { pack } from '#server/db/packed.ts'
import type { ImportChangeRow } from '#server/db/tables.ts'
import { insertIntoJournal } from './journal-store.ts'
import { bytesOf } from './quota.ts'
import type { Writing } from './step.ts'

type Target = Pick<ImportChangeRow, 'what' | 'target_id'> &
  Partial<Pick<ImportChangeRow, 'title_id' | 'media_id'>>

/** Records that an import wrote these columns of a row: what they were, or null if it added the row, and what they are. */
export async function record(
  { db: trx, row: { id: import_id, user_id }, progress }: Writing,
  target: Target,
  was: object | null,
  is: object,
): Promise<void> {
  const before = was && pack(JSON.stringify(was))
  const after = pack(JSON.stringify(is))
  progress.grown.held += bytesOf('change', before, after)
  const nowhere = { title_id: null, media_id: null }
  await insertIntoJournal(trx, { import_id, user_id, ...nowhere, ...target, before, after })
}
