import type { Db } from '#server/db/open.ts'

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
  const rows = await trx
    .deleteFrom('comments')
    .where('id', 'in', (eb) =>
      eb.selectFrom('comments').select('id').where('review_id', '=', reviewId).limit(limit),
    )
    .returning('removed_text')
    .execute()
  const removed = rows.filter(({ removed_text }) => removed_text === null).length
  await trx
    .updateTable('reviews')
    .set((eb) => ({ comment_count: eb('comment_count', '-', removed) }))
    .where('id', '=', reviewId)
    .execute()
  return rows.length
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
