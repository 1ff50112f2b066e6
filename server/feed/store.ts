import type { Kind } from '#shared/media.ts'
import { equalsInside, isOneOf } from '#server/db/dialect.ts'
import { kept } from '#server/db/kept.ts'
import type { Db } from '#server/db/open.ts'
import type { UserRow } from '#server/db/tables.ts'

/** Every rating of a kind by those whom a member follows. A cross join keeps its order on SQLite. */
export const listFolloweeRatings = kept((db, memberId: number, kind: Kind) =>
  db
    .selectFrom('follows')
    .crossJoin('reviews')
    .select(['reviews.media_id', 'reviews.rating'])
    .where('follows.follower_id', '=', memberId)
    .whereRef('reviews.user_id', '=', 'follows.followee_id')
    .where('reviews.kind', '=', kind),
)

const ratedBy = kept((db, memberId: number, kind: Kind) =>
  db.selectFrom('reviews').select('media_id').where('user_id', '=', memberId).where('kind', '=', kind),
)

/** Ids of the titles of a kind that a member has rated. */
export async function listRatedIds(db: Db, memberId: number, kind: Kind): Promise<number[]> {
  return (await ratedBy(db, memberId, kind)).map((row) => row.media_id)
}

export const listNames = kept((db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .select(['id', 'name_folded'])
    .where(isOneOf(db, 'media.id', ids)),
)

/**
 * A title as seen by a member, with what decides how the ratings of those whom they follow are found:
 * from the title's ratings where these are fewer, else one look for each whom they follow.
 */
export type NetworkTitle = { id: number; memberId: number; isTitleSmall: boolean }

export async function findNetworkTitle(
  db: Db,
  kind: Kind,
  id: number,
  memberId: number,
): Promise<NetworkTitle | undefined> {
  const row = await db
    .selectFrom('media')
    .select('rating_count')
    .select((eb) =>
      eb.selectFrom('users').select('following_count').where('users.id', '=', memberId).as('following_count'),
    )
    .where('media.id', '=', id)
    .where('media.kind', '=', kind)
    .executeTakeFirst()
  return row && { id, memberId, isTitleSmall: row.rating_count <= (row.following_count ?? 0) }
}

/** A cross join keeps its order on SQLite; Postgres finds its own. */
function networkRatings(db: Db, { id, memberId, isTitleSmall }: NetworkTitle) {
  const joined = isTitleSmall
    ? db.selectFrom('reviews').crossJoin('follows').whereRef('follows.followee_id', '=', 'reviews.user_id')
    : db
        .selectFrom('follows')
        .crossJoin('reviews')
        .where(equalsInside(db, 'reviews.user_id', 'follows.followee_id'))
  return joined.where('reviews.media_id', '=', id).where('follows.follower_id', '=', memberId)
}

/** What those whom the member follows rated the title. */
export async function listNetworkRatings(db: Db, title: NetworkTitle): Promise<number[]> {
  const rows = await networkRatings(db, title).select('reviews.rating').execute()
  return rows.map((row) => row.rating)
}

/** Those whom the member follows who rated the title, the newest rating first. */
export async function listRaters(
  db: Db,
  title: NetworkTitle,
  limit: number,
): Promise<Pick<UserRow, 'id' | 'username' | 'picture'>[]> {
  return db
    .selectFrom(
      networkRatings(db, title)
        .select(['reviews.id', 'reviews.user_id', 'reviews.rated_at'])
        .orderBy('reviews.rated_at', 'desc')
        .orderBy('reviews.id', 'desc')
        .limit(limit)
        .as('raters'),
    )
    .innerJoin('users', 'users.id', 'raters.user_id')
    .select(['users.id', 'users.username', 'users.picture'])
    .orderBy('raters.rated_at', 'desc')
    .orderBy('raters.id', 'desc')
    .execute()
}
