import { type Insertable, sql } from 'kysely'
import type { IdSource, Kind } from '#shared/media.ts'
import { isOneOf, listMatches, lockKeys } from '#server/db/dialect.ts'
import { foldWords } from '#server/db/fold.ts'
import { prepareQuery } from '#server/db/prepared.ts'
import { sortByIds } from '#server/db/rows.ts'
import type { Span, Window } from '#server/db/spans.ts'
import type { Db } from '#server/db/open.ts'
import {
  cardColumns,
  itemColumns,
  type ItemRow,
  type MediaRow,
  type NewTitle,
  type RatedCardRow,
  type SimilarRow,
  type Tables,
  titleColumns,
  type TitleRow,
} from '#server/db/tables.ts'

/** Lists the `limit` titles of a kind with the most ratings in each of the spans. `list` is the index of the span. */
export async function listMostRated(
  db: Db,
  kind: Kind,
  spans: readonly Span[],
  limit: number,
): Promise<{ list: number; id: number; count: number }[]> {
  const lists = spans.map(
    ({ days, start }, list) => sql`select * from (select ${sql.lit(list)} as list, media_id as id, count
      from rating_counts where kind = ${kind} and days = ${sql.lit(days)} and start = ${start}
      order by count desc limit ${limit}) as list${sql.raw(String(list))}`,
  )
  const { rows } = await sql<{ list: number; id: number; count: number }>`
    ${sql.join(lists, sql` union all `)}`.execute(db)
  return rows
}

const ratingBounds = prepareQuery((db, kind: Kind, firstDay: number, eights: number, sixtyFours: number) => {
  const inSpans = (days: number, from: number) =>
    db
      .selectFrom('rating_counts')
      .select(['media_id', 'count', 'days', 'start'])
      .where('kind', '=', kind)
      .where('days', '=', sql.lit(days))
      .where('start', '>=', from)
  return db
    .selectFrom(
      inSpans(1, firstDay)
        .where('start', '<', eights)
        .unionAll(inSpans(8, eights).where('start', '<', sixtyFours))
        .unionAll(inSpans(64, sixtyFours))
        .as('spans'),
    )
    .select((eb) => [
      'media_id as id',
      sql<number>`sum(case when days = 1 and start = ${firstDay} then 0 else count end)`.as('least'),
      eb.fn.sum<number>('count').as('most'),
    ])
    .groupBy('media_id')
    .orderBy('most', 'desc')
})

/**
 * Returns between which numbers the ratings of each title within a window lie, highest first. They differ by those of the
 * first day.
 */
export async function listRatingBounds(
  db: Db,
  kind: Kind,
  { firstDay, eights, sixtyFours }: Window,
): Promise<{ id: number; least: number; most: number }[]> {
  return ratingBounds(db, kind, firstDay, eights, sixtyFours)
}

const ratingSums = prepareQuery(
  (
    db,
    ids: readonly number[],
    since: string,
    firstDayEnd: string,
    firstDay: number,
    eights: number,
    sixtyFours: number,
  ) => {
    const whole = db
      .selectFrom('rating_counts')
      .select(['media_id', 'count', 'sum'])
      .where(isOneOf(db, 'media_id', ids))
    const part = db
      .selectFrom('reviews')
      .select(['media_id', sql.lit(1).as('count'), 'rating as sum'])
      .where(isOneOf(db, 'media_id', ids))
      .where('rated_at', '>=', since)
      .where('rated_at', '<', firstDayEnd)
    const inSpans = (days: number, operator: '>' | '>=', from: number) =>
      whole.where('days', '=', sql.lit(days)).where('start', operator, from)
    return db
      .selectFrom(
        part
          .unionAll(inSpans(1, '>', firstDay).where('start', '<', eights))
          .unionAll(inSpans(8, '>=', eights).where('start', '<', sixtyFours))
          .unionAll(inSpans(64, '>=', sixtyFours))
          .as('ratings'),
      )
      .select((eb) => [
        'media_id as id',
        eb.fn.sum<number>('count').as('count'),
        eb.fn.sum<number>('sum').as('sum'),
      ])
      .groupBy('media_id')
  },
)

/** Returns the number and the sum of the ratings within a window of those of the titles that have any. */
export async function listRatingSums(
  db: Db,
  ids: readonly number[],
  { since, firstDayEnd, firstDay, eights, sixtyFours }: Window,
): Promise<RatingSum[]> {
  return ids.length === 0 ? [] : ratingSums(db, ids, since, firstDayEnd, firstDay, eights, sixtyFours)
}
export type RatingSum = { id: number; count: number; sum: number }

const ratedCardColumns = [
  ...cardColumns,
  'media.rating_count',
  'media.rating_sum',
  'media.created_at',
] as const

const cardsQuery = prepareQuery((db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .select(ratedCardColumns)
    .where(isOneOf(db, 'media.id', ids)),
)

/** Lists the titles with these ids, in this order. */
export async function listCards(db: Db, ids: readonly number[]): Promise<RatedCardRow[]> {
  return ids.length === 0 ? [] : sortByIds(ids, await cardsQuery(db, ids))
}

/** As a subquery: a second query would double the time of the call. */
const externalIds = sql<
  string | null
>`(select string_agg(source || ' ' || external_id, ' ' order by external_id)
  from external_ids where media_id = media.id)`.as('ids')

const titleQuery = prepareQuery((db, kind: Kind, id: number) =>
  db
    .selectFrom('media')
    .select(titleColumns)
    .select(externalIds)
    .where('id', '=', id)
    .where('kind', '=', kind),
)

export async function findTitle(db: Db, kind: Kind, id: number): Promise<TitleRow | undefined> {
  return (await titleQuery(db, kind, id))[0]
}

/** Lists the titles with these ids, with all fields, in this order. */
export async function listTitles(db: Db, ids: readonly number[]): Promise<TitleRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .select(titleColumns)
    .select(externalIds)
    .where(isOneOf(db, 'media.id', ids))
    .execute()
  return sortByIds(ids, rows)
}

/** Lists the titles of all kinds with ids from `first` to `last`, ordered by id. */
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

/** Returns the highest id of a title, or 0 if there are no titles. */
export async function findLastTitleId(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** Creates a title. Returns its id. */
export async function insertTitle(db: Db, title: NewTitle): Promise<number> {
  const { id } = await db.insertInto('media').values(title).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Adds external ids. Skips those that already belong to a title. */
export async function insertExternalIds(db: Db, ids: Insertable<Tables['external_ids']>[]): Promise<void> {
  if (ids.length > 0)
    await db
      .insertInto('external_ids')
      .values(ids)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Lists the titles that have these external ids. */
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

/** With more matches than this, titles are scanned in order of popularity instead of ranking all matches. */
const matchesMax = 400

/**
 * Searches titles by prefix: every word of the query must begin a word of the name or the creators. Returns ids, names that
 * start with the query first, then by number of ratings and popularity. A short prefix matches a large part of the
 * catalogue. In that case titles are scanned in order of popularity until enough match, so that a search never reads more
 * than some hundred rows.
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
  const startsWithQuery = (row: (typeof rows)[number]) => Number(row.search_text.startsWith(start))
  return rows
    .sort(
      (a, b) =>
        startsWithQuery(b) - startsWithQuery(a) ||
        b.rating_count - a.rating_count ||
        b.popularity - a.popularity ||
        a.id - b.id,
    )
    .slice(0, limit)
    .map((row) => row.id)
}

/** How many titles a search with a typo compares: those that share the other words or the start of a word, and the best known. */
const similarMax = { perQuery: 100, bestKnown: 500, words: 4 }

/**
 * Lists titles that `words` (see `foldWords`) may mean if one of them has a typo, unordered: those that have all other words
 * and the first half of the word, those that have all other words, and the best known. At most 1,300 rows, by indexes.
 */
export async function listSimilar(
  db: Db,
  { words, kind }: { words: readonly string[]; kind?: Kind | undefined },
): Promise<SimilarRow[]> {
  const columns = ['id', 'search_text', 'rating_count', 'popularity'] as const
  const ofKind = db
    .selectFrom('media')
    .select(columns)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
  const alike = words.slice(0, similarMax.words).flatMap((word, at) => {
    const others = words.toSpliced(at, 1)
    const half = word.slice(0, Math.ceil(word.length / 2))
    return [...(half.length > 1 ? [[...others, half]] : []), ...(others.length > 0 ? [others] : [])]
  })
  const [bestKnown, ...ids] = await Promise.all([
    ofKind
      .orderBy('rating_count', 'desc')
      .orderBy('popularity', 'desc')
      .orderBy('id')
      .limit(similarMax.bestKnown)
      .execute(),
    ...alike.map((prefixes) => listMatches(db, prefixes, similarMax.perQuery)),
  ])
  const found = await ofKind.where(isOneOf(db, 'media.id', [...new Set(ids.flat())])).execute()
  return [...new Map([...bestKnown, ...found].map((row) => [row.id, row])).values()]
}

/** Returns a page of the whole catalogue, ordered by name. */
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

/** Lists the items with these ids, in this order. */
export async function listItemsByIds(db: Db, ids: readonly number[]): Promise<ItemRow[]> {
  const rows = await db
    .selectFrom('media')
    .select(itemColumns)
    .where(isOneOf(db, 'media.id', ids))
    .execute()
  return sortByIds(ids, rows)
}

export async function countItems(db: Db, kind?: Kind): Promise<number> {
  const { count } = await db
    .selectFrom('title_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .executeTakeFirstOrThrow()
  return count
}

export async function findItem(db: Db, id: number): Promise<ItemRow | undefined> {
  return db.selectFrom('media').select(itemColumns).where('id', '=', id).executeTakeFirst()
}

/** Lists the source of each title and when it was last fetched. */
export async function listFetchStates(
  db: Db,
  ids: readonly number[],
): Promise<Pick<MediaRow, 'id' | 'source' | 'fetched_at'>[]> {
  return db.selectFrom('media').select(['id', 'source', 'fetched_at']).where('id', 'in', ids).execute()
}

type ExternalId = { source: IdSource; external_id: string }

/** Finds the title that has one of these external ids, the oldest if several do. Locks the ids until the transaction ends. */
export async function lockByExternalIds(
  trx: Db,
  ids: readonly ExternalId[],
): Promise<Pick<MediaRow, 'id' | 'details' | 'popularity' | 'release_date'> | undefined> {
  await lockKeys(
    trx,
    ids.map(({ source, external_id }) => `${source}:${external_id}`),
  )
  return trx
    .selectFrom('external_ids')
    .innerJoin('media', 'media.id', 'external_ids.media_id')
    .select(['media.id', 'media.details', 'media.popularity', 'media.release_date'])
    .where((eb) =>
      eb.or(
        ids.map(({ source, external_id }) =>
          eb.and({ 'external_ids.source': source, 'external_ids.external_id': external_id }),
        ),
      ),
    )
    .orderBy('media.id')
    .executeTakeFirst()
}

export async function updateTitle(db: Db, id: number, values: Partial<NewTitle>): Promise<void> {
  await db.updateTable('media').set(values).where('id', '=', id).execute()
}
