import { type Insertable, sql } from 'kysely'
import type { IdSource, Kind } from '#shared/media.ts'
import { isOneOf, listMatches, lockKeys } from '#server/db/dialect.ts'
import { foldWords } from '#server/db/fold.ts'
import { kept } from '#server/db/kept.ts'
import { inOrder } from '#server/db/rows.ts'
import type { Db } from '#server/db/open.ts'
import { cardColumns, type CardRow, type MediaRow, type NewMedia, type Tables } from '#server/db/tables.ts'
import { mergeFound } from './rules.ts'

/** Every rating of a kind that was given or changed since then. */
export const listRecentRatings = kept((db, kind: Kind, since: string) =>
  db
    .selectFrom('reviews')
    .select(['media_id', 'rating'])
    .where('kind', '=', kind)
    .where('rated_at', '>=', since),
)

const ratedColumns = [...cardColumns, 'media.rating_count', 'media.rating_sum', 'media.created_at'] as const
export type RatedCardRow = CardRow & Pick<MediaRow, 'rating_count' | 'rating_sum' | 'created_at'>

const cardsOf = kept((db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .select(ratedColumns)
    .where(isOneOf(db, 'media.id', ids)),
)

/** The titles with these ids, in this order. */
export async function listCards(db: Db, ids: readonly number[]): Promise<RatedCardRow[]> {
  return ids.length === 0 ? [] : inOrder(ids, await cardsOf(db, ids))
}

const recordColumns = [
  ...cardColumns,
  'media.backdrop',
  'media.overview',
  'media.tagline',
  'media.runtime',
  'media.page_count',
  'media.source',
  'media.rating_count',
  'media.rating_sum',
] as const
const titleOf = kept((db, kind: Kind, id: number) =>
  db
    .selectFrom('media')
    .select(recordColumns)
    .select(
      // In one question: a second one takes as long as all else that a title is read with.
      sql<string | null>`(select string_agg(source || ' ' || external_id, ' ' order by external_id)
        from external_ids where media_id = media.id)`.as('ids'),
    )
    .where('id', '=', id)
    .where('kind', '=', kind),
)

/** A title; `ids` are those at outside sources, each behind the name of its source, all with a space between. */
export type RecordRow = Awaited<ReturnType<typeof titleOf>>[number]

export async function findTitle(db: Db, kind: Kind, id: number): Promise<RecordRow | undefined> {
  return (await titleOf(db, kind, id))[0]
}

/** The titles of all kinds whose ids are from `first` to `last`, in that order. */
export async function listTitlesBetween(
  db: Db,
  first: number,
  last: number,
): Promise<{ id: number; kind: Kind }[]> {
  return db
    .selectFrom('media')
    .select(['id', 'kind'])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .orderBy('id')
    .execute()
}

/** 0 where there are no titles. */
export async function findLastTitleId(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? 0
}

export type RatingsRow = Pick<
  MediaRow,
  'rating_count' | 'rating_sum' | 'stars_1' | 'stars_2' | 'stars_3' | 'stars_4' | 'stars_5'
>

const ratingsOf = kept((db, kind: Kind, id: number) =>
  db
    .selectFrom('media')
    .select(['rating_count', 'rating_sum', 'stars_1', 'stars_2', 'stars_3', 'stars_4', 'stars_5'])
    .where('id', '=', id)
    .where('kind', '=', kind),
)

export async function findRatings(db: Db, kind: Kind, id: number): Promise<RatingsRow | undefined> {
  return (await ratingsOf(db, kind, id))[0]
}

/** Answers the new title's id. */
export async function insertMedium(db: Db, medium: NewMedia): Promise<number> {
  const { id } = await db.insertInto('media').values(medium).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Ids that another title holds already are left with it. */
export async function insertExternalIds(db: Db, ids: Insertable<Tables['external_ids']>[]): Promise<void> {
  if (ids.length > 0)
    await db
      .insertInto('external_ids')
      .values(ids)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Which of these ids are known, and as what. */
export async function listByExternalIds(
  db: Db,
  source: IdSource,
  ids: readonly string[],
): Promise<{ external_id: string; media_id: number }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('external_ids')
    .select(['external_id', 'media_id'])
    .where('source', '=', source)
    .where('external_id', 'in', ids)
    .execute()
}

/** More matches than this, and the best known titles are tried in order instead of all matches being ranked. */
const matchesMax = 400

/**
 * The ids of titles that a query's words begin words of, of one kind or of all: first those whose name begins so, the
 * best known first. A short prefix matches a large part of the catalogue: then the matches are found along the order of
 * fame, so that neither way reads more than some hundred rows.
 */
export async function searchTitles(
  db: Db,
  { q, kind, limit }: { q: string; kind?: Kind | undefined; limit: number },
): Promise<number[]> {
  const words = foldWords(q)
  if (words.length === 0) return []
  const start = words.join(' ')
  const ofKind = db.selectFrom('media').$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
  const matches = await listMatches(db, words, matchesMax + 1)
  if (matches.length > matchesMax) {
    const rows = await ofKind
      .select('id')
      .where((eb) =>
        eb.and(
          words.map((word) =>
            eb.or([eb('search_text', 'like', `${word}%`), eb('search_text', 'like', `% ${word}%`)]),
          ),
        ),
      )
      .orderBy('rating_count', 'desc')
      .orderBy('popularity', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map((row) => row.id)
  }
  const rows = await ofKind
    .select(['id', 'search_text', 'rating_count', 'popularity'])
    .where(isOneOf(db, 'media.id', matches))
    .execute()
  const beginsSo = (row: (typeof rows)[number]) => Number(row.search_text.startsWith(start))
  return rows
    .sort(
      (a, b) =>
        beginsSo(b) - beginsSo(a) ||
        b.rating_count - a.rating_count ||
        b.popularity - a.popularity ||
        a.id - b.id,
    )
    .slice(0, limit)
    .map((row) => row.id)
}

const itemColumns = ['id', 'kind', 'name', 'overview', 'image'] as const
export type ItemRow = Pick<MediaRow, (typeof itemColumns)[number]>

/** The whole catalogue by name, of one kind or of all. */
export async function listItems(
  db: Db,
  { kind, page, limit }: { kind?: Kind | undefined; page: number; limit: number },
): Promise<ItemRow[]> {
  return db
    .selectFrom('media')
    .select(itemColumns)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('name_folded')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
}

/** The items with these ids, in this order. */
export async function listItemsByIds(db: Db, ids: readonly number[]): Promise<ItemRow[]> {
  const rows = await db
    .selectFrom('media')
    .select(itemColumns)
    .where(isOneOf(db, 'media.id', ids))
    .execute()
  return inOrder(ids, rows)
}

export async function countItems(db: Db, kind?: Kind): Promise<number> {
  const { count } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .executeTakeFirstOrThrow()
  return count
}

export async function findItem(db: Db, id: number): Promise<ItemRow | undefined> {
  return db.selectFrom('media').select(itemColumns).where('id', '=', id).executeTakeFirst()
}

/** Where titles came from, and when that was last asked. */
export async function listFetchStates(
  db: Db,
  ids: readonly number[],
): Promise<Pick<MediaRow, 'id' | 'source' | 'fetched_at'>[]> {
  return db.selectFrom('media').select(['id', 'source', 'fetched_at']).where('id', 'in', ids).execute()
}

/**
 * Inserts a title from a source, or brings the one up to date that holds one of its ids; in a transaction. Ids that name
 * two titles which are here both stay with whom they are.
 */
export async function saveFound(
  trx: Db,
  medium: NewMedia,
  ids: readonly { source: IdSource; external_id: string }[],
): Promise<{ id: number; isNew: boolean }> {
  await lockKeys(
    trx,
    ids.map(({ source, external_id }) => `${source}:${external_id}`),
  )
  const known = await trx
    .selectFrom('external_ids')
    .select('media_id')
    .where((eb) => eb.or(ids.map(({ source, external_id }) => eb.and({ source, external_id }))))
    .orderBy('media_id')
    .executeTakeFirst()
  const id = known?.media_id ?? (await insertMedium(trx, medium))
  if (known) {
    const row = await trx
      .selectFrom('media')
      .select(['details', 'popularity', 'release_date'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await trx.updateTable('media').set(mergeFound(row, medium)).where('id', '=', id).execute()
  }
  await insertExternalIds(
    trx,
    ids.map((externalId) => ({ ...externalId, media_id: id })),
  )
  return { id, isNew: !known }
}
