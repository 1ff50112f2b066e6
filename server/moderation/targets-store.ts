import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import {
  isListShown,
  isOnOwnReview,
  isShown,
  isTitleShown,
  maySeeComment,
  maySeeList,
  maySeeReview,
} from '#server/members/visibility.ts'
import { titleOfReview } from '#server/reviews/tables.ts'
import type { ReportTarget } from '#shared/domain/moderation.ts'

export async function findCommentTarget(db: Db, id: number) {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .selectAll('comments')
    .select([titleOfReview.as('media_id'), 'reviews.part_id'])
    .where('comments.id', '=', id)
    .executeTakeFirst()
}

export async function findUserTarget(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'picture', 'created_at'])
    .where('id', '=', id)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
}

export async function findTitleTarget(db: Db, id: number) {
  return db
    .selectFrom('media')
    .select(['id', 'name', 'overview', 'image', 'created_by', 'created_at', 'removed_at'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('source', 'is', null), eb('source', '=', 'import')]))
    .executeTakeFirst()
}

/** Nobody reports a private list, and moderators do not read them. */
export async function findListTarget(db: Db, id: number) {
  return db
    .selectFrom('lists')
    .select(['user_id', 'title', 'description', 'tags', 'updated_at', 'removed_at'])
    .where('id', '=', id)
    .where('visibility', '<>', 'private')
    .executeTakeFirst()
}

const notesMax = 50

export async function listNotes(db: Db, listId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('list_items')
    .select('note')
    .where('list_id', '=', listId)
    .where('note', '<>', '')
    .orderBy('place')
    .orderBy('media_id')
    .limit(notesMax)
    .execute()
  return rows.map(({ note }) => note)
}

type Viewer = { id: number; key?: string | undefined }

export async function isReadable(
  db: Db,
  type: ReportTarget,
  id: number,
  { id: viewerId, key = null as never }: Viewer,
): Promise<boolean> {
  const readers = {
    review: () =>
      db
        .selectFrom('reviews')
        .innerJoin('users', 'users.id', 'reviews.user_id')
        .innerJoin('media', (join) => join.on('media.id', '=', titleOfReview))
        .where(maySeeReview(viewerId))
        .where(isTitleShown)
        .where('reviews.id', '=', id),
    comment: () => selectComment(db, id).where(maySeeComment(viewerId)),
    user: () => db.selectFrom('users').where(isShown(viewerId)).where('users.id', '=', id),
    list: () =>
      db
        .selectFrom('lists')
        .innerJoin('users', 'users.id', 'lists.user_id')
        .where(maySeeList(viewerId, key))
        .where(isListShown(viewerId))
        .where('lists.id', '=', id),
    title: () => db.selectFrom('media').where(isTitleShown).where('media.id', '=', id),
  }
  return (
    (await (readers[type]() as ReturnType<typeof readers.comment>)
      .select(sql<number>`1`.as('found'))
      .executeTakeFirst()) !== undefined
  )
}

/** The member knows it, even if one of the two has blocked the other since. */
export async function isOnReviewOf(db: Db, commentId: number, viewerId: number): Promise<boolean> {
  const row = await selectComment(db, commentId)
    .where(isShown(viewerId))
    .where(isOnOwnReview(viewerId))
    .where('comments.removed_text', 'is', null)
    .select('comments.id')
    .executeTakeFirst()
  return row !== undefined
}

function selectComment(db: Db, id: number) {
  return db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .where('comments.id', '=', id)
}

export async function isVisible(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isShown(0))
    .executeTakeFirst()
  return row !== undefined
}
