import type { Kind } from '#shared/media.ts'
import type { Db } from '#server/db/open.ts'
import type { ReviewRow, Tables } from '#server/db/tables.ts'

const reviewColumns = [
  'media_id',
  'rating',
  'rating_given',
  'text',
  'has_spoilers',
  'created_at',
  'updated_at',
  'rated_at',
] as const
export type ExportedReviewRow = Pick<ReviewRow, (typeof reviewColumns)[number]>

/** Lists a member's reviews by the id of the title. */
export async function listReviews(
  db: Db,
  userId: number,
  after: { media_id: number } | undefined,
  limit: number,
  kind?: Kind,
): Promise<ExportedReviewRow[]> {
  return db
    .selectFrom('reviews')
    .select(reviewColumns)
    .where('user_id', '=', userId)
    .where('media_id', '>', after?.media_id ?? 0)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('media_id')
    .limit(limit)
    .execute()
}

/** `author` is the username of the author of the review. */
type OfReview = { media_id: number; author: string }
export type ExportedReactionRow = OfReview & Omit<Tables['reactions'], 'user_id'>

/** Lists a member's reactions by the ids of the reviews. */
export async function listReactions(
  db: Db,
  userId: number,
  after: { review_id: number } | undefined,
  limit: number,
): Promise<ExportedReactionRow[]> {
  return db
    .selectFrom('reactions')
    .innerJoin('reviews', 'reviews.id', 'reactions.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['reactions.review_id', 'reactions.reaction', 'reviews.media_id', 'users.username as author'])
    .where('reactions.user_id', '=', userId)
    .where('reactions.review_id', '>', after?.review_id ?? 0)
    .orderBy('reactions.review_id')
    .limit(limit)
    .execute()
}

export type ExportedCommentRow = OfReview &
  Pick<Tables['comments'], 'text' | 'created_at'> & { id: number; has_spoilers: number }

/** Lists a member's comments by their ids. */
export async function listComments(
  db: Db,
  userId: number,
  after: { id: number } | undefined,
  limit: number,
): Promise<ExportedCommentRow[]> {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select([
      'comments.id',
      'comments.text',
      'comments.has_spoilers',
      'comments.created_at',
      'reviews.media_id',
      'users.username as author',
    ])
    .where('comments.user_id', '=', userId)
    .where('comments.id', '>', after?.id ?? 0)
    .orderBy('comments.id')
    .limit(limit)
    .execute()
}
