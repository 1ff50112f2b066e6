import { sql } from 'kysely'
import type { Kind } from '#shared/media.ts'
import type { Db } from '#server/db/open.ts'
import type { EntryRow } from '#server/db/tables.ts'

const entryColumns = [
  'id',
  'media_id',
  'status',
  'started_on',
  'finished_on',
  'is_again',
  'rating_given',
  'text',
  'origin',
  'created_at',
  'updated_at',
] as const
export type ExportedEntryRow = Pick<EntryRow, (typeof entryColumns)[number]>

/** Lists a member's diary entries by the id of the title, then by status: the order of an index. */
export async function listEntries(
  db: Db,
  userId: number,
  after: Pick<EntryRow, 'media_id' | 'status' | 'id'> | undefined,
  limit: number,
  kind?: Kind,
): Promise<ExportedEntryRow[]> {
  return db
    .selectFrom('diary_entries')
    .select(entryColumns)
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query
        // Alone, SQLite would not use the row comparison to find its place in the index.
        .where('media_id', '>=', after!.media_id)
        .where(sql<boolean>`(media_id, status, id) > (${after!.media_id}, ${after!.status}, ${after!.id})`),
    )
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('media_id')
    .orderBy('status')
    .orderBy('id')
    .limit(limit)
    .execute()
}
