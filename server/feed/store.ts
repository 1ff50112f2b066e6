import { type NotNull, type SqlBool, sql } from 'kysely'
import { networkRowsMax } from '#shared/domain/limits.ts'
import { highRating } from '#shared/domain/ratings.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import { prepareColumns, prepareQuery } from '#server/db/prepared.ts'
import type { Db } from '#server/db/open.ts'
import { isHeard } from '#server/members/visibility.ts'

/** At most `networkRowsMax`. SQLite executes a cross join in the order written. */
const followeeRatings = (db: Db, memberId: number, kind: Kind) =>
  db
    .selectFrom('follows')
    .crossJoin('reviews')
    .select(['reviews.media_id', 'reviews.rating'])
    .where('follows.follower_id', '=', memberId)
    .where(isHeard(memberId, 'follows.followee_id'))
    .whereRef('reviews.user_id', '=', 'follows.followee_id')
    .where('reviews.kind', '=', kind)
    .where('reviews.media_id', 'is not', null)
    .$narrowType<{ media_id: NotNull }>()
    .limit(sql.lit(networkRowsMax))

export const listFolloweeRatings = prepareColumns(['media_id', 'rating'], followeeRatings)

export const listFolloweeRatingsBy = prepareColumns(
  ['media_id', 'rating', 'user_id'],
  (db, memberId: number, kind: Kind) => followeeRatings(db, memberId, kind).select('reviews.user_id'),
)

export const listOwnRatings = prepareQuery((db, memberId: number, kind: Kind) =>
  db
    .selectFrom('reviews')
    .select(['media_id', 'rating'])
    .where('user_id', '=', memberId)
    .where('kind', '=', kind)
    .where('media_id', 'is not', null)
    .$narrowType<{ media_id: NotNull }>(),
)

export const listNames = prepareQuery((db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .select(['id', 'name_folded'])
    .where(isOneOf(db, 'media.id', ids)),
)

export const ratersMax = 300

export const listRatersFrom = prepareQuery((db, titleId: number, firstId: number) =>
  db
    .selectFrom(
      db
        .selectFrom('reviews')
        .select(['user_id', 'rating'])
        .where('media_id', '=', titleId)
        .where('user_id', '>=', firstId)
        .orderBy('user_id')
        .limit(sql.lit(ratersMax))
        .as('raters'),
    )
    .innerJoin('users', 'users.id', 'raters.user_id')
    .select(['users.id', 'users.review_count', 'raters.rating']),
)

export const listLiked = prepareQuery((db, userIds: readonly number[], except: number) =>
  db
    .selectFrom('reviews')
    .select(['user_id', 'media_id'])
    .where(isOneOf(db, 'reviews.user_id', userIds))
    .where('rating', '>=', sql.lit(highRating))
    .where('media_id', '<>', except)
    .$narrowType<{ media_id: NotNull }>(),
)

export const listRatingTotals = prepareQuery((db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .select(['id', 'kind', 'rating_count'])
    .where(isOneOf(db, 'media.id', ids)),
)

/**
 * An imported rating without a date, which is stored as 1970, is no news; nor are reviews of parts, of which there may be many a day. The
 * index `reviews_news` has the same condition.
 */
const isNews = sql<SqlBool>`(reviews.rating >= ${sql.lit(highRating)} or reviews.text <> '')
  and reviews.rated_at > '1970-01-02' and reviews.media_id is not null`

export type FeedKey = readonly [createdAt: string, id: number]

/** With the times of their newest reviews or high ratings, newest first. */
const followeesWithNews = prepareQuery((db, memberId: number, time: string, id: number, limit: number) => {
  const followees = db
    .selectFrom('follows')
    .where('follows.follower_id', '=', memberId)
    .where(isHeard(memberId, 'follows.followee_id'))
  const newest = db
    .selectFrom('reviews')
    .where(sql<SqlBool>`reviews.user_id = follows.followee_id`)
    .where(isNews)
    .where(sql<SqlBool>`(reviews.created_at, reviews.id) < (${time}, ${id})`)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(sql.lit(1))
  // SQLite has no lateral join, and finds the row by its id a second time.
  const rows = isSqlite(db)
    ? db
        .selectFrom(followees.select(newest.select('reviews.id').as('id')).as('newest'))
        .innerJoin('reviews', 'reviews.id', 'newest.id')
        .select(['reviews.user_id', 'reviews.created_at', 'reviews.id'])
    : followees
        .innerJoinLateral(newest.selectAll().as('reviews'), (join) => join.onTrue())
        .select(['reviews.user_id', 'reviews.created_at', 'reviews.id'])
  return db
    .selectFrom(rows.as('news'))
    .select(['user_id', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
})

const newsOf = prepareQuery((db, userId: number, time: string, id: number, limit: number) =>
  db
    .selectFrom('reviews')
    .select(['id', 'created_at'])
    .where('user_id', '=', userId)
    .where(isNews)
    .where(sql<SqlBool>`(created_at, id) < (${time}, ${id})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit),
)

const newsBetween = prepareQuery(
  (db, userIds: readonly number[], since: string, time: string, id: number, limit: number) =>
    db
      .selectFrom('reviews')
      .select(['id', 'created_at'])
      .where(isOneOf(db, 'user_id', userIds))
      .where(isNews)
      .where('created_at', '>=', since)
      .where(sql<SqlBool>`(created_at, id) < (${time}, ${id})`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit),
)

/**
 * Reads the newest entry of each followee. All results belong to the `limit` followees whose newest one comes first; of few followees, at
 * most `limit` each are read.
 */
export async function listNews(
  db: Db,
  memberId: number,
  [time, id]: FeedKey,
  limit: number,
): Promise<{ id: number; created_at: string }[]> {
  const followees = await followeesWithNews(db, memberId, time, id, limit)
  const last = followees[limit - 1]
  const ids = followees.map((row) => row.user_id)
  if (last) return newsBetween(db, ids, last.created_at, time, id, limit)
  const news = await Promise.all(ids.map((userId) => newsOf(db, userId, time, id, limit)))
  return news
    .flat()
    .sort((a, b) => (a.created_at === b.created_at ? b.id - a.id : a.created_at < b.created_at ? 1 : -1))
    .slice(0, limit)
}
