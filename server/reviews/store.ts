import {
  type CompiledQuery,
  type Expression,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely'
import type { Kind } from '#shared/domain/media.ts'
import { networkAskedMax } from '#shared/domain/limits.ts'
import type { LibrarySort } from '#shared/contracts/library.ts'
import type { SortBy } from '#shared/contracts/reviews.ts'
import { contains, equalsInside, isOneOf, isSqlite } from '#server/db/dialect.ts'
import { separated } from '#server/db/fold.ts'
import { prepareByIds, prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { countRows, hasRow, removeRows } from '#server/db/rows.ts'
import type { Db } from '#server/db/open.ts'
import {
  exceptionsFor,
  isHeard,
  isShown,
  isTitleShown,
  isUnsettled,
  maySee,
  maySeeComment,
  maySeeReview,
} from '#server/members/visibility.ts'
import type { Tables } from '#server/db/tables.ts'
import type { UserRow } from '#server/members/tables.ts'
import { type MediaRow, ratingColumns } from '#server/titles/tables.ts'
import {
  ownReviewColumns,
  type OwnReviewRow,
  reviewColumns,
  type ReviewRow,
  type ShownReviewRow,
  writtenColumns,
  type WrittenRow,
} from './tables.ts'

/**
 * On Postgres every write locks in this order, which prevents deadlocks: the title, the review, the member. SQLite has one
 * writer and no row locks.
 */

type Title = { id: number; kind?: Kind }
const titleColumns = ['id', 'kind', 'text_count', 'public_text_count'] as const
export type ReviewedTitleRow = Pick<MediaRow, (typeof titleColumns)[number]>

function selectTitle(db: Db, id: number) {
  return db.selectFrom('media').select(titleColumns).where('id', '=', id).where(isTitleShown)
}
const titleQuery = prepareFirst((db, id: number) => selectTitle(db, id))
const lockedTitleQuery = prepareFirst((db, id: number) =>
  selectTitle(db, id).$if(!isSqlite(db), (query) => query.forNoKeyUpdate()),
)
const ofKind = (row: ReviewedTitleRow | undefined, { kind }: Title) =>
  kind === undefined || row?.kind === kind ? row : undefined

export async function findReviewedTitle(db: Db, title: Title): Promise<ReviewedTitleRow | undefined> {
  return ofKind(await titleQuery(db, title.id), title)
}

/** Like `findReviewedTitle`, and locks the title's reviews until the transaction ends. */
export async function lockTitle(db: Db, title: Title): Promise<ReviewedTitleRow | undefined> {
  return ofKind(await lockedTitleQuery(db, title.id), title)
}

/** Like `lockTitle`, for the title of a review. */
export async function lockTitleOf(db: Db, reviewId: number): Promise<void> {
  if (isSqlite(db)) return
  await db
    .selectFrom('media')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom('reviews').select('media_id').where('id', '=', reviewId))
    .forNoKeyUpdate()
    .execute()
}

export async function findReview(db: Db, id: number): Promise<OwnReviewRow | undefined> {
  return db.selectFrom('reviews').select(ownReviewColumns).where('id', '=', id).executeTakeFirst()
}

export async function findReviewBy(db: Db, userId: number, mediaId: number) {
  return db
    .selectFrom('reviews')
    .select(ownReviewColumns)
    .where('user_id', '=', userId)
    .where('media_id', '=', mediaId)
    .executeTakeFirst()
}

type NewReview = WrittenRow &
  Pick<ReviewRow, 'media_id' | 'kind' | 'user_id' | 'created_at' | 'updated_at' | 'rated_at'> &
  Partial<Pick<ReviewRow, 'rating_given'>>

/** The `is_public` of what a member writes: the one of their other texts. Locks the member, so that what settles them finds the review. */
const isPublicBy = (db: Db, userId: number) =>
  sql<number>`(select case when users.has_public_texts = 0 then 0 else 1 end from users where users.id = ${userId} ${isSqlite(db) ? sql`` : sql`for no key update`})`

export async function insertReview(db: Db, review: NewReview): Promise<OwnReviewRow> {
  return db
    .insertInto('reviews')
    .values({ ...review, is_public: isPublicBy(db, review.user_id) })
    .returning(ownReviewColumns)
    .executeTakeFirstOrThrow()
}

/** Returns the new `is_public`. */
export async function updateReview(
  db: Db,
  { id, user_id }: Pick<ReviewRow, 'id' | 'user_id'>,
  values: Partial<
    WrittenRow &
      Pick<ReviewRow, 'rating_given' | 'updated_at' | 'rated_at' | 'removed_text' | 'own_has_spoilers'>
  >,
): Promise<Pick<ReviewRow, 'is_public'>> {
  return db
    .updateTable('reviews')
    .set({ ...values, is_public: isPublicBy(db, user_id) })
    .where('id', '=', id)
    .returning('is_public')
    .executeTakeFirstOrThrow()
}

/** Returns whether a review that a member wrote about a title was removed with its rating, or has been deleted since it was removed. */
export async function isRemoved(db: Db, userId: number, mediaId: number): Promise<boolean> {
  return hasRow(db, 'removed_reviews', { user_id: userId, media_id: mediaId })
}

/**
 * Records that the author has deleted a review which a decision has removed, so that they cannot write it again until the removal ends.
 * Without the text. See `isRemoved`.
 */
export async function recordRemoved(trx: Db, id: number): Promise<void> {
  await trx
    .insertInto('removed_reviews')
    .columns(['review_id', 'user_id', 'media_id', 'created_at', 'row'])
    .expression((eb) =>
      eb
        .selectFrom('reviews')
        .select(['id', 'user_id', 'media_id', 'created_at', sql<string>`'null'`.as('row')])
        .where('id', '=', id),
    )
    .execute()
}

/** Deletes a review with its reactions and comments. */
export async function removeReview(db: Db, id: number): Promise<void> {
  await db.deleteFrom('reviews').where('id', '=', id).execute()
}

type TitleCounter =
  | 'rating_count'
  | 'rating_sum'
  | `stars_${1 | 2 | 3 | 4 | 5}`
  | 'text_count'
  | 'public_text_count'

/** Adds to the counters of the review's title, and to its author's number of reviews. */
export async function addCounts(
  db: Db,
  review: { media_id: number; user_id: number },
  gain: Record<TitleCounter, number>,
): Promise<void> {
  await db
    .updateTable('media')
    .set((eb) => ({
      rating_count: eb('rating_count', '+', gain.rating_count),
      rating_sum: eb('rating_sum', '+', gain.rating_sum),
      stars_1: eb('stars_1', '+', gain.stars_1),
      stars_2: eb('stars_2', '+', gain.stars_2),
      stars_3: eb('stars_3', '+', gain.stars_3),
      stars_4: eb('stars_4', '+', gain.stars_4),
      stars_5: eb('stars_5', '+', gain.stars_5),
      text_count: eb('text_count', '+', gain.text_count),
      public_text_count: eb('public_text_count', '+', gain.public_text_count),
    }))
    .where('id', '=', review.media_id)
    .execute()
  if (gain.rating_count === 0) return
  await db
    .updateTable('users')
    .set((eb) => ({ review_count: eb('review_count', '+', gain.rating_count) }))
    .where('id', '=', review.user_id)
    .execute()
}

type RatingGain = Pick<Selectable<Tables['rating_counts']>, 'days' | 'start' | 'count' | 'sum'>

/** Adds to the numbers of ratings of a title per span of days. */
export async function addRatingCounts(
  db: Db,
  { media_id, kind }: Pick<ReviewRow, 'media_id' | 'kind'>,
  gains: readonly RatingGain[],
): Promise<void> {
  if (gains.length === 0) return
  await db
    .insertInto('rating_counts')
    .values(gains.map((gain) => ({ media_id, kind, ...gain })))
    .onConflict((conflict) =>
      conflict.columns(['media_id', 'days', 'start']).doUpdateSet((eb) => ({
        count: eb('rating_counts.count', '+', eb.ref('excluded.count')),
        sum: eb('rating_counts.sum', '+', eb.ref('excluded.sum')),
      })),
    )
    .execute()
  const losses = gains.filter((gain) => gain.count < 0)
  if (losses.length === 0) return
  await db
    .deleteFrom('rating_counts')
    .where('media_id', '=', media_id)
    .where('count', '=', 0)
    .where((eb) => eb.or(losses.map(({ days, start }) => eb.and({ days, start }))))
    .execute()
}

type Sorting = { sortBy: SortBy; order: 'asc' | 'desc' }

const selectShown = (db: Db, viewerId: number) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select([...reviewColumns, 'users.username', 'users.picture', reactionOf(viewerId).as('reaction')])
    .where(maySeeReview(viewerId))

function reactionOf(viewerId: number) {
  type Reaction = Selectable<Tables['reactions']>['reaction']
  if (viewerId === 0) return sql<Reaction | null>`null`
  return sql<Reaction | null>`(select reaction from reactions
    where reactions.review_id = reviews.id and reactions.user_id = ${viewerId})`
}

/** The ids of texts of a title that a viewer sees although they are not public, and that the viewer does not see although they are. */
export type Exceptions = { shown: number[]; hidden: number[] }

/**
 * Looks for exceptions among the texts of the members of `exceptionsFor`, of whom there are few. `isTitleSmaller` finds the ones of followees
 * among all of the title that are not public.
 */
const exceptionsQuery = ({
  isTitleSmaller,
  withFollowees,
}: Record<'isTitleSmaller' | 'withFollowees', boolean>) =>
  prepareQuery((db, mediaId: number, viewerId: number) => {
    const closed = sql`union select id from reviews where media_id = ${mediaId} and is_public = 0 and text <> ''`
    return sql<{ id: number; is_public: number }>`
      with candidates as (
        select reviews.id from (${exceptionsFor(viewerId, withFollowees)}) as members cross join reviews
        where ${equalsInside(db, 'reviews.user_id', 'members.id')} and reviews.media_id = ${mediaId} and reviews.text <> ''
        ${isTitleSmaller ? closed : sql``}
      )
      select reviews.id, reviews.is_public from candidates cross join reviews cross join users
      where reviews.id = candidates.id and users.id = reviews.user_id
        and (reviews.is_public = 1) <> (${maySeeReview(viewerId)} and ${isHeard(viewerId)})`
  })
const exceptionsOfPublic = exceptionsQuery({ isTitleSmaller: false, withFollowees: false })
const exceptionsFromTitle = exceptionsQuery({ isTitleSmaller: true, withFollowees: false })
const exceptionsFromFollows = exceptionsQuery({ isTitleSmaller: false, withFollowees: true })

const followees = prepareFirst((db, userId: number) =>
  db.selectFrom('users').select('following_count as count').where('id', '=', userId),
)

/** Returns the exceptions for a viewer, who is 0 for a visitor. */
export async function findExceptions(db: Db, title: ReviewedTitleRow, viewerId: number): Promise<Exceptions> {
  const closed = viewerId === 0 ? 0 : title.text_count - title.public_text_count
  const find =
    closed === 0
      ? exceptionsOfPublic
      : closed <= ((await followees(db, viewerId))?.count ?? 0)
        ? exceptionsFromTitle
        : exceptionsFromFollows
  const rows = await find(db, title.id, viewerId)
  return {
    shown: rows.filter((row) => row.is_public === 0).map((row) => row.id),
    hidden: rows.filter((row) => row.is_public === 1).map((row) => row.id),
  }
}

/**
 * Pages of a title's reviews that have a text and are visible to the viewer. `ORDER BY` names every column of the index, otherwise SQLite
 * sorts all reviews of the title. The blank text is a literal, so that the partial index applies even if the plan is made without the
 * parameters. The subquery skips rows by the index alone, without reading them and their authors. The lists of ids begin with 0, because a
 * query with an empty list returns nothing.
 */
const reviewsPage = (sortBy: SortBy, order: Sorting['order'], hasExceptions: boolean) =>
  prepareQuery(
    (
      db,
      mediaId: number,
      limit: number,
      offset: number,
      viewerId: number,
      ...[shown, hidden]: (readonly number[])[]
    ) =>
      selectShown(db, viewerId)
        .where(isHeard(viewerId))
        .innerJoin(
          db
            .selectFrom('reviews')
            .select('id')
            .where('media_id', '=', mediaId)
            .where('text', '<>', sql.lit(''))
            .where(
              hasExceptions
                ? sql<SqlBool>`(is_public = 1 and not ${isOneOf(db, 'reviews.id', hidden!, true)} or ${isOneOf(db, 'reviews.id', shown!, true)})`
                : sql<SqlBool>`is_public = 1`,
            )
            .$if(sortBy === 'rating', (query) => query.orderBy('rating', order))
            .$if(sortBy === 'likeCount', (query) => query.orderBy('like_count', order))
            .orderBy('created_at', order)
            .orderBy('id', order)
            .limit(limit)
            .offset(offset)
            .as('page'),
          'page.id',
          'reviews.id',
        )
        .$if(sortBy === 'rating', (query) => query.orderBy('reviews.rating', order))
        .$if(sortBy === 'likeCount', (query) => query.orderBy('reviews.like_count', order))
        .orderBy('reviews.created_at', order)
        .orderBy('reviews.id', order),
  )
const reviewsPagesOf = (sortBy: SortBy) => ({
  asc: [reviewsPage(sortBy, 'asc', false), reviewsPage(sortBy, 'asc', true)] as const,
  desc: [reviewsPage(sortBy, 'desc', false), reviewsPage(sortBy, 'desc', true)] as const,
})
const reviewsPageBy = {
  createdAt: reviewsPagesOf('createdAt'),
  rating: reviewsPagesOf('rating'),
  likeCount: reviewsPagesOf('likeCount'),
}

/** Returns one page of a title's reviews that have a text and that the viewer may see, each with the viewer's reaction. */
export async function listReviewsPage(
  db: Db,
  {
    mediaId,
    sortBy,
    order,
    limit,
    offset,
    exceptions: { shown, hidden },
  }: Sorting & { mediaId: number; limit: number; offset: number; exceptions: Exceptions },
  viewerId: number,
): Promise<ShownReviewRow[]> {
  const [plain, withExceptions] = reviewsPageBy[sortBy][order]
  return shown.length + hidden.length === 0
    ? plain(db, mediaId, limit, offset, viewerId)
    : withExceptions(db, mediaId, limit, offset, viewerId, [0, ...shown], [0, ...hidden])
}

/** Returns the rating counters of a title. */
export const findRatings = prepareFirst((db, kind: Kind, id: number) =>
  db
    .selectFrom('media')
    .select(ratingColumns)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where(isTitleShown),
)

/**
 * A title and the member whose network is read. If `isTitleSmaller`, the title has no more reviews than the member follows
 * people, and the join starts from its reviews; otherwise from the follows.
 */
export type NetworkTitle = { id: number; memberId: number; isTitleSmaller: boolean }

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
      .where('media.kind', '=', kind),
  )
const networkTitleBy = { rating_count: networkTitle('rating_count'), text_count: networkTitle('text_count') }

/** Finds a title and compares its number of ratings (or of reviews with a text) with the number of people the member follows. */
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

/** SQLite executes a cross join in the order written; Postgres chooses its own order. */
function networkReviews(db: Db, { id, memberId, isTitleSmaller }: NetworkTitle) {
  const joined = isTitleSmaller
    ? db.selectFrom('reviews').crossJoin('follows').whereRef('follows.followee_id', '=', 'reviews.user_id')
    : db
        .selectFrom('follows')
        .crossJoin('reviews')
        .where(equalsInside(db, 'reviews.user_id', 'follows.followee_id'))
  return joined
    .where('reviews.media_id', '=', id)
    .where('follows.follower_id', '=', memberId)
    .where(isHeard(memberId, 'follows.followee_id'))
}

/** Prepares a query of the reviews of a title by the people a member follows, for both orders of the join. */
function networkQuery<More extends number[], Row>(
  build: (
    reviews: ReturnType<typeof networkReviews>,
    db: Db,
    memberId: number,
    ...more: More
  ) => { compile: (db: Db) => CompiledQuery<Row> },
) {
  const prepare = (isTitleSmaller: boolean) =>
    prepareQuery((db, id: number, memberId: number, ...more: More) =>
      build(networkReviews(db, { id, memberId, isTitleSmaller }), db, memberId, ...more),
    )
  const [fromTitle, fromFollows] = [prepare(true), prepare(false)]
  return (db: Db, { id, memberId, isTitleSmaller }: NetworkTitle, ...more: More) =>
    (isTitleSmaller ? fromTitle : fromFollows)(db, id, memberId, ...more)
}

/** Returns all reviews of the title with a text by people the member follows, except suspended ones, unordered. */
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

const networkRatings = networkQuery((reviews) => reviews.select('reviews.rating'))

/** Returns all ratings of the title by people the member follows. */
export async function listNetworkRatings(db: Db, title: NetworkTitle): Promise<number[]> {
  return (await networkRatings(db, title)).map((row) => row.rating)
}

/** Returns the people the member follows who rated the title, newest rating first. Follows exclude blocks: see `isHeard`. */
export const listRaters = networkQuery((reviews, db, memberId, limit: number) =>
  db
    .selectFrom(
      reviews
        .select(['reviews.id', 'reviews.user_id', 'reviews.rated_at', 'reviews.rating'])
        .orderBy('reviews.rated_at', 'desc')
        .orderBy('reviews.id', 'desc')
        .limit(limit)
        .as('raters'),
    )
    .innerJoin('users', 'users.id', 'raters.user_id')
    .where(isShown(memberId))
    .select(['users.id', 'users.username', 'users.picture', 'raters.rating'])
    .orderBy('raters.rated_at', 'desc')
    .orderBy('raters.id', 'desc'),
)

const shownReviews = prepareByIds((db, ids, viewerId: number) =>
  selectShown(db, viewerId).where(isOneOf(db, 'reviews.id', ids)),
)

/** Returns the reviews in the order of the ids, each with the viewer's reaction. */
export async function listReviews(
  db: Db,
  ids: readonly number[],
  viewerId: number | undefined,
): Promise<ShownReviewRow[]> {
  return shownReviews(db, ids, viewerId ?? 0)
}

/**
 * Returns whether the review exists, and locks it until the transaction ends, so that no other transaction changes its
 * reactions or deletes it.
 */
export async function lockReview(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', id)
    .$if(!isSqlite(db), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return row !== undefined
}

type ReactionKey = { review_id: number; user_id: number }

export async function findReaction(db: Db, key: ReactionKey): Promise<'like' | 'dislike' | undefined> {
  const row = await db
    .selectFrom('reactions')
    .select('reaction')
    .where('review_id', '=', key.review_id)
    .where('user_id', '=', key.user_id)
    .executeTakeFirst()
  return row?.reaction
}

/** Replaces the member's reaction to a review; `none` removes it. */
export async function setReaction(
  db: Db,
  { review_id, user_id }: ReactionKey,
  reaction: 'like' | 'dislike' | 'none',
): Promise<void> {
  const key = { review_id, user_id }
  if (reaction === 'none') return void (await removeRows(db, 'reactions', key))
  await db
    .insertInto('reactions')
    .values({ ...key, reaction })
    .onConflict((conflict) => conflict.columns(['review_id', 'user_id']).doUpdateSet({ reaction }))
    .execute()
}

export async function addReactionCounts(
  db: Db,
  reviewId: number,
  gain: { like_count: number; dislike_count: number },
): Promise<void> {
  await db
    .updateTable('reviews')
    .set((eb) => ({
      like_count: eb('like_count', '+', gain.like_count),
      dislike_count: eb('dislike_count', '+', gain.dislike_count),
    }))
    .where('id', '=', reviewId)
    .execute()
}

const commentCount = prepareFirst((db, reviewId: number, viewerId: number) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select('reviews.comment_count')
    .where('reviews.id', '=', reviewId)
    .where(maySeeReview(viewerId)),
)

/** Returns undefined if the review does not exist, or the viewer may not see it. */
export async function findCommentCount(
  db: Db,
  reviewId: number,
  viewerId: number,
): Promise<number | undefined> {
  return (await commentCount(db, reviewId, viewerId))?.comment_count
}

/**
 * Returns the new count; undefined if the review does not exist. Call it before the comment is inserted or deleted: the
 * update also locks the review.
 */
export async function addToCommentCount(db: Db, reviewId: number, by: number): Promise<number | undefined> {
  const row = await db
    .updateTable('reviews')
    .set((eb) => ({ comment_count: eb('comment_count', '+', by) }))
    .where('id', '=', reviewId)
    .returning('comment_count')
    .executeTakeFirst()
  return row?.comment_count
}

export type CommentRow = Omit<Selectable<Tables['comments']>, 'removed_text' | 'own_has_spoilers'> &
  Pick<UserRow, 'username' | 'picture'>

/** Returns the last comments of a review, or the last ones before a given comment; oldest first. */
export async function listComments(
  db: Db,
  reviewId: number,
  before: { created_at: string; id: number } | undefined,
  limit: number,
  viewerId: number,
): Promise<CommentRow[]> {
  const { created_at, id } = before ?? { created_at: null, id: null }
  return (await lastComments(db, reviewId, created_at, id, limit, viewerId)).reverse()
}

const lastComments = prepareQuery(
  (db, reviewId: number, time: string | null, id: number | null, limit: number, viewerId: number) =>
    selectComments(db, viewerId)
      .where('comments.review_id', '=', reviewId)
      .$if(time !== null, (query) =>
        query.where(sql<SqlBool>`(comments.created_at, comments.id) < (${time}, ${id})`),
      )
      .orderBy('comments.created_at', 'desc')
      .orderBy('comments.id', 'desc')
      .limit(limit),
)

export const findComment = prepareFirst((db, id: number, viewerId: number) =>
  selectComments(db, viewerId).where('comments.id', '=', id),
)

function selectComments(db: Db, viewerId: number) {
  return db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select([
      'comments.id',
      'comments.review_id',
      'comments.user_id',
      'comments.text',
      'comments.has_spoilers',
      'comments.created_at',
      'users.username',
      'users.picture',
    ])
    .where(maySeeComment(viewerId))
}

/** Returns the id of the new comment. */
export async function insertComment(
  db: Db,
  comment: Omit<Insertable<Tables['comments']>, 'id'>,
): Promise<number> {
  const { id } = await db.insertInto('comments').values(comment).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Deletes a comment. Returns whether it was counted: a removed one is not. Undefined if it did not exist. */
export async function removeComment(db: Db, id: number): Promise<{ isCounted: boolean } | undefined> {
  const row = await db
    .deleteFrom('comments')
    .where('id', '=', id)
    .returning('removed_text')
    .executeTakeFirst()
  return row && { isCounted: row.removed_text === null }
}

export type LibraryFilter = {
  /** Folded words that the name or the authors contain. */
  words?: readonly string[] | undefined
  /** Only ratings from this time on. */
  since?: string | undefined
  kind?: Kind | undefined
  hasText?: boolean | undefined
  rating?: number | undefined
  decade?: number | undefined
  genre?: string | undefined
  year?: number | undefined
}

function matchesFilter(
  db: Db,
  userId: number,
  { words, since, kind, hasText, rating, decade, genre, year }: LibraryFilter,
): Expression<SqlBool> {
  const conditions = [sql<SqlBool>`reviews.user_id = ${userId}`]
  if (kind !== undefined) conditions.push(sql`reviews.kind = ${kind}`)
  if (hasText !== undefined) conditions.push(hasText ? sql`reviews.text <> ''` : sql`reviews.text = ''`)
  if (rating !== undefined) conditions.push(sql`reviews.rating = ${rating}`)
  if (year !== undefined)
    conditions.push(
      sql`reviews.created_at >= ${`${year}-`} and reviews.created_at < ${`${String(year + 1)}-`}`,
    )
  if (since !== undefined) conditions.push(sql`reviews.created_at >= ${since}`)
  if (words !== undefined && words.length > 0) {
    const matches = words.map((word) => contains(db, 'titles.search_text', separated(word)))
    conditions.push(sql`exists (select 1 from media as titles
      where titles.id = reviews.media_id and ${sql.join(matches, sql` and `)})`)
  }
  if (decade !== undefined || genre !== undefined) {
    const ofDecade = decade === undefined ? sql`` : sql`and title_facets.decade = ${decade}`
    conditions.push(sql`exists (select 1 from title_facets
      where title_facets.media_id = reviews.media_id and title_facets.genre = ${genre ?? ''} ${ofDecade})`)
  }
  return sql.join(conditions, sql` and `) as RawBuilder<SqlBool>
}

export async function countLibrary(db: Db, userId: number, filter: LibraryFilter): Promise<number> {
  return countRows(db.selectFrom('reviews').where(matchesFilter(db, userId, filter)))
}

/** Returns the time of a member's rating at a position, the newest first; undefined if there are fewer. */
export async function findLibraryTime(db: Db, userId: number, offset: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('reviews')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(offset)
    .executeTakeFirst()
  return row?.created_at
}

export type LibraryRow = Pick<ReviewRow, 'id' | 'media_id' | 'rating' | 'created_at'>

/**
 * Lists a member's ratings and reviews, `after` a sort key. The sort keys are (created_at, id), (rating, created_at, id),
 * (name_folded, media_id) and (release date, media_id). If `isTitleFirst`, SQLite reads the titles in order and looks up the member's
 * review of each; otherwise it sorts the member's reviews.
 */
export async function listLibrary(
  db: Db,
  userId: number,
  {
    filter,
    sort,
    order,
    after,
    limit,
    isTitleFirst,
  }: {
    filter: LibraryFilter
    sort: LibrarySort
    order: 'asc' | 'desc'
    after: readonly (string | number)[] | undefined
    limit: number
    isTitleFirst: boolean
  },
): Promise<LibraryRow[]> {
  const keys = libraryKeys[sort]
  const [direction, comparison] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  const needsTitle = sort === 'title' || sort === 'release'
  // SQLite executes a cross join in the order written.
  const from = !needsTitle
    ? sql`reviews`
    : isTitleFirst
      ? sql`media cross join reviews`
      : sql`reviews cross join media`
  const { rows } = await sql<LibraryRow>`
    select reviews.id, reviews.media_id, reviews.rating, reviews.created_at from ${from}
    where ${matchesFilter(db, userId, filter)}
      ${needsTitle ? sql`and reviews.media_id = media.id` : sql``}
      ${after ? sql`and (${sql.join(keys)}) ${comparison} (${sql.join(after)})` : sql``}
    order by ${sql.join(keys.map((key) => sql`${key} ${direction}`))} limit ${limit}`.execute(db)
  return rows
}

const libraryKeys: Record<LibrarySort, RawBuilder<unknown>[]> = {
  createdAt: [sql`reviews.created_at`, sql`reviews.id`],
  rating: [sql`reviews.rating`, sql`reviews.created_at`, sql`reviews.id`],
  title: [sql`media.name_folded`, sql`media.id`],
  release: [sql`coalesce(media.release_date, '')`, sql`media.id`],
}

/** Returns the sort keys of a title in a library, by name and by release date. */
export async function findTitleKeys(db: Db, id: number) {
  return db
    .selectFrom('media')
    .select(['name_folded', 'release_date'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns a member's number of ratings of each kind by stars. */
export const countRatings = prepareQuery((db, userId: number) =>
  db
    .selectFrom('reviews')
    .select(({ fn }) => ['kind', 'rating', fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy(['kind', 'rating']),
)

/** Returns the time of a member's first rating. */
export async function findFirstRating(db: Db, userId: number): Promise<string | null> {
  const { first } = await db
    .selectFrom('reviews')
    .select(({ fn }) => fn.min('created_at').as('first'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return first
}

/** Returns a member's ratings of the titles; titles without a rating are left out. */
export const listOwnRatings = prepareQuery((db, userId: number, ids: readonly number[]) =>
  db
    .selectFrom('reviews')
    .select(['media_id', 'rating'])
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', ids)),
)

/**
 * Returns the ratings of these titles by the people a member follows: at most `networkAskedMax` of them, the last followed ones. A
 * cross join, because SQLite executes it in the order in which it is written.
 */
export async function listNetworkRatingsOf(db: Db, memberId: number, ids: readonly number[]) {
  return db
    .selectFrom(
      db
        .selectFrom('follows')
        .select('followee_id')
        .where('follower_id', '=', memberId)
        .where(isHeard(memberId, 'follows.followee_id'))
        .orderBy('created_at', 'desc')
        .orderBy('followee_id', 'desc')
        .limit(sql.lit(networkAskedMax))
        .as('network'),
    )
    .crossJoin('reviews')
    .select(['reviews.media_id', 'reviews.user_id', 'reviews.rating'])
    .whereRef('reviews.user_id', '=', 'network.followee_id')
    .where(isOneOf(db, 'reviews.media_id', ids))
    .execute()
}

/** Selects a member's reviews for an export. */
export function selectExportedReviews(db: Db, userId: number) {
  return db
    .selectFrom('reviews')
    .select(['media_id', ...writtenColumns, 'rating_given', 'created_at', 'updated_at', 'rated_at'])
    .select('removed_text')
    .where('user_id', '=', userId)
}

/** Selects a member's reviews that were removed with their ratings, as rows of `reviews` in JSON, for an export. */
export function selectRemovedReviews(db: Db, userId: number) {
  return db
    .selectFrom('removed_reviews')
    .select(['media_id', 'row'])
    .where('user_id', '=', userId)
    .where('row', '<>', 'null')
}

/** The username of the author of a review; null if the member may not see what they write. */
const shownAuthor = (userId: number) =>
  sql<string | null>`case when ${maySee(userId)} then users.username end`.as('author')

/** Selects a member's reactions for an export. */
export function selectExportedReactions(db: Db, userId: number) {
  return db
    .selectFrom('reactions')
    .innerJoin('reviews', 'reviews.id', 'reactions.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['reactions.review_id', 'reactions.reaction', 'reviews.media_id'])
    .select(shownAuthor(userId))
    .where('reactions.user_id', '=', userId)
}

/** Selects a member's comments for an export. */
export function selectExportedComments(db: Db, userId: number) {
  return db
    .selectFrom('comments')
    .innerJoin('reviews', 'reviews.id', 'comments.review_id')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['comments.id', 'comments.text', 'comments.has_spoilers', 'comments.created_at'])
    .select('comments.removed_text')
    .select('reviews.media_id')
    .select(shownAuthor(userId))
    .where('comments.user_id', '=', userId)
}
