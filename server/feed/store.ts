import { sql } from 'kysely'
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

/** The number of raters that `listRatersFrom` returns at most. */
export const ratersMax = 300

/** Returns the raters of a title with an id from `firstId` on, each with their rating and their number of ratings. */
export const listRatersFrom = prepareQuery((db, mediaId: number, firstId: number) =>
  db
    .selectFrom(
      db
        .selectFrom('reviews')
        .select(['user_id', 'rating'])
        .where('media_id', '=', mediaId)
        .where('user_id', '>=', firstId)
        .orderBy('user_id')
        .limit(sql.lit(ratersMax))
        .as('raters'),
    )
    .innerJoin('users', 'users.id', 'raters.user_id')
    .select(['users.id', 'users.review_count', 'raters.rating']),
)

/** Returns the ids of the titles that each of these members rated 4 or 5, without `except`. */
export const listLiked = prepareQuery((db, userIds: readonly number[], except: number) =>
  db
    .selectFrom('reviews')
    .select(['user_id', 'media_id'])
    .where(isOneOf(db, 'reviews.user_id', userIds))
    .where('rating', '>=', sql.lit(4))
    .where('media_id', '<>', except),
)

/** Returns the kinds and the numbers of ratings of titles. */
export const listRatingTotals = prepareQuery((db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .select(['id', 'kind', 'rating_count'])
    .where(isOneOf(db, 'media.id', ids)),
)
