import type { Db } from '#server/db/open.ts'

type ReviewToRemove = {
  id: number
  comment_count: number
  like_count: number
  dislike_count: number
}

export async function findReviewOf(db: Db, userId: number): Promise<ReviewToRemove | undefined> {
  return db
    .selectFrom('reviews')
    .select(['id', 'comment_count', 'like_count', 'dislike_count'])
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
}

export async function takeComments(trx: Db, reviewId: number, limit: number) {
  return trx
    .deleteFrom('comments')
    .where('id', 'in', (eb) =>
      eb.selectFrom('comments').select('id').where('review_id', '=', reviewId).orderBy('id').limit(limit),
    )
    .returningAll()
    .execute()
}

export async function takeReactions(trx: Db, reviewId: number, limit: number) {
  return trx
    .deleteFrom('reactions')
    .where('review_id', '=', reviewId)
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('reactions')
        .select('user_id')
        .where('review_id', '=', reviewId)
        .orderBy('user_id')
        .limit(limit),
    )
    .returningAll()
    .execute()
}

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

export async function listCommentsBy(db: Db, userId: number, limit: number) {
  return db
    .selectFrom('comments')
    .select(['id', 'review_id'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()
}
