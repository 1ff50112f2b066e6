import { withStoredRating } from '#shared/domain/ratings.ts'
import { pack, unpack } from '#server/db/packed.ts'
import type { ImportChangeRow } from '#server/imports/tables.ts'
import { insertIntoJournal } from './journal-store.ts'
import { bytesOf } from '#server/imports/limits.ts'
import type { Writing } from '#server/imports/context.ts'

type Change = Pick<ImportChangeRow, 'what' | 'target_id'> &
  Partial<Pick<ImportChangeRow, 'title_id' | 'media_id'>> & { before?: object | undefined; after: object }

export function rowOf<Row extends object>(packed: string): Row {
  return withStoredRating(JSON.parse(unpack(packed)) as Row)
}

/** `after` has the written columns; without `before`, the row was added. Counts the bytes. */
export async function logChange(
  { db: trx, row: { id: import_id, user_id }, facts: { grown } }: Writing,
  { before, after, ...target }: Change,
): Promise<void> {
  const change = {
    before: before ? pack(JSON.stringify(before)) : null,
    after: pack(JSON.stringify(after)),
  }
  grown.held += bytesOf('change', change.before, change.after)
  // A changed note takes the place of another.
  if (target.what !== 'listItem' || !before)
    grown.added += bytesOf(target.what, ...Object.values(after).filter((value) => typeof value === 'string'))
  await insertIntoJournal(trx, { import_id, user_id, title_id: null, media_id: null, ...target, ...change })
}
