import type { Db } from '#server/db/open.ts'
import { maySee } from '#server/db/visibility.ts'

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

/** Returns whether everybody may see a member. */
export async function isVisible(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(maySee(0))
    .executeTakeFirst()
  return row !== undefined
}
