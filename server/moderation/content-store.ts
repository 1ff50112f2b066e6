import { sql } from 'kysely'
import { insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { hasRow, removeInParts } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import type { ReviewRow } from '#server/reviews/tables.ts'
import type { Selectable } from 'kysely'

export type Comment = Selectable<Tables['comments']>
type RemovedReview = Selectable<Tables['removed_reviews']>

const decided = ['id', 'created_at', 'text', 'removed_text', 'has_spoilers', 'own_has_spoilers'] as const

export async function listContentBy(
  db: Db,
  table: 'reviews' | 'comments',
  userId: number,
  after: number,
  limit: number,
) {
  return db
    .selectFrom(table)
    .select(decided)
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function listRemovedReviewsBy(db: Db, userId: number, after: number, limit: number) {
  return db
    .selectFrom('removed_reviews')
    .select(['review_id as id', 'created_at'])
    .where('user_id', '=', userId)
    .where('review_id', '>', after)
    .orderBy('review_id')
    .limit(limit)
    .execute()
}

export async function findWholeReview(db: Db, id: number): Promise<ReviewRow | undefined> {
  return db.selectFrom('reviews').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findRemovedReview(db: Db, id: number): Promise<RemovedReview | undefined> {
  return db.selectFrom('removed_reviews').selectAll().where('review_id', '=', id).executeTakeFirst()
}

export async function lockTitle(trx: Db, id: number): Promise<void> {
  if (isSqlite(trx)) return
  await trx.selectFrom('media').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function findWholeComments(db: Db, ids: readonly number[]): Promise<Comment[]> {
  return db
    .selectFrom('comments')
    .selectAll()
    .where(isOneOf(db, 'comments.id', ids))
    .orderBy('review_id')
    .orderBy('id')
    .execute()
}

export async function updateComment(db: Db, id: number, values: Partial<Comment>): Promise<void> {
  await db.updateTable('comments').set(values).where('id', '=', id).execute()
}

type Row = Record<string, unknown>

export async function insertRemovedReview(trx: Db, row: ReviewRow): Promise<void> {
  await trx
    .insertInto('removed_reviews')
    .values({
      review_id: row.id,
      user_id: row.user_id,
      media_id: row.media_id,
      part_id: row.part_id,
      created_at: row.created_at,
      row: JSON.stringify(row),
    })
    .execute()
}

export async function insertRemovedRows(
  trx: Db,
  reviewId: number,
  table: 'comments' | 'reactions',
  rows: readonly { user_id: number }[],
): Promise<void> {
  await insertMany(
    trx,
    'removed_rows',
    rows.map((row) => ({
      review_id: reviewId,
      user_id: row.user_id,
      table_name: table,
      row: JSON.stringify(row),
    })),
  )
}

export async function takeRemovedRows(trx: Db, reviewId: number, limit: number) {
  const rows = await trx
    .deleteFrom('removed_rows')
    .where('id', 'in', (eb) =>
      eb.selectFrom('removed_rows').select('id').where('review_id', '=', reviewId).orderBy('id').limit(limit),
    )
    .returning(['table_name', 'row'])
    .execute()
  const of = (table: 'comments' | 'reactions') =>
    rows.filter(({ table_name }) => table_name === table).map(({ row }) => JSON.parse(row) as Row)
  return { count: rows.length, comments: of('comments'), reactions: of('reactions') }
}

export async function listRemovedReviewsOf(db: Db, titleId: number, limit: number): Promise<RemovedReview[]> {
  return db
    .selectFrom('removed_reviews')
    .selectAll()
    .where('media_id', '=', titleId)
    .orderBy('review_id')
    .limit(limit)
    .execute()
}

/** Returns false if its author has a removed review of that title. */
export async function moveRemovedReview(trx: Db, removed: RemovedReview, to: number): Promise<boolean> {
  if (await hasRow(trx, 'removed_reviews', { user_id: removed.user_id, media_id: to })) return false
  const whole = JSON.parse(removed.row) as ReviewRow | null
  await trx
    .updateTable('removed_reviews')
    .set({ media_id: to, row: JSON.stringify(whole && { ...whole, media_id: to }) })
    .where('review_id', '=', removed.review_id)
    .execute()
  return true
}

export async function deleteRemovedReview(trx: Db, id: number): Promise<void> {
  await removeInParts(trx, 'removed_rows', sql`review_id = ${id}`)
  await trx.deleteFrom('removed_reviews').where('review_id', '=', id).execute()
}

export async function insertAgain(
  trx: Db,
  table: 'reviews' | 'comments' | 'reactions',
  rows: readonly Row[],
): Promise<void> {
  await insertMany(trx, table, rows)
}

export async function findLastDelivery(trx: Db): Promise<number> {
  const { id } = await trx
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

/** That rows which were inserted again have caused, since the delivery `after`. */
export async function removeDeliveries(
  trx: Db,
  after: number,
  reviewId: number,
  commentIds: readonly number[],
): Promise<void> {
  await trx
    .deleteFrom('webhook_deliveries')
    .where('id', '>', after)
    .where((eb) =>
      eb.or([
        eb.and([eb('event', '=', 'reaction'), eb('thing_id', '=', reviewId)]),
        eb.and([eb('event', '=', 'comment'), isOneOf(trx, 'thing_id', commentIds)]),
      ]),
    )
    .execute()
}

export async function deleteRemovedComment(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('comments').where('id', '=', id).where('removed_text', 'is not', null).execute()
}

export async function forgetText(trx: Db, id: number): Promise<void> {
  await trx
    .updateTable('reviews')
    .set({ removed_text: '' })
    .where('id', '=', id)
    .where('removed_text', 'is not', null)
    .execute()
}
