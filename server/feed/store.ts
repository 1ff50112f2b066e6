import type { Kind } from '#shared/media.ts'
import { isOneOf } from '#server/db/dialect.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import type { Db } from '#server/db/open.ts'

/** Returns all ratings of a kind by the people a member follows. SQLite executes a cross join in the order written. */
export const listFolloweeRatings = prepareQuery((db, memberId: number, kind: Kind) =>
  db
    .selectFrom('follows')
    .crossJoin('reviews')
    .select(['reviews.media_id', 'reviews.rating'])
    .where('follows.follower_id', '=', memberId)
    .whereRef('reviews.user_id', '=', 'follows.followee_id')
    .where('reviews.kind', '=', kind),
)

const ratedBy = prepareQuery((db, memberId: number, kind: Kind) =>
  db.selectFrom('reviews').select('media_id').where('user_id', '=', memberId).where('kind', '=', kind),
)

/** Returns the ids of the titles of a kind that a member has rated. */
export async function listRatedIds(db: Db, memberId: number, kind: Kind): Promise<number[]> {
  return (await ratedBy(db, memberId, kind)).map((row) => row.media_id)
}

export const listNames = prepareQuery((db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .select(['id', 'name_folded'])
    .where(isOneOf(db, 'media.id', ids)),
)
