import { type Selectable, type SqlBool, sql } from 'kysely'
import type { SortBy } from '#shared/contracts/reviews.ts'
import type { Kind, PartType } from '#shared/domain/kinds.ts'
import { equalsInside, isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { hasRow } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import { exceptionsFor, isHeard, isTitleShown, maySeeReview } from '#server/members/visibility.ts'
import { safeUpToColumns, shownText } from '#server/members/withheld.ts'
import { type TitleRow, ratingColumns } from '#server/titles/tables.ts'
import {
  ownReviewColumns,
  type OwnReviewRow,
  reviewColumns,
  type ReviewedPart,
  type ReviewRow,
  type ShownReviewRow,
  titleOfReview,
  type WrittenRow,
  type AboutColumn,
} from './tables.ts'

/** On Postgres every write locks in this order, which prevents deadlocks: the title, the review, the member. */

type ReviewedTitle = { id: number; kind?: Kind }
const titleColumns = ['id', 'kind', 'text_count', 'public_text_count'] as const
export type ReviewedTitleRow = Pick<TitleRow, (typeof titleColumns)[number]>

/** A title, or with `part_id` a part of it. */
export type Reviewed = { id: number; part_id?: number | null }
export type ReviewedRow = ReviewedTitleRow & { part_id: number | null; isGone: boolean }
type SubjectRef = ReviewedTitle & { part?: PartType }

export const reviewedIn = ({ media_id, part_id }: Pick<ReviewRow, 'media_id' | 'part_id'>): Reviewed => ({
  id: media_id ?? 0,
  part_id,
})

const keyOf = ({ id, part_id = null }: Reviewed) =>
  part_id === null ? (['media_id', id] as const) : (['part_id', part_id] as const)
/** Each column has its own indexes, so that a query is about titles or about parts. */
const byKey = <Query>(make: (column: AboutColumn) => Query) => ({
  media_id: make('media_id'),
  part_id: make('part_id'),
})

function selectTitle(db: Db, id: number) {
  return db.selectFrom('media').select(titleColumns).where('id', '=', id).where(isTitleShown)
}
const titleQuery = prepareFirst((db, id: number) => selectTitle(db, id))
const lockedTitleQuery = prepareFirst((db, id: number) =>
  selectTitle(db, id).$if(!isSqlite(db), (query) => query.forNoKeyUpdate()),
)
const ofKind = (row: ReviewedTitleRow | undefined, { kind }: ReviewedTitle) =>
  kind === undefined || row?.kind === kind ? row : undefined

export async function findReviewedTitle(db: Db, title: ReviewedTitle): Promise<ReviewedTitleRow | undefined> {
  return ofKind(await titleQuery(db, title.id), title)
}

export async function lockTitle(db: Db, title: ReviewedTitle): Promise<ReviewedTitleRow | undefined> {
  return ofKind(await lockedTitleQuery(db, title.id), title)
}

const selectPart = (db: Db, id: number) =>
  db
    .selectFrom('parts')
    .innerJoin('media', 'media.id', 'parts.media_id')
    .select(['media.id', 'media.kind', 'parts.id as part_id', 'parts.type', 'parts.is_gone'])
    .select(['parts.text_count', 'parts.public_text_count'])
    .where('parts.id', '=', id)
    .where(isTitleShown)
const partQuery = prepareFirst((db, id: number) => selectPart(db, id))
const lockedPartQuery = prepareFirst((db, id: number) =>
  selectPart(db, id).$if(!isSqlite(db), (query) => query.forNoKeyUpdate('media').forKeyShare('parts')),
)

/** Undefined also for an id of another kind or type. */
export async function findReviewed(db: Db, ref: SubjectRef): Promise<ReviewedRow | undefined> {
  if (ref.part === undefined) return asReviewed(await findReviewedTitle(db, ref))
  return ofType(await partQuery(db, ref.id), ref.part)
}

/** Locks the title, also of a part, which a refresh may have removed while this waited for it. */
export async function lockReviewed(db: Db, ref: SubjectRef): Promise<ReviewedRow | undefined> {
  if (ref.part === undefined) return asReviewed(await lockTitle(db, ref))
  return ofType(await lockedPartQuery(db, ref.id), ref.part)
}

const asReviewed = (row: ReviewedTitleRow | undefined) => row && { ...row, part_id: null, isGone: false }

function ofType(row: Awaited<ReturnType<typeof partQuery>>, wanted: PartType): ReviewedRow | undefined {
  if (!row) return undefined
  const { type, is_gone, ...reviewed } = row
  return type === wanted ? { ...reviewed, isGone: is_gone === 1 } : undefined
}

export async function lockTitleOf(db: Db, reviewId: number): Promise<void> {
  if (isSqlite(db)) return
  await db
    .selectFrom('media')
    .select('id')
    .where('id', 'in', (eb) =>
      eb.selectFrom('reviews').select(titleOfReview.as('id')).where('reviews.id', '=', reviewId),
    )
    .forNoKeyUpdate()
    .execute()
}

export async function findReview(db: Db, id: number): Promise<OwnReviewRow | undefined> {
  return db.selectFrom('reviews').select(ownReviewColumns).where('id', '=', id).executeTakeFirst()
}

/** The title of a review, also of a review of a part. */
export async function findTitleOf(
  db: Db,
  { media_id, part_id }: Pick<ReviewRow, 'media_id' | 'part_id'>,
): Promise<number> {
  if (media_id !== null) return media_id
  const part = await db.selectFrom('parts').select('media_id').where('id', '=', part_id).executeTakeFirst()
  return part?.media_id ?? 0
}

/** False if moderators have removed its title. */
export async function isTitleOfReviewShown(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .innerJoin('media', (join) => join.on('media.id', '=', titleOfReview))
    .select('media.id')
    .where('reviews.id', '=', id)
    .where(isTitleShown)
    .executeTakeFirst()
  return row !== undefined
}

export async function findReviewBy(db: Db, userId: number, on: Reviewed) {
  return db
    .selectFrom('reviews')
    .select(ownReviewColumns)
    .where('user_id', '=', userId)
    .where(...isOn(on))
    .executeTakeFirst()
}

function isOn(on: Reviewed) {
  const [column, id] = keyOf(on)
  return [column, '=', id] as const
}

type NewReview = WrittenRow &
  Pick<ReviewRow, 'media_id' | 'part_id' | 'kind' | 'user_id' | 'created_at' | 'updated_at' | 'rated_at'> &
  Partial<Pick<ReviewRow, 'rating_given'>>

/** As in the member's other texts. Locks the member, so that what settles them finds the review. */
const isPublicBy = (db: Db, userId: number) =>
  sql<number>`(select case when users.has_public_texts = 0 then 0 else 1 end from users where users.id = ${userId} ${isSqlite(db) ? sql`` : sql`for no key update`})`

export async function insertReview(db: Db, review: NewReview): Promise<OwnReviewRow> {
  return db
    .insertInto('reviews')
    .values({ ...review, is_public: isPublicBy(db, review.user_id) })
    .returning(ownReviewColumns)
    .executeTakeFirstOrThrow()
}

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

/** The episode itself, and of a season the last episode that the source has. */
export async function findLastEpisode(db: Db, partId: number): Promise<number | null> {
  const row = await db
    .selectFrom('parts')
    .select('id')
    .where('type', '=', 'episode')
    .where((eb) => eb.or([eb('id', '=', partId), eb('parent_id', '=', partId)]))
    .orderBy('is_gone')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Until the transaction ends, no refresh removes it. */
export async function lockEpisodeOf(trx: Db, id: number, titleId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('parts')
    .select('id')
    .where('id', '=', id)
    .where('media_id', '=', titleId)
    .where('type', '=', 'episode')
    .$if(!isSqlite(trx), (query) => query.forKeyShare())
    .executeTakeFirst()
  return row !== undefined
}

export async function isRemoved(db: Db, userId: number, on: Reviewed): Promise<boolean> {
  const [column, id] = keyOf(on)
  return hasRow(db, 'removed_reviews', { user_id: userId, [column]: id })
}

/** Does not keep the text. The author cannot write it again until the removal ends. See `isRemoved`. */
export async function recordRemoved(trx: Db, id: number): Promise<void> {
  await trx
    .insertInto('removed_reviews')
    .columns(['review_id', 'user_id', 'media_id', 'part_id', 'created_at', 'row'])
    .expression((eb) =>
      eb
        .selectFrom('reviews')
        .select(['id', 'user_id', 'media_id', 'part_id', 'created_at', sql<string>`'null'`.as('row')])
        .where('id', '=', id),
    )
    .execute()
}

export async function removeReview(db: Db, id: number): Promise<void> {
  await db.deleteFrom('reviews').where('id', '=', id).execute()
}

type Sorting = { sortBy: SortBy; order: 'asc' | 'desc' }

const selectShown = (db: Db, viewerId: number, reading = {}) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select([...reviewColumns, 'users.username', 'users.picture', reactionOf(viewerId).as('reaction')])
    .select([shownText(viewerId, 'review', reading), ...safeUpToColumns('review')])
    .where(maySeeReview(viewerId))

function reactionOf(viewerId: number) {
  type Reaction = Selectable<Tables['reactions']>['reaction']
  if (viewerId === 0) return sql<Reaction | null>`null`
  return sql<Reaction | null>`(select reaction from reactions
    where reactions.review_id = reviews.id and reactions.user_id = ${viewerId})`
}

/** Texts that a viewer sees although they are not public, and public ones that the viewer does not see. */
export type Exceptions = { shown: number[]; hidden: number[] }

/** Among the texts of the few members of `exceptionsFor`. `isTitleSmaller` looks for followees among the title’s texts that are not public. */
const exceptionsQuery = ({
  isTitleSmaller,
  withFollowees,
}: Record<'isTitleSmaller' | 'withFollowees', boolean>) =>
  byKey((column) =>
    prepareQuery((db, subjectId: number, viewerId: number) => {
      const isSubject = sql`${sql.ref(`reviews.${column}`)} = ${subjectId}`
      const closed = sql`union all select id from reviews where ${isSubject} and is_public = 0 and text <> ''`
      return sql<{ id: number; is_public: number }>`
      with candidates as (
        select reviews.id from (${exceptionsFor(viewerId, withFollowees)}) as members cross join reviews
        where ${equalsInside(db, 'reviews.user_id', 'members.id')} and ${isSubject} and reviews.text <> ''
        ${isTitleSmaller ? closed : sql``}
      )
      select reviews.id, reviews.is_public from candidates cross join reviews cross join users
      where reviews.id = candidates.id and users.id = reviews.user_id
        and (reviews.is_public = 1) <> (${maySeeReview(viewerId)} and ${isHeard(viewerId)})`
    }),
  )
const exceptionsOfPublic = exceptionsQuery({ isTitleSmaller: false, withFollowees: false })
const exceptionsFromTitle = exceptionsQuery({ isTitleSmaller: true, withFollowees: false })
const exceptionsFromFollows = exceptionsQuery({ isTitleSmaller: false, withFollowees: true })

const followees = prepareFirst((db, userId: number) =>
  db.selectFrom('users').select('following_count as count').where('id', '=', userId),
)

export async function findExceptions(db: Db, on: ReviewedRow, viewerId: number): Promise<Exceptions> {
  const closed = viewerId === 0 ? 0 : on.text_count - on.public_text_count
  const find =
    closed === 0
      ? exceptionsOfPublic
      : closed <= ((await followees(db, viewerId))?.count ?? 0)
        ? exceptionsFromTitle
        : exceptionsFromFollows
  const [column, id] = keyOf(on)
  const rows = await find[column](db, id, viewerId)
  const idsOf = (isPublic: number) => [
    ...new Set(rows.filter((row) => row.is_public === isPublic).map((row) => row.id)),
  ]
  return { shown: idsOf(0), hidden: idsOf(1) }
}

/**
 * `ORDER BY` names every column of the index, otherwise SQLite sorts all reviews. The blank text is a literal, so that the partial index
 * applies to a plan made without the parameters. The subquery skips rows by the index alone. The lists of ids begin with 0, because a query
 * with an empty list returns nothing.
 */
const reviewsPage = (column: AboutColumn, sortBy: SortBy, order: Sorting['order'], hasExceptions: boolean) =>
  prepareQuery(
    (
      db,
      subjectId: number,
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
            .where(column, '=', subjectId)
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
const reviewsPagesOf = (column: AboutColumn, sortBy: SortBy) => ({
  asc: [reviewsPage(column, sortBy, 'asc', false), reviewsPage(column, sortBy, 'asc', true)] as const,
  desc: [reviewsPage(column, sortBy, 'desc', false), reviewsPage(column, sortBy, 'desc', true)] as const,
})
const reviewsPageBy = byKey((column) => ({
  createdAt: reviewsPagesOf(column, 'createdAt'),
  rating: reviewsPagesOf(column, 'rating'),
  likeCount: reviewsPagesOf(column, 'likeCount'),
}))

/** With a text and visible to the viewer, each with the viewer's reaction. */
export async function listReviewsPage(
  db: Db,
  {
    on,
    sortBy,
    order,
    limit,
    offset,
    exceptions: { shown, hidden },
  }: Sorting & { on: Reviewed; limit: number; offset: number; exceptions: Exceptions },
  viewerId: number,
): Promise<ShownReviewRow[]> {
  const [column, id] = keyOf(on)
  const [plain, withExceptions] = reviewsPageBy[column][sortBy][order]
  return withParts(
    db,
    shown.length + hidden.length === 0
      ? await plain(db, id, limit, offset, viewerId)
      : await withExceptions(db, id, limit, offset, viewerId, [0, ...shown], [0, ...hidden]),
  )
}

const reviewedParts = prepareQuery((db, ids: readonly number[]) =>
  db
    .selectFrom('parts')
    .select(['id', 'media_id', 'parent_id', 'type', 'season', 'number', 'name'])
    .where(isOneOf(db, 'id', ids)),
)

export async function findParts(db: Db, ids: readonly number[]): Promise<Map<number, ReviewedPart>> {
  return new Map((await reviewedParts(db, ids)).map((part) => [part.id, part]))
}

/** A query of its own, since nearly all reviews are of titles. Leaves out reviews whose part was deleted meanwhile. */
async function withParts(
  db: Db,
  rows: readonly (Omit<ShownReviewRow, 'media_id' | 'part'> & Pick<ReviewRow, 'media_id' | 'part_id'>)[],
): Promise<ShownReviewRow[]> {
  const parts = await findParts(db, [...new Set(rows.flatMap(({ part_id }) => part_id ?? []))])
  return rows.flatMap(({ part_id, media_id, ...row }) => {
    const part = part_id === null ? null : parts.get(part_id)
    const titleId = media_id ?? part?.media_id
    return part === undefined || titleId === undefined ? [] : { ...row, media_id: titleId, part }
  })
}

const partRatings = prepareQuery((db, partId: number) =>
  db
    .selectFrom('reviews')
    .select(({ fn }) => ['rating', fn.countAll<number>().as('count')])
    .where('part_id', '=', partId)
    .groupBy('rating'),
)

/** How many members gave each rating; undefined if the title is not shown. */
export async function findRatingsOfPart(db: Db, partId: number) {
  if (!(await partQuery(db, partId))) return undefined
  return (await partRatings(db, partId)).map(({ rating, count }) => ({ rating, count: Number(count) }))
}

export const findRatings = prepareFirst((db, kind: Kind, id: number) =>
  db
    .selectFrom('media')
    .select(ratingColumns)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where(isTitleShown),
)

const shownReviews = (isRevealed: boolean) =>
  prepareByIds((db, ids, viewerId: number) =>
    selectShown(db, viewerId, { isRevealed }).where(isOneOf(db, 'reviews.id', ids)),
  )
const [reviewsAsFar, revealedReviews] = [shownReviews(false), shownReviews(true)]

export async function listReviews(
  db: Db,
  ids: readonly number[],
  viewerId: number | undefined,
  { isRevealed = false } = {},
): Promise<ShownReviewRow[]> {
  return withParts(db, await (isRevealed ? revealedReviews : reviewsAsFar)(db, ids, viewerId ?? 0))
}

/** Until the transaction ends, no other one changes its reactions or deletes it. */
export async function lockReview(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', id)
    .$if(!isSqlite(db), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return row !== undefined
}
