import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { mayMeet } from '#server/db/visibility.ts'

/**
 * Lists the members that `userId` may see by username, each with when the member began to follow them, and whether an import has ever
 * created that follow.
 */
export async function listFollowable(db: Db, userId: number, usernames: readonly string[]) {
  if (usernames.length === 0) return []
  return db
    .selectFrom('users')
    .leftJoin('follows', (join) =>
      join.onRef('follows.followee_id', '=', 'users.id').on('follows.follower_id', '=', userId),
    )
    .select(['users.id', 'users.username', 'users.is_private', 'follows.created_at as followed_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('import_changes')
          .select('import_changes.id')
          .where('import_changes.user_id', '=', userId)
          .where('import_changes.media_id', 'is', null)
          .where('import_changes.what', '=', 'follow')
          .whereRef('import_changes.target_id', '=', 'users.id'),
      ).as('was_imported'),
    )
    .where('users.username_folded', 'in', usernames.map(caseless))
    .where('users.username', 'in', usernames)
    .where(mayMeet(userId))
    .where('users.id', '<>', userId)
    .execute()
}
