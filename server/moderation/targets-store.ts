import type { Db } from '#server/db/open.ts'
import { isShown } from '#server/db/visibility.ts'

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
