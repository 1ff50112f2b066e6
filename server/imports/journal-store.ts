import type { Insertable, Updateable } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { EntryRow, ImportChangeRow, ReviewRow, Tables } from '#server/db/tables.ts'

const storedReviewColumns = [
  'id',
  'media_id',
  'kind',
  'user_id',
  'rating',
  'rating_given',
  'text',
  'has_spoilers',
  'created_at',
  'updated_at',
  'rated_at',
  'like_count',
  'dislike_count',
  'comment_count',
] as const

export type StoredReviewRow = Pick<ReviewRow, (typeof storedReviewColumns)[number]>

/** Lists a member's reviews of these titles. */
export async function listReviewsOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<StoredReviewRow[]> {
  return db
    .selectFrom('reviews')
    .select(storedReviewColumns)
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .execute()
}

/** Lists a member's diary entries of these titles. */
export async function listEntriesOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<EntryRow[]> {
  return db
    .selectFrom('diary_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .orderBy('id')
    .execute()
}

/** Lists which of these titles are favorites of a member. */
export async function listFavoritesOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<{ media_id: number; created_at: string }[]> {
  return db
    .selectFrom('favorites')
    .select(['media_id', 'created_at'])
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .execute()
}

/** Lists what imports of a member wrote of these titles, oldest first. */
export async function listChangesOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<ImportChangeRow[]> {
  return db
    .selectFrom('import_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .orderBy('id')
    .execute()
}

export async function insertChange(db: Db, values: Insertable<Tables['import_changes']>): Promise<void> {
  await db.insertInto('import_changes').values(values).execute()
}

/** Lists what an import wrote before an id, newest first. */
export async function listChangesBefore(
  db: Db,
  importId: number,
  before: number,
  limit: number,
): Promise<ImportChangeRow[]> {
  return db
    .selectFrom('import_changes')
    .selectAll()
    .where('import_id', '=', importId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function updateChange(
  db: Db,
  id: number,
  values: Updateable<Tables['import_changes']>,
): Promise<void> {
  await db.updateTable('import_changes').set(values).where('id', '=', id).execute()
}

export async function removeChanges(db: Db, importId: number, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('import_changes')
      .where('import_id', '=', importId)
      .where(isOneOf(db, 'id', ids))
      .execute()
}

type EntryValues = Pick<EntryRow, 'status' | 'origin'> & Partial<EntryRow>

const openStatuses: EntryRow['status'][] = ['started', 'paused']

/**
 * Updates the columns of an entry that an import writes. Returns false, and changes nothing, if the member has another entry
 * that excludes it: two that are wanted, two that are under way, or two of one origin.
 */
export async function updateImportedEntry(db: Db, id: number, values: EntryValues): Promise<boolean> {
  const { status, origin } = values
  const exclusive: EntryRow['status'][] =
    status === 'want' ? ['want'] : openStatuses.includes(status) ? openStatuses : []
  const { numUpdatedRows } = await db
    .updateTable('diary_entries')
    .set(values)
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('diary_entries as others')
            .select('others.id')
            .whereRef('others.user_id', '=', 'diary_entries.user_id')
            .whereRef('others.id', '<>', 'diary_entries.id')
            .where((of) =>
              of.or([
                ...(exclusive.length > 0
                  ? [
                      of.and([
                        of('others.media_id', '=', of.ref('diary_entries.media_id')),
                        of('others.status', 'in', exclusive),
                      ]),
                    ]
                  : []),
                ...(origin === null ? [] : [of('others.origin', '=', origin)]),
              ]),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
