import { type NotNull, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { maySee } from '#server/members/visibility.ts'
import { safeUpToColumns } from '#server/members/withheld.ts'
import { titleOfReview, writtenColumns } from './tables.ts'

export function selectExportedReviews(db: Db, userId: number) {
  return db
    .selectFrom('reviews')
    .select(['media_id', ...writtenColumns, 'rating_given', 'created_at', 'updated_at', 'rated_at'])
    .select('reviews.removed_text')
    .select(safeUpToColumns('review'))
    .where('user_id', '=', userId)
    .where('media_id', 'is not', null)
    .$narrowType<{ media_id: NotNull }>()
}

const partColumns = [
  'parts.id as part_id',
  'parts.media_id',
  'parts.type',
  'parts.number',
  'parts.season',
  sql<string | null>`(select min(part_ids.source || ':' || part_ids.external_id) from part_ids
    where part_ids.part_id = parts.id)`.as('outside_id'),
] as const

export function selectExportedPartReviews(db: Db, userId: number) {
  return db
    .selectFrom('reviews')
    .innerJoin('parts', 'parts.id', 'reviews.part_id')
    .select(partColumns)
    .select(writtenColumns.map((column) => `reviews.${column}` as const))
    .select(['reviews.rating_given', 'reviews.created_at', 'reviews.updated_at', 'reviews.rated_at'])
    .select('reviews.removed_text')
    .select(safeUpToColumns('review'))
    .where('reviews.user_id', '=', userId)
}

/** As rows of `reviews` in JSON, like the reviews of titles. */
export function selectRemovedPartReviews(db: Db, userId: number) {
  return db
    .selectFrom('removed_reviews')
    .innerJoin('parts', 'parts.id', 'removed_reviews.part_id')
    .select([...partColumns, 'removed_reviews.row'])
    .where('removed_reviews.user_id', '=', userId)
    .where('removed_reviews.row', '<>', 'null')
}

/** As rows of `reviews` in JSON. */
export function selectRemovedReviews(db: Db, userId: number) {
  return db
    .selectFrom('removed_reviews')
    .select(['media_id', 'row'])
    .where('user_id', '=', userId)
    .where('row', '<>', 'null')
    .where('media_id', 'is not', null)
    .$narrowType<{ media_id: NotNull }>()
}

/** Null for an author whose texts the member may not see. */
const shownAuthor = (userId: number) =>
  sql<string | null>`case when ${maySee(userId)} then users.username end`.as('author')

export function selectExportedReactions(db: Db, userId: number) {
  return db
    .selectFrom('reactions')
    .innerJoin('reviews', 'reviews.id', 'reactions.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['reactions.review_id', 'reactions.reaction', titleOfReview.as('media_id')])
    .select(shownAuthor(userId))
    .where('reactions.user_id', '=', userId)
}

export function selectExportedComments(db: Db, userId: number) {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['comments.id', 'comments.text', 'comments.has_spoilers', 'comments.created_at'])
    .select('comments.removed_text')
    .select(safeUpToColumns('comment', { isOwn: true }))
    .select(titleOfReview.as('media_id'))
    .select(shownAuthor(userId))
    .where('comments.user_id', '=', userId)
}
