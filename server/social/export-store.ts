import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type ExportedFavoriteRow = Pick<Tables['favorites'], 'media_id' | 'created_at'>

/** Lists a member's favorites by the id of the title. */
export async function listFavorites(
  db: Db,
  userId: number,
  after: { media_id: number } | undefined,
  limit: number,
): Promise<ExportedFavoriteRow[]> {
  return db
    .selectFrom('favorites')
    .select(['media_id', 'created_at'])
    .where('user_id', '=', userId)
    .where('media_id', '>', after?.media_id ?? 0)
    .orderBy('media_id')
    .limit(limit)
    .execute()
}

export type ExportedFollowRow = { followee_id: number; username: string; created_at: string }

/** Lists the people that a member follows by their ids. */
export async function listFollowing(
  db: Db,
  userId: number,
  after: { followee_id: number } | undefined,
  limit: number,
): Promise<ExportedFollowRow[]> {
  return db
    .selectFrom('follows')
    .innerJoin('users', 'users.id', 'follows.followee_id')
    .select(['follows.followee_id', 'users.username', 'follows.created_at'])
    .where('follows.follower_id', '=', userId)
    .where('follows.followee_id', '>', after?.followee_id ?? 0)
    .orderBy('follows.followee_id')
    .limit(limit)
    .execute()
}
