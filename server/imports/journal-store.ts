import { type Insertable, type Selectable, sql } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { EntryRow, Tables } from '#server/db/tables.ts'

type OwnTable = 'reviews' | 'diary_entries' | 'favorites' | 'import_changes'

/** Lists the rows of a table about these titles that belong to a member, oldest first. */
export async function listOwn<Table extends OwnTable>(
  db: Db,
  table: Table,
  userId: number,
  mediaIds: readonly number[],
): Promise<Selectable<Tables[Table]>[]> {
  const rows = await db
    .selectFrom(table as 'reviews')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .orderBy(table === 'favorites' ? 'media_id' : 'id')
    .execute()
  return rows as never
}

/** Lists the places of these titles in the lists of a member. */
export async function listOwnItems(db: Db, userId: number, mediaIds: readonly number[]) {
  return db
    .selectFrom('list_items')
    .innerJoin('lists', 'lists.id', 'list_items.list_id')
    .select(['list_items.list_id', 'list_items.media_id', 'list_items.note'])
    .where('lists.user_id', '=', userId)
    .where(isOneOf(db, 'list_items.media_id', mediaIds))
    .execute()
}

/** Returns those of these lists that belong to a member. */
export async function listOwnLists(db: Db, userId: number, ids: readonly number[]) {
  const lists = db.selectFrom('lists').selectAll().where('user_id', '=', userId)
  return lists.where(isOneOf(db, 'id', ids)).execute()
}

/** Returns a member’s follows of these members. */
export async function listOwnFollows(db: Db, userId: number, followeeIds: readonly number[]) {
  const follows = db.selectFrom('follows').selectAll().where('follower_id', '=', userId)
  return follows.where(isOneOf(db, 'followee_id', followeeIds)).execute()
}

export async function insertIntoJournal(db: Db, values: Insertable<Tables['import_changes']>): Promise<void> {
  await db.insertInto('import_changes').values(values).execute()
}

/** Lists what an import wrote before an id, newest first. */
export async function listJournalBefore(db: Db, importId: number, before: number, limit: number) {
  const changes = db.selectFrom('import_changes').selectAll().where('import_id', '=', importId)
  return changes.where('id', '<', before).orderBy('id', 'desc').limit(limit).execute()
}

export async function removeFromJournal(db: Db, importId: number, ids: readonly number[]): Promise<void> {
  const changes = db.deleteFrom('import_changes').where('import_id', '=', importId)
  await changes.where(isOneOf(db, 'id', ids)).execute()
}

type EntryValues = Pick<EntryRow, 'status' | 'origin'> & Partial<EntryRow>

/**
 * Updates the columns of an entry that an import writes. Returns false, and changes nothing, if the member has another entry
 * that excludes it: two that are wanted, two that are under way, or two of one origin.
 */
export async function updateImportedEntry(db: Db, id: number, values: EntryValues): Promise<boolean> {
  const { status, origin } = values
  const isOpen = status === 'started' || status === 'paused'
  const excluded = isOpen ? ['started', 'paused'] : status === 'want' ? ['want'] : ['none']
  const { numUpdatedRows } = await db
    .updateTable('diary_entries')
    .set(values)
    .where('id', '=', id)
    .where(
      sql<boolean>`not exists (select 1 from diary_entries as others
        where others.user_id = diary_entries.user_id and others.id <> diary_entries.id and (others.origin = ${origin}
          or (others.media_id = diary_entries.media_id and others.status in (${sql.join(excluded)}))))`,
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
