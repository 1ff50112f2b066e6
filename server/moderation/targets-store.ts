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
import type { ReportTarget } from '#shared/domain/moderation.ts'

// Targets of cases, also hidden ones.

export async function findCommentTarget(db: Db, id: number) {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .selectAll('comments')
    .select('reviews.media_id')
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

/** Returns a title that a member created, also by an import. */
export async function findTitleTarget(db: Db, id: number) {
  return db
    .selectFrom('media')
    .select(['id', 'name', 'overview', 'image', 'created_by', 'created_at', 'removed_at'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('source', 'is', null), eb('source', '=', 'import')]))
    .executeTakeFirst()
}

/** Returns a list that is not private: nobody reports a private one, and moderators do not read them. */
export async function findListTarget(db: Db, id: number) {
  return db
    .selectFrom('lists')
    .select(['user_id', 'title', 'description', 'tags', 'updated_at', 'removed_at'])
    .where('id', '=', id)
    .where('visibility', '<>', 'private')
    .executeTakeFirst()
}

/** The notes of a list in a snapshot, in order. */
const notesMax = 50

/** Returns the first notes of a list. */
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

/** Returns whether a viewer, 0 for a visitor, may read a target: the condition of the call that returns it. */
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
        .innerJoin('media', 'media.id', 'reviews.media_id')
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

/** Returns whether a comment is on a review of a member, who then knows it, even if one of the two has blocked the other since. */
export async function isOnReviewOf(db: Db, commentId: number, viewerId: number): Promise<boolean> {
  const row = await selectComment(db, commentId)
    .where(isShown(viewerId))
    .where(isOnOwnReview(viewerId))
    .where('comments.removed_text', 'is', null)
    .select('comments.id')
    .executeTakeFirst()
  return row !== undefined
}

/** A comment on a review that the viewer of its condition may see. */
function selectComment(db: Db, id: number) {
  return db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .where('comments.id', '=', id)
}

/** Returns whether everybody may see a member. */
export async function isVisible(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isShown(0))
    .executeTakeFirst()
  return row !== undefined
}
