import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import type { Tables } from '#server/db/tables.ts'
import { safeUpToColumns, shownText } from '#server/members/withheld.ts'
import { type ShownCommentRow, titleOfReview } from './tables.ts'
import { isTitleShown, maySeeComment, maySeeReview } from '#server/members/visibility.ts'

const commentCount = prepareFirst((db, reviewId: number, viewerId: number) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .innerJoin('media', (join) => join.on('media.id', '=', titleOfReview))
    .select('reviews.comment_count')
    .where('reviews.id', '=', reviewId)
    .where(maySeeReview(viewerId))
    .where(isTitleShown),
)

export async function findCommentCount(
  db: Db,
  reviewId: number,
  viewerId: number,
): Promise<number | undefined> {
  return (await commentCount(db, reviewId, viewerId))?.comment_count
}

/** Undefined if the review does not exist. Call it before the comment changes: the update also locks the review. */
export async function addToCommentCount(db: Db, reviewId: number, by: number): Promise<number | undefined> {
  const row = await db
    .updateTable('reviews')
    .set((eb) => ({ comment_count: eb('comment_count', '+', by) }))
    .where('id', '=', reviewId)
    .returning('comment_count')
    .executeTakeFirst()
  return row?.comment_count
}

/** The last ones, or the last before a given one; oldest first. */
export async function listComments(
  db: Db,
  reviewId: number,
  before: { created_at: string; id: number } | undefined,
  limit: number,
  viewerId: number,
  { isRevealed = false } = {},
): Promise<ShownCommentRow[]> {
  const { created_at, id } = before ?? { created_at: null, id: null }
  const read = isRevealed ? revealedComments : lastComments
  return (await read(db, reviewId, created_at, id, limit, viewerId)).reverse()
}

const commentsQuery = (isRevealed: boolean) =>
  prepareQuery(
    (db, reviewId: number, time: string | null, id: number | null, limit: number, viewerId: number) =>
      selectComments(db, viewerId, { isRevealed })
        .where('comments.review_id', '=', reviewId)
        .$if(time !== null, (query) =>
          query.where(sql<SqlBool>`(comments.created_at, comments.id) < (${time}, ${id})`),
        )
        .orderBy('comments.created_at', 'desc')
        .orderBy('comments.id', 'desc')
        .limit(limit),
  )
const [lastComments, revealedComments] = [commentsQuery(false), commentsQuery(true)]

export const findComment = prepareFirst((db, id: number, viewerId: number) =>
  selectComments(db, viewerId).where('comments.id', '=', id),
)

function selectComments(db: Db, viewerId: number, reading = {}) {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select([
      'comments.id',
      'comments.review_id',
      'comments.user_id',
      'comments.has_spoilers',
      'comments.created_at',
      'users.username',
      'users.picture',
      shownText(viewerId, 'comment', reading),
      ...safeUpToColumns('comment'),
    ])
    .where(maySeeComment(viewerId))
}

export async function insertComment(
  db: Db,
  comment: Omit<Insertable<Tables['comments']>, 'id'>,
): Promise<number> {
  const { id } = await db.insertInto('comments').values(comment).returning('id').executeTakeFirstOrThrow()
  return id
}

/** A removed comment is not counted. Undefined if it did not exist. */
export async function removeComment(db: Db, id: number): Promise<{ isCounted: boolean } | undefined> {
  const row = await db
    .deleteFrom('comments')
    .where('id', '=', id)
    .returning('removed_text')
    .executeTakeFirst()
  return row && { isCounted: row.removed_text === null }
}
