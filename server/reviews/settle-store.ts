import { sql } from 'kysely'
import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { areTextsPublic, isUnsettled } from '#server/members/visibility.ts'
import { type AboutColumn, titleOfReview } from './tables.ts'

/** Members whose texts do not have the current `areTextsPublic`, after one of them. */
export async function listUnsettled(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(isUnsettled)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** `id` is what the text is about, of which there is one text of a member: a title or a part. */
type Text = { id: number; title_id: number }

/** `is_public` is not current; by the id of the title or of the part. */
export async function listUnsettledTexts(
  db: Db,
  userId: number,
  about: AboutColumn,
  after: number,
  limit: number,
): Promise<Text[]> {
  return db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select([sql<number>`${sql.ref(`reviews.${about}`)}`.as('id'), titleOfReview.as('title_id')])
    .where('reviews.user_id', '=', userId)
    .where(`reviews.${about}`, '>', after)
    .where('reviews.text', '<>', '')
    .where(sql<boolean>`reviews.is_public <> ${areTextsPublic}`)
    .orderBy(`reviews.${about}`)
    .limit(limit)
    .execute()
}

/**
 * Titles, then the member, as writes of reviews do, but without waiting: several titles and a member would be a deadlock with an import.
 * Returns the titles that were not locked by others, and `areTextsPublic`; undefined if the member was.
 */
export async function lockForSettling(trx: Db, userId: number, titleIds: readonly number[]) {
  const titles = await trx
    .selectFrom('media')
    .select('id')
    .where(isOneOf(trx, 'id', titleIds))
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate().skipLocked())
    .execute()
  const member = await trx
    .selectFrom('users')
    .select(areTextsPublic.as('isPublic'))
    .where('id', '=', userId)
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate().skipLocked())
    .executeTakeFirst()
  return member && { titles: titles.map((row) => row.id), isPublic: member.isPublic }
}

/** And counts the changes. The member is unsettled until `setSettled`, even if their visibility changes back. Requires the locks. */
export async function settleTexts(
  trx: Db,
  userId: number,
  about: AboutColumn,
  { ids: lockedIds, isPublic }: { ids: readonly number[]; isPublic: number },
): Promise<number> {
  const changed = await trx
    .updateTable('reviews')
    .set({ is_public: isPublic })
    .where('user_id', '=', userId)
    .where(isOneOf(trx, about, lockedIds))
    .where('text', '<>', '')
    .where('is_public', '<>', isPublic)
    .returning(about)
    .execute()
  await trx.updateTable('users').set({ has_public_texts: 2 }).where('id', '=', userId).execute()
  const ids = changed.map((row) => (row as Record<AboutColumn, number>)[about])
  await trx
    .updateTable(about === 'media_id' ? 'media' : 'parts')
    .set((eb) => ({ public_text_count: eb('public_text_count', '+', isPublic === 1 ? 1 : -1) }))
    .where(isOneOf(trx, 'id', ids))
    .execute()
  return ids.length
}

export async function setSettled(trx: Db, userId: number, isPublic: number): Promise<void> {
  await trx.updateTable('users').set({ has_public_texts: isPublic }).where('id', '=', userId).execute()
}
