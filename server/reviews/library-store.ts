import { type Expression, type NotNull, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LibraryAbout, LibrarySort } from '#shared/contracts/library.ts'
import { networkAskedMax } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { toTenths } from '#shared/domain/ratings.ts'
import { contains, isOneOf } from '#server/db/dialect.ts'
import { separated } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { countRows } from '#server/db/rows.ts'
import { isHeard } from '#server/members/visibility.ts'
import type { ReviewRow } from './tables.ts'

export type LibraryFilter = {
  about?: LibraryAbout | undefined
  words?: readonly string[] | undefined
  since?: string | undefined
  kind?: Kind | undefined
  hasText?: boolean | undefined
  rating?: number | undefined
  stars?: number | undefined
  decade?: number | undefined
  genre?: string | undefined
  year?: number | undefined
}

/** Partial indexes apply only if their condition is in the query. */
const subjects = {
  titles: { isAbout: sql`reviews.media_id is not null`, titleId: sql`reviews.media_id` },
  parts: {
    isAbout: sql`reviews.part_id is not null`,
    titleId: sql`(select parts.media_id from parts where parts.id = reviews.part_id)`,
  },
} satisfies Record<LibraryAbout, Record<string, RawBuilder<unknown>>>

function matchesFilter(
  db: Db,
  userId: number,
  { about = 'titles', words, since, kind, hasText, rating, stars, decade, genre, year }: LibraryFilter,
): Expression<SqlBool> {
  const { isAbout, titleId } = subjects[about]
  const conditions = [sql<SqlBool>`reviews.user_id = ${userId} and ${isAbout}`]
  if (kind !== undefined) conditions.push(sql`reviews.kind = ${kind}`)
  if (hasText !== undefined) conditions.push(hasText ? sql`reviews.text <> ''` : sql`reviews.text = ''`)
  if (rating !== undefined) conditions.push(sql`reviews.rating = ${toTenths(rating)}`)
  if (stars !== undefined)
    conditions.push(sql`reviews.rating > ${toTenths(stars - 1)} and reviews.rating <= ${toTenths(stars)}`)
  if (year !== undefined)
    conditions.push(
      sql`reviews.created_at >= ${`${year}-`} and reviews.created_at < ${`${String(year + 1)}-`}`,
    )
  if (since !== undefined) conditions.push(sql`reviews.created_at >= ${since}`)
  if (words !== undefined && words.length > 0) {
    const matches = words.map((word) => contains(db, 'titles.search_text', separated(word)))
    conditions.push(sql`exists (select 1 from media as titles
      where titles.id = ${titleId} and ${sql.join(matches, sql` and `)})`)
  }
  if (decade !== undefined || genre !== undefined) {
    const ofDecade = decade === undefined ? sql`` : sql`and title_facets.decade = ${decade}`
    conditions.push(sql`exists (select 1 from title_facets
      where title_facets.media_id = ${titleId} and title_facets.genre = ${genre ?? ''} ${ofDecade})`)
  }
  return sql.join(conditions, sql` and `) as RawBuilder<SqlBool>
}

export async function countLibrary(db: Db, userId: number, filter: LibraryFilter): Promise<number> {
  return countRows(db.selectFrom('reviews').where(matchesFilter(db, userId, filter)))
}

/** Newest first; undefined if there are fewer ratings. */
export async function findLibraryTime(
  db: Db,
  userId: number,
  about: LibraryAbout,
  offset: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('reviews')
    .select('created_at')
    .where('user_id', '=', userId)
    .where(about === 'titles' ? 'media_id' : 'part_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(offset)
    .executeTakeFirst()
  return row?.created_at
}

export type LibraryRow = Pick<ReviewRow, 'id' | 'rating' | 'created_at'> & { media_id: number }

/**
 * `after` is a sort key: (created_at, id), (rating, created_at, id), (name_folded, media_id) or (release date, media_id), for parts with the id too. If
 * `isTitleFirst`, SQLite reads the titles in order and looks up the member's reviews.
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
  const ofParts = filter.about === 'parts'
  const { titleId } = subjects[filter.about ?? 'titles']
  const [direction, comparison] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  const needsTitle = sort === 'title' || sort === 'release'
  const keys = needsTitle && ofParts ? [...libraryKeys[sort], sql`reviews.id`] : libraryKeys[sort]
  // SQLite executes a cross join in the order written.
  const from = !needsTitle
    ? sql`reviews`
    : isTitleFirst
      ? sql`media cross join reviews`
      : sql`reviews cross join media`
  const { rows } = await sql<LibraryRow>`
    select reviews.id, ${titleId} as media_id, reviews.rating, reviews.created_at from ${from}
    where ${matchesFilter(db, userId, filter)}
      ${needsTitle ? sql`and media.id = ${titleId}` : sql``}
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

export async function findTitleKeys(db: Db, id: number) {
  return db
    .selectFrom('media')
    .select(['name_folded', 'release_date'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export const countRatings = prepareQuery((db, userId: number) =>
  db
    .selectFrom('reviews')
    .select(({ fn }) => ['kind', 'rating', fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .where('media_id', 'is not', null)
    .groupBy(['kind', 'rating']),
)

export async function findFirstRating(db: Db, userId: number): Promise<string | null> {
  const { first } = await db
    .selectFrom('reviews')
    .select(({ fn }) => fn.min('created_at').as('first'))
    .where('user_id', '=', userId)
    .where('media_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return first
}

export async function findHalfStars(db: Db, userId: number): Promise<number> {
  const row = await db.selectFrom('users').select('half_stars').where('id', '=', userId).executeTakeFirst()
  return row?.half_stars ?? 0
}

export async function updateHalfStars(db: Db, userId: number, half_stars: number): Promise<void> {
  await db.updateTable('users').set({ half_stars }).where('id', '=', userId).execute()
}

/** For an import. Returns false if the member has turned them on. */
export async function turnHalfStarsOn(trx: Db, userId: number): Promise<boolean> {
  const users = trx.updateTable('users').set({ half_stars: 2 }).where('id', '=', userId)
  const { numUpdatedRows } = await users.where('half_stars', '<>', 1).executeTakeFirst()
  return numUpdatedRows > 0n
}

export const listOwnRatings = prepareQuery((db, userId: number, ids: readonly number[]) =>
  db
    .selectFrom('reviews')
    .select(['media_id', 'rating'])
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', ids))
    .$narrowType<{ media_id: NotNull }>(),
)

/** Of at most `networkAskedMax` people, the last followed ones. SQLite executes a cross join in the order written. */
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
    .$narrowType<{ media_id: NotNull }>()
    .execute()
}
