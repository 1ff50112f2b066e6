import { sql } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { removeInParts, updateInParts } from '#server/db/rows.ts'
import type { EntryRow } from './tables.ts'

export async function listEntriesOf(
  db: Db,
  titleId: number,
  after: number,
  limit: number,
): Promise<EntryRow[]> {
  return db
    .selectFrom('diary_entries')
    .selectAll()
    .where('media_id', '=', titleId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** On the want list or under way. */
export async function listCurrent(db: Db, titleId: number, userIds: readonly number[]): Promise<EntryRow[]> {
  return db
    .selectFrom('diary_entries')
    .selectAll()
    .where('media_id', '=', titleId)
    .where('status', 'in', ['want', 'started', 'paused'])
    .where(isOneOf(db, 'user_id', userIds))
    .orderBy('id')
    .execute()
}

/**
 * Of members with passes through both titles: the plays, which move too, make new ones. Entries with a note or a rating stay, as over and
 * without plays.
 */
export async function freePasses(trx: Db, from: number, to: number): Promise<void> {
  const isDouble = sql`media_id = ${from} and pass is not null and exists (select 1 from diary_entries as other
    where other.user_id = diary_entries.user_id and other.media_id = ${to} and other.pass is not null)`
  await removeInParts(trx, 'diary_entries', sql`${isDouble} and text = '' and rating_given is null`)
  const freed = sql`pass = null, stated = null, adopted = null, played_at = null, next_on = null,
    status = case when status in ('started', 'paused') then 'dropped' else status end`
  await updateInParts(trx, 'diary_entries', freed, isDouble)
}

export async function moveEntries(trx: Db, ids: readonly number[], to: number): Promise<void> {
  await trx
    .updateTable('diary_entries')
    .set({ media_id: to })
    .where(isOneOf(trx, 'id', ids))
    .execute()
}

/** Over, without a note and a rating; the last one. */
export async function findBlank(
  db: Db,
  userId: number,
  titleIds: readonly number[],
): Promise<EntryRow | undefined> {
  return db
    .selectFrom('diary_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', titleIds))
    .where('status', 'in', ['finished', 'dropped'])
    .where('text', '=', '')
    .where('rating_given', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

export async function updateJoined(
  trx: Db,
  { id, started_on, rating_given, text }: Pick<EntryRow, 'id' | 'started_on' | 'rating_given' | 'text'>,
): Promise<void> {
  await trx
    .updateTable('diary_entries')
    .set({ started_on, rating_given, text })
    .where('id', '=', id)
    .execute()
}
