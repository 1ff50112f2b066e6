import { sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'

/** Returns the members whose accounts are due to be deleted, the first due first; at most 1,000. */
export async function listDueDeletions(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('deletion_at', '<=', now.toISOString())
    .orderBy('deletion_at')
    .limit(1_000)
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks an account that is due. Returns undefined if it is not, because the member kept it or it is gone. */
export async function lockDueAccount(
  trx: Db,
  id: number,
  now: Date,
): Promise<{ email: string; pending_email: string | null } | undefined> {
  return trx
    .selectFrom('users')
    .select(['email', 'pending_email'])
    .where('id', '=', id)
    .where('deletion_at', '<=', now.toISOString())
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

/**
 * Makes an account anonymous: frees its username and email, and hides it from lists like an unverified account. The replacement is
 * not a valid username or email, so it cannot be taken.
 */
export async function anonymize(trx: Db, id: number): Promise<void> {
  const replacement = `[deleted ${id}]`
  await trx
    .updateTable('users')
    .set({
      username: replacement,
      username_folded: replacement,
      username_key: null,
      search_text: '',
      email: replacement,
      email_folded: replacement,
      pending_email: null,
      password_hash: '',
      verified_at: null,
    })
    .where('id', '=', id)
    .execute()
}

/** Removes the emails to these addresses from the outbox, sent or not. */
export async function removeMailsTo(trx: Db, emails: readonly string[]): Promise<void> {
  await trx.deleteFrom('outbox').where('recipient', 'in', emails).execute()
}

/** Tables without counters, each with a column that identifies a row among those of a member. */
const owned = {
  favorites: 'media_id',
  diary_entries: 'id',
  import_keys: 'key',
  idempotency_keys: 'key_hash',
  changes: 'id',
} as const

/** Removes up to `limit` rows of a member. Returns how many. */
export async function removeOwned(
  db: Db,
  table: keyof typeof owned,
  userId: number,
  limit: number,
): Promise<number> {
  const [name, key] = [sql.table(table), sql.ref(owned[table])]
  const { numAffectedRows } = await sql`delete from ${name} where user_id = ${userId} and ${key} in
    (select ${key} from ${name} where user_id = ${userId} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Removes up to `limit` deliveries to a member's webhooks. Returns how many. */
export async function removeDeliveries(db: Db, userId: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
        .select('webhook_deliveries.id')
        .where('webhooks.user_id', '=', userId)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns the id of a member's oldest import. */
export async function findImportOf(db: Db, userId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Stops an import, so that the worker leaves it alone. */
export async function haltImport(db: Db, importId: number): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'stopped', next_at: null })
    .where('id', '=', importId)
    .execute()
}

type ReviewToRemove = {
  id: number
  comment_count: number
  like_count: number
  dislike_count: number
}

/** Returns one of a member's reviews. */
export async function findReviewOf(db: Db, userId: number): Promise<ReviewToRemove | undefined> {
  return db
    .selectFrom('reviews')
    .select(['id', 'comment_count', 'like_count', 'dislike_count'])
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
}

/** Removes up to `limit` comments on a review, which must be locked. Updates its counter. Returns how many. */
export async function removeCommentsOn(trx: Db, reviewId: number, limit: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('comments')
    .where('id', 'in', (eb) =>
      eb.selectFrom('comments').select('id').where('review_id', '=', reviewId).limit(limit),
    )
    .executeTakeFirst()
  const removed = Number(numDeletedRows)
  await trx
    .updateTable('reviews')
    .set((eb) => ({ comment_count: eb('comment_count', '-', removed) }))
    .where('id', '=', reviewId)
    .execute()
  return removed
}

/** Removes up to `limit` reactions to a review, which must be locked. Updates its counters. Returns how many. */
export async function removeReactionsTo(trx: Db, reviewId: number, limit: number): Promise<number> {
  const rows = await trx
    .deleteFrom('reactions')
    .where('review_id', '=', reviewId)
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('reactions').select('user_id').where('review_id', '=', reviewId).limit(limit),
    )
    .returning('reaction')
    .execute()
  const likes = rows.filter(({ reaction }) => reaction === 'like').length
  await trx
    .updateTable('reviews')
    .set((eb) => ({
      like_count: eb('like_count', '-', likes),
      dislike_count: eb('dislike_count', '-', rows.length - likes),
    }))
    .where('id', '=', reviewId)
    .execute()
  return rows.length
}

/** Returns the ids of reviews that a member has reacted to, in ascending order. */
export async function listReactedReviews(db: Db, userId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('reactions')
    .select('review_id')
    .where('user_id', '=', userId)
    .orderBy('review_id')
    .limit(limit)
    .execute()
  return rows.map(({ review_id }) => review_id)
}

/** Returns comments of a member, sorted by id. */
export async function listCommentsBy(
  db: Db,
  userId: number,
  limit: number,
): Promise<{ id: number; review_id: number }[]> {
  return db
    .selectFrom('comments')
    .select(['id', 'review_id'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns follows of a member or, if there are none, follows by others of the member. */
export async function listFollowsOf(
  db: Db,
  userId: number,
  limit: number,
): Promise<{ follower_id: number; followee_id: number }[]> {
  for (const side of ['follower_id', 'followee_id'] as const) {
    const rows = await db
      .selectFrom('follows')
      .select(['follower_id', 'followee_id'])
      .where(side, '=', userId)
      .limit(limit)
      .execute()
    if (rows.length > 0) return rows
  }
  return []
}

/** Clears the creator of up to `limit` titles that a member created. Returns how many. */
export async function disownTitles(db: Db, userId: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ created_by: null })
    .where('id', 'in', (eb) =>
      eb.selectFrom('media').select('id').where('created_by', '=', userId).limit(limit),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Clears the picture of a profile. Returns its path; undefined if there is none. */
export async function takePicture(trx: Db, userId: number): Promise<string | undefined> {
  const row = await trx.selectFrom('users').select('picture').where('id', '=', userId).executeTakeFirst()
  if (!row?.picture) return undefined
  await trx.updateTable('users').set({ picture: null }).where('id', '=', userId).execute()
  return row.picture
}

/** Returns the paths of a member's uploads, oldest first. */
export async function listUploadsOf(db: Db, userId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('path')
    .where('owner_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ path }) => path)
}

/** Clears the owner of the pictures. */
export async function disownUploads(trx: Db, paths: readonly string[]): Promise<void> {
  await trx.updateTable('uploads').set({ owner_id: null }).where('path', 'in', paths).execute()
}

const contents = [
  ['reviews', 'user_id'],
  ['reactions', 'user_id'],
  ['comments', 'user_id'],
  ['favorites', 'user_id'],
  ['diary_entries', 'user_id'],
  ['follows', 'follower_id'],
  ['follows', 'followee_id'],
  ['imports', 'user_id'],
  ['import_keys', 'user_id'],
] as const

/** Removes an account, which must be locked. Returns false, and removes nothing, if rows still belong to it. */
export async function removeEmptyAccount(trx: Db, id: number): Promise<boolean> {
  const { isEmpty } = await trx
    .selectNoFrom((eb) =>
      eb
        .not(
          eb.or(
            contents.map(([table, column]) =>
              eb.exists(
                eb
                  .selectFrom(table)
                  .select(eb.lit(1).as('one'))
                  .where(sql.ref(`${table}.${column}`), '=', id),
              ),
            ),
          ),
        )
        .as('isEmpty'),
    )
    .executeTakeFirstOrThrow()
  if (!isEmpty) return false
  await trx.deleteFrom('users').where('id', '=', id).execute()
  return true
}
