import { type CompiledQuery, type SqlBool, sql } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { equalsInside } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { isHeard, isShown, isTitleShown, isUnsettled } from '#server/members/visibility.ts'

/**
 * A title, or with `isPart` a part of one. If `isTitleSmaller`, it has no more reviews than the member follows people, and the join starts from its reviews; otherwise from
 * the follows.
 */
export type NetworkTitle = { id: number; memberId: number; isTitleSmaller: boolean; isPart?: boolean }

const networkTitle = (counter: 'rating_count' | 'text_count') =>
  prepareFirst((db, kind: Kind, id: number, memberId: number) =>
    db
      .selectFrom('media')
      .select(`${counter} as reviews`)
      .select((eb) =>
        eb
          .selectFrom('users')
          .select('following_count')
          .where('users.id', '=', memberId)
          .as('following_count'),
      )
      .where('media.id', '=', id)
      .where('media.kind', '=', kind)
      .where(isTitleShown),
  )
const networkTitleBy = { rating_count: networkTitle('rating_count'), text_count: networkTitle('text_count') }

/** Compares its ratings (or reviews with a text) with the people the member follows. */
export async function findNetworkTitle(
  db: Db,
  kind: Kind,
  id: number,
  memberId: number,
  counter: 'rating_count' | 'text_count' = 'rating_count',
): Promise<NetworkTitle | undefined> {
  const row = await networkTitleBy[counter](db, kind, id, memberId)
  return row && { id, memberId, isTitleSmaller: row.reviews <= (row.following_count ?? 0) }
}

const networkPart = prepareFirst((db, id: number, memberId: number) =>
  db
    .selectFrom('parts')
    .select('text_count as reviews')
    .select((eb) =>
      eb.selectFrom('users').select('following_count').where('users.id', '=', memberId).as('following_count'),
    )
    .where('parts.id', '=', id),
)

/** Compares the number of reviews with a text of a part with the people the member follows. */
export async function findNetworkPart(
  db: Db,
  id: number,
  memberId: number,
): Promise<NetworkTitle | undefined> {
  const row = await networkPart(db, id, memberId)
  return row && { id, memberId, isTitleSmaller: row.reviews <= (row.following_count ?? 0), isPart: true }
}

/** SQLite executes a cross join in the order written; Postgres chooses its own order. */
function networkReviews(db: Db, { id, memberId, isTitleSmaller, isPart }: NetworkTitle) {
  const joined = isTitleSmaller
    ? db.selectFrom('reviews').crossJoin('follows').whereRef('follows.followee_id', '=', 'reviews.user_id')
    : db
        .selectFrom('follows')
        .crossJoin('reviews')
        .where(equalsInside(db, 'reviews.user_id', 'follows.followee_id'))
  return joined
    .where(isPart ? 'reviews.part_id' : 'reviews.media_id', '=', id)
    .where('follows.follower_id', '=', memberId)
    .where(isHeard(memberId, 'follows.followee_id'))
}

function networkQuery<More extends number[], Row>(
  build: (
    reviews: ReturnType<typeof networkReviews>,
    db: Db,
    memberId: number,
    ...more: More
  ) => { compile: (db: Db) => CompiledQuery<Row> },
) {
  const prepare = (isTitleSmaller: boolean, isPart: boolean) =>
    prepareQuery((db, id: number, memberId: number, ...more: More) =>
      build(networkReviews(db, { id, memberId, isTitleSmaller, isPart }), db, memberId, ...more),
    )
  const ofTitle = [prepare(false, false), prepare(true, false)] as const
  const ofPart = [prepare(false, true), prepare(true, true)] as const
  return (db: Db, { id, memberId, isTitleSmaller, isPart }: NetworkTitle, ...more: More) =>
    (isPart ? ofPart : ofTitle)[isTitleSmaller ? 1 : 0](db, id, memberId, ...more)
}

/** With a text, except by suspended members; unordered. */
export const listNetworkReviews = networkQuery((reviews, _db, memberId) =>
  reviews
    // Only for the few others are the authors looked at.
    .where(
      sql<SqlBool>`(reviews.is_public = 1 and reviews.user_id not in (select users.id from users where ${isUnsettled})
        or exists (select 1 from users where users.id = reviews.user_id and ${isShown(memberId)}))`,
    )
    .select(['reviews.id', 'reviews.rating', 'reviews.like_count', 'reviews.created_at'])
    .where('reviews.text', '<>', sql.lit('')),
)

export const listNetworkRatings = networkQuery((reviews) => reviews.select('reviews.rating'))

/** Selects people the member follows who rated the title, newest rating first, and whether they are shown. */
const ratersQuery = (onlyShown: boolean) =>
  networkQuery((reviews, db, memberId, limit: number) => {
    const isRaterShown = sql<SqlBool>`exists (select 1 from users where users.id = reviews.user_id and ${isShown(memberId)})`
    return db
      .selectFrom(
        reviews
          .$if(onlyShown, (query) => query.where(isRaterShown))
          .select(['reviews.id', 'reviews.user_id', 'reviews.rated_at', 'reviews.rating'])
          .orderBy('reviews.rated_at', 'desc')
          .orderBy('reviews.id', 'desc')
          .limit(limit)
          .as('raters'),
      )
      .innerJoin('users', 'users.id', 'raters.user_id')
      .select(['users.id', 'users.username', 'users.picture', 'raters.rating'])
      .select(isShown(memberId).as('isShown'))
      .orderBy('raters.rated_at', 'desc')
      .orderBy('raters.id', 'desc')
  })
const [newestRaters, newestShownRaters] = [ratersQuery(false), ratersQuery(true)]

/**
 * Returns the people the member follows who rated the title, except suspended ones, newest rating first. Follows exclude blocks: see `isHeard`.
 */
export async function listRaters(db: Db, title: NetworkTitle, limit: number) {
  const newest = await newestRaters(db, title, limit)
  const shown = newest.filter((row) => row.isShown)
  // Rarely is one of the newest suspended. Then the accounts of all are looked at, however many there are.
  return newest.length < limit || shown.length === newest.length ? shown : newestShownRaters(db, title, limit)
}
