import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { networkRowsMax } from '#shared/domain/limits.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareColumns, prepareFirst } from '#server/db/prepared.ts'
import { countRows } from '#server/db/rows.ts'
import { itemColumns } from './tables.ts'
import { isHeard, isTitleShown } from '#server/members/visibility.ts'

export type ItemSort = 'title' | 'popularity' | 'rating' | 'added' | 'release'
export type FacetFilter = {
  kind?: Kind | undefined
  genre?: string | undefined
  decade?: number | undefined
}

/** As the indexes have it. The score is the mean with five ratings of 3.5 added. */
const itemOrders: Record<ItemSort, RawBuilder<unknown>> = {
  title: sql`media.name_folded, media.id`,
  popularity: sql`media.rating_count desc, media.popularity desc, media.id`,
  rating: sql`case when media.rating_count = 0 then 0
    else (media.rating_sum + 175.0) / (media.rating_count + 5) end desc, media.id desc`,
  added: sql`media.id desc`,
  release: sql`coalesce(media.release_date, '') desc, media.id desc`,
}

function hasFacets({ kind, genre, decade }: FacetFilter): RawBuilder<SqlBool> {
  const conditions = [sql<SqlBool>`title_facets.genre = ${genre ?? ''}`]
  if (kind !== undefined) conditions.push(sql`title_facets.kind = ${kind}`)
  if (decade !== undefined) conditions.push(sql`title_facets.decade = ${decade}`)
  return sql`${sql.join(conditions, sql` and `)}`
}

/** `among` restricts the titles to a list; without it they are read in the order of the sort until the page is full. */
export async function listItemIds(
  db: Db,
  {
    sort,
    facets,
    among,
    unratedBy,
    limit,
    offset,
    isListSmall = false,
  }: {
    sort: ItemSort
    facets: FacetFilter
    among?: readonly number[] | undefined
    unratedBy?: number | undefined
    limit: number
    offset: number
    /** Read the titles of the list and sort them, instead of looking up each title in the list. */
    isListSmall?: boolean
  },
): Promise<number[]> {
  const { kind, genre, decade } = facets
  const conditions: RawBuilder<SqlBool>[] = []
  // An index has the titles of a kind by name and by popularity. Otherwise a condition on `media.kind` would make SQLite read and sort all
  // titles of the kind.
  if (genre === undefined && decade === undefined && (sort === 'title' || sort === 'popularity')) {
    if (kind !== undefined) conditions.push(sql`media.kind = ${kind}`)
  } else if (kind !== undefined || genre !== undefined || decade !== undefined) {
    conditions.push(sql`exists (select 1 from title_facets
      where title_facets.media_id = media.id and ${hasFacets(facets)})`)
  }
  if (sort === 'release' && decade !== undefined)
    conditions.push(sql`coalesce(media.release_date, '') >= ${String(decade).padStart(4, '0')}
      and coalesce(media.release_date, '') < ${String(decade + 10).padStart(4, '0')}`)
  // The plus keeps SQLite from using the list as an index.
  if (among) conditions.push(isOneOf(db, 'media.id', among, !isListSmall))
  if (unratedBy !== undefined)
    conditions.push(sql`not exists (select 1 from reviews
      where reviews.user_id = ${unratedBy} and reviews.media_id = media.id)`)
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<{ id: number }>`select media.id from media ${where}
    order by ${itemOrders[sort]} limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => row.id)
}

/** Unordered. Without `among`, there must be few titles. */
export async function listByFacets(
  db: Db,
  facets: FacetFilter,
  among?: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select media_id as id from title_facets
    where ${hasFacets(facets)} ${among ? sql`and ${isOneOf(db, 'media_id', among)}` : sql``}`.execute(db)
  return rows.map((row) => row.id)
}

export async function countFacets(db: Db, { kind, genre, decade }: FacetFilter): Promise<number> {
  const { count } = await db
    .selectFrom('facet_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('genre', '=', genre ?? '')
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .$if(decade !== undefined, (query) => query.where('decade', '=', decade!))
    .executeTakeFirstOrThrow()
  return count
}

export async function countRated(
  db: Db,
  userId: number,
  { kind, genre, decade }: FacetFilter,
): Promise<number> {
  const hasFacets = genre !== undefined || decade !== undefined
  return countRows(
    db
      .selectFrom('reviews')
      .where('reviews.user_id', '=', userId)
      .where('reviews.media_id', 'is not', null)
      .$if(kind !== undefined, (query) => query.where('reviews.kind', '=', kind!))
      .$if(hasFacets, (query) =>
        query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('title_facets')
              .select('title_facets.media_id')
              .whereRef('title_facets.media_id', '=', 'reviews.media_id')
              .where('title_facets.genre', '=', genre ?? '')
              .$if(decade !== undefined, (facets) => facets.where('title_facets.decade', '=', decade!)),
          ),
        ),
      ),
  )
}

export async function listGenres(db: Db, kind: Kind | undefined, limit: number) {
  return db
    .selectFrom('facet_counts')
    .select((eb) => ['genre as name', eb.fn.sum<number>('count').as('count')])
    .where('genre', '<>', '')
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .groupBy('genre')
    .having((eb) => eb.fn.sum('count'), '>', 0)
    .orderBy('count', 'desc')
    .orderBy('genre')
    .limit(limit)
    .execute()
}

export const listItemsByIds = prepareByIds((db, ids) =>
  db
    .selectFrom('media')
    .select([...itemColumns, 'rating_count', 'rating_sum'])
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown),
)

/** Once per rating. SQLite executes a cross join in the order written. */
const networkRatings = prepareColumns(
  ['media_id'],
  (_db, memberId: number, kind: Kind | null, max: number) => sql<{ media_id: number }>`
    select reviews.media_id from follows cross join reviews
    where follows.follower_id = ${memberId} and reviews.user_id = follows.followee_id and reviews.media_id is not null
      ${kind === null ? sql`` : sql`and reviews.kind = ${kind}`}
      and ${isHeard(memberId, 'follows.followee_id')}
    order by follows.created_at desc, follows.followee_id desc limit ${max}`,
)

/** `isUnrated` leaves out the member’s own. Above `max` ratings, only the people followed last count. */
export async function listNetworkTitles(
  db: Db,
  memberId: number,
  kind: Kind | undefined,
  isUnrated: boolean = false,
  max: number = networkRowsMax,
): Promise<number[]> {
  // Takes half the time that SQLite takes to remove duplicates.
  const ids = new Set((await networkRatings(db, memberId, kind ?? null, max)).media_id)
  if (isUnrated) {
    const own = await db.selectFrom('reviews').select('media_id').where('user_id', '=', memberId).execute()
    for (const { media_id } of own) if (media_id !== null) ids.delete(media_id)
  }
  return [...ids]
}

const selectItemCount = (db: Db) =>
  db
    .selectFrom('title_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
const countAllItems = prepareFirst((db) => selectItemCount(db))
const countItemsOfKind = prepareFirst((db, kind: Kind) => selectItemCount(db).where('kind', '=', kind))

export async function countItems(db: Db, kind?: Kind): Promise<number> {
  return (await (kind === undefined ? countAllItems(db) : countItemsOfKind(db, kind)))!.count
}
