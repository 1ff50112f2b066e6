import { type Selectable, sql } from 'kysely'
import { commentsMax } from '#shared/limits.ts'
import type { Kind } from '#shared/media.ts'
import { equalsInside, isOneOf, isSqlite } from '#server/db/dialect.ts'
import { kept } from '#server/db/kept.ts'
import type { Db } from '#server/db/open.ts'
import { inOrder } from '#server/db/rows.ts'
import type { MediaRow, ReviewRow, Tables, UserRow } from '#server/db/tables.ts'

/**
 * Whoever writes locks in this order, on Postgres, so that no two wait for each other: the title, the
 * review, the member. SQLite has one writer and no row locks.
 */

type Title = { id: number; kind?: Kind }
export type TitleRow = Pick<MediaRow, 'id' | 'kind' | 'text_count'>

function selectTitle(db: Db, { id, kind }: Title) {
  return db
    .selectFrom('media')
    .select(['id', 'kind', 'text_count'])
    .where('id', '=', id)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
}

export async function findTitle(db: Db, title: Title): Promise<TitleRow | undefined> {
  return selectTitle(db, title).executeTakeFirst()
}

/** As `findTitle`; until the transaction ends, nobody else changes the title's reviews. */
export async function lockTitle(db: Db, title: Title): Promise<TitleRow | undefined> {
  return selectTitle(db, title)
    .$if(!isSqlite(db), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

/** As `lockTitle`, for the title that a review is about. */
export async function lockTitleOf(db: Db, reviewId: number): Promise<void> {
  if (isSqlite(db)) return
  await db
    .selectFrom('media')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom('reviews').select('media_id').where('id', '=', reviewId))
    .forNoKeyUpdate()
    .execute()
}

const ownColumns = ['id', 'media_id', 'user_id', 'rating', 'text', 'updated_at', 'rated_at'] as const
export type OwnReviewRow = Pick<ReviewRow, (typeof ownColumns)[number]>

export async function findReview(db: Db, id: number): Promise<OwnReviewRow | undefined> {
  return db.selectFrom('reviews').select(ownColumns).where('id', '=', id).executeTakeFirst()
}

export async function findReviewBy(
  db: Db,
  userId: number,
  mediaId: number,
): Promise<OwnReviewRow | undefined> {
  return db
    .selectFrom('reviews')
    .select(ownColumns)
    .where('user_id', '=', userId)
    .where('media_id', '=', mediaId)
    .executeTakeFirst()
}

type NewReview = Pick<
  ReviewRow,
  'media_id' | 'kind' | 'user_id' | 'rating' | 'text' | 'created_at' | 'updated_at' | 'rated_at'
>

export async function insertReview(db: Db, review: NewReview): Promise<OwnReviewRow> {
  return db.insertInto('reviews').values(review).returning(ownColumns).executeTakeFirstOrThrow()
}

export async function updateReview(
  db: Db,
  id: number,
  values: Pick<ReviewRow, 'rating' | 'text' | 'updated_at' | 'rated_at'>,
): Promise<void> {
  await db.updateTable('reviews').set(values).where('id', '=', id).execute()
}

/** Its reactions and comments go with it. */
export async function removeReview(db: Db, id: number): Promise<void> {
  await db.deleteFrom('reviews').where('id', '=', id).execute()
}

type TitleCounter = 'rating_count' | 'rating_sum' | `stars_${1 | 2 | 3 | 4 | 5}` | 'text_count'

/** Adds to a title's counters and to the count of its author's reviews. */
export async function addCounts(
  db: Db,
  review: { media_id: number; user_id: number },
  gain: Record<TitleCounter, number>,
): Promise<void> {
  await db
    .updateTable('media')
    .set((eb) => ({
      rating_count: eb('rating_count', '+', gain.rating_count),
      rating_sum: eb('rating_sum', '+', gain.rating_sum),
      stars_1: eb('stars_1', '+', gain.stars_1),
      stars_2: eb('stars_2', '+', gain.stars_2),
      stars_3: eb('stars_3', '+', gain.stars_3),
      stars_4: eb('stars_4', '+', gain.stars_4),
      stars_5: eb('stars_5', '+', gain.stars_5),
      text_count: eb('text_count', '+', gain.text_count),
    }))
    .where('id', '=', review.media_id)
    .execute()
  if (gain.rating_count === 0) return
  await db
    .updateTable('users')
    .set((eb) => ({ review_count: eb('review_count', '+', gain.rating_count) }))
    .where('id', '=', review.user_id)
    .execute()
}

type Sorting = { sortBy: 'createdAt' | 'rating'; order: 'asc' | 'desc' }

/**
 * Pages of a title's reviews that have a text. The order names every column of the index, or SQLite sorts the whole title;
 * the blank text is no parameter, so that the partial index fits whatever the plan knows of parameters.
 */
const reviewIds = (sortBy: Sorting['sortBy'], order: Sorting['order']) =>
  kept((db, mediaId: number, limit: number, offset: number) =>
    db
      .selectFrom('reviews')
      .select('id')
      .where('media_id', '=', mediaId)
      .where('text', '<>', sql.lit(''))
      .$if(sortBy === 'rating', (query) => query.orderBy('rating', order))
      .orderBy('created_at', order)
      .orderBy('id', order)
      .limit(limit)
      .offset(offset),
  )
const reviewIdsBy = {
  createdAt: { asc: reviewIds('createdAt', 'asc'), desc: reviewIds('createdAt', 'desc') },
  rating: { asc: reviewIds('rating', 'asc'), desc: reviewIds('rating', 'desc') },
}

/** One page of a title's reviews that have a text. */
export async function listReviewIds(
  db: Db,
  { mediaId, sortBy, order, limit, offset }: Sorting & { mediaId: number; limit: number; offset: number },
): Promise<number[]> {
  const rows = await reviewIdsBy[sortBy][order](db, mediaId, limit, offset)
  return rows.map((row) => row.id)
}

/**
 * All reviews of a title that have a text and whose authors the member follows, in no order: never more
 * than either of the two, and the fewer of them are read. A cross join keeps its order on SQLite;
 * Postgres finds its own.
 */
export async function listNetworkReviews(
  db: Db,
  { title, followerId }: { title: TitleRow; followerId: number },
): Promise<Pick<ReviewRow, 'id' | 'rating' | 'created_at'>[]> {
  const isTitleSmall = title.text_count <= (await countFollowing(db, followerId))
  const joined = isTitleSmall
    ? db.selectFrom('reviews').crossJoin('follows').whereRef('follows.followee_id', '=', 'reviews.user_id')
    : db
        .selectFrom('follows')
        .crossJoin('reviews')
        .where(equalsInside(db, 'reviews.user_id', 'follows.followee_id'))
  return joined
    .select(['reviews.id', 'reviews.rating', 'reviews.created_at'])
    .where('reviews.media_id', '=', title.id)
    .where('reviews.text', '<>', sql.lit(''))
    .where('follows.follower_id', '=', followerId)
    .execute()
}

async function countFollowing(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('following_count')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.following_count ?? 0
}

export type ShownReviewRow = Omit<ReviewRow, 'rated_at'> &
  Pick<UserRow, 'username' | 'picture'> & { reaction: 'like' | 'dislike' | null }

const shownReviews = kept((db, ids: readonly number[], viewerId: number) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .leftJoin('reactions', (join) =>
      join.onRef('reactions.review_id', '=', 'reviews.id').on('reactions.user_id', '=', viewerId),
    )
    .select([
      'reviews.id',
      'reviews.media_id',
      'reviews.kind',
      'reviews.user_id',
      'reviews.rating',
      'reviews.text',
      'reviews.created_at',
      'reviews.updated_at',
      'reviews.like_count',
      'reviews.dislike_count',
      'reviews.comment_count',
      'users.username',
      'users.picture',
      'reactions.reaction',
    ])
    .where(isOneOf(db, 'reviews.id', ids)),
)

/** The reviews with these ids, in the order of the ids, with the reaction of whom they are shown to. */
export async function listReviews(
  db: Db,
  ids: readonly number[],
  viewerId: number | undefined,
): Promise<ShownReviewRow[]> {
  if (ids.length === 0) return []
  const rows = await shownReviews(db, ids, viewerId ?? 0)
  return inOrder(ids, rows)
}

/**
 * Answers whether it is there; until the transaction ends, nobody else changes its reactions, and it
 * stays.
 */
export async function lockReview(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', id)
    .$if(!isSqlite(db), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return row !== undefined
}

type ReactionKey = { review_id: number; user_id: number }

export async function findReaction(db: Db, key: ReactionKey): Promise<'like' | 'dislike' | undefined> {
  const row = await db
    .selectFrom('reactions')
    .select('reaction')
    .where('review_id', '=', key.review_id)
    .where('user_id', '=', key.user_id)
    .executeTakeFirst()
  return row?.reaction
}

/** Puts the reaction in place of the one before. */
export async function setReaction(
  db: Db,
  key: ReactionKey,
  reaction: 'like' | 'dislike' | 'none',
): Promise<void> {
  if (reaction === 'none') {
    await db
      .deleteFrom('reactions')
      .where('review_id', '=', key.review_id)
      .where('user_id', '=', key.user_id)
      .execute()
    return
  }
  await db
    .insertInto('reactions')
    .values({ ...key, reaction })
    .onConflict((conflict) => conflict.columns(['review_id', 'user_id']).doUpdateSet({ reaction }))
    .execute()
}

export async function addReactionCounts(
  db: Db,
  reviewId: number,
  gain: { like_count: number; dislike_count: number },
): Promise<void> {
  await db
    .updateTable('reviews')
    .set((eb) => ({
      like_count: eb('like_count', '+', gain.like_count),
      dislike_count: eb('dislike_count', '+', gain.dislike_count),
    }))
    .where('id', '=', reviewId)
    .execute()
}

export async function findCommentCount(db: Db, reviewId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('reviews')
    .select('comment_count')
    .where('id', '=', reviewId)
    .executeTakeFirst()
  return row?.comment_count
}

/**
 * Answers the new count, undefined where the review is not there. Comes before the comment itself, as the
 * review's lock.
 */
export async function addToCommentCount(db: Db, reviewId: number, by: 1 | -1): Promise<number | undefined> {
  const row = await db
    .updateTable('reviews')
    .set((eb) => ({ comment_count: eb('comment_count', '+', by) }))
    .where('id', '=', reviewId)
    .returning('comment_count')
    .executeTakeFirst()
  return row?.comment_count
}

export type CommentRow = Selectable<Tables['comments']> & Pick<UserRow, 'username' | 'picture'>

/** The last `commentsMax`, of all or of those before one of them, oldest first. */
export async function listComments(
  db: Db,
  reviewId: number,
  before?: { created_at: string; id: number },
): Promise<CommentRow[]> {
  let query = comments(db).where('comments.review_id', '=', reviewId)
  if (before) {
    query = query.where((eb) =>
      eb(eb.refTuple('comments.created_at', 'comments.id'), '<', eb.tuple(before.created_at, before.id)),
    )
  }
  const rows = await query
    .orderBy('comments.created_at', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(commentsMax)
    .execute()
  return rows.reverse()
}

export async function findComment(db: Db, id: number): Promise<CommentRow | undefined> {
  return comments(db).where('comments.id', '=', id).executeTakeFirst()
}

function comments(db: Db) {
  return db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select([
      'comments.id',
      'comments.review_id',
      'comments.user_id',
      'comments.text',
      'comments.created_at',
      'users.username',
      'users.picture',
    ])
}

/** Answers its id. */
export async function insertComment(
  db: Db,
  comment: { review_id: number; user_id: number; text: string; created_at: string },
): Promise<number> {
  const { id } = await db.insertInto('comments').values(comment).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Answers whether it was there. */
export async function removeComment(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('comments').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
