import { type Insertable, type RawBuilder, sql, type SqlBool } from 'kysely'
import { networkRowsMax } from '#shared/domain/limits.ts'
import { allKinds, type IdSource, type Kind } from '#shared/domain/media.ts'
import { meanRating } from '#shared/contracts/reviews.ts'
import { isOneOf, isSqlite, lockKeys, startsWith, titleMatches, titleMatchesAny } from '#server/db/dialect.ts'
import { fold, foldWords, nameKey, numeralsLike, separated, termsOf } from '#server/db/fold.ts'
import { prepareByIds, prepareColumns, prepareFirst, prepareQuery } from '#server/db/prepared.ts'
import { countRows, insertNew, sortByIds } from '#server/db/rows.ts'
import { isHeard, isTitleShown, maySee } from '#server/db/visibility.ts'
import type { Span, Window } from '#server/db/spans.ts'
import type { Db } from '#server/db/open.ts'
import {
  cardColumns,
  itemColumns,
  type ItemRow,
  knownColumns,
  type KnownTitle,
  type NewTitle,
  type TypoCandidateRow,
  type Tables,
  titleColumns,
  type TitleRow,
} from '#server/db/tables.ts'

type ExternalId = { source: IdSource; external_id: string }

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
  return ratingSums(db, ids, since, firstDayEnd, firstDay, eights, sixtyFours)
}
export type RatingSum = { id: number; count: number; sum: number }

const ratedCardColumns = [
  ...cardColumns,
  'media.rating_count',
  'media.rating_sum',
  'media.created_at',
] as const

/** Lists the titles with these ids, in this order. */
export const listCards = prepareByIds((db, ids) =>
  db
    .selectFrom('media')
    .select(ratedCardColumns)
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown),
)

/** Returns the mean of all ratings of those of the titles that have any. */
export async function listAverages(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  return new Map(
    (await listCards(db, ids)).flatMap(({ id, rating_sum: sum, rating_count: count }) => {
      const average = meanRating(sum, count)
      return average === null ? [] : [[id, average]]
    }),
  )
}

/** As a subquery: a second query would double the time of the call. */
const externalIds = sql<
  string | null
>`(select string_agg(source || ' ' || external_id, ' ' order by external_id)
  from external_ids where media_id = media.id)`.as('ids')

/** The member whose import created the title, as `id username`; null for all other titles. */
const addedBy = sql<string | null>`case when source = 'import' then
  (select id || ' ' || username from users where users.id = media.created_by and ${maySee(0)}) end`.as(
  'added_by',
)

export const findTitle = prepareFirst((db, kind: Kind, id: number) =>
  db
    .selectFrom('media')
    .select(titleColumns)
    .select([externalIds, addedBy])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where(isTitleShown),
)

/** Lists the titles with these ids, with all fields, in this order. */
export async function listTitles(db: Db, ids: readonly number[]): Promise<TitleRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .select(titleColumns)
    .select([externalIds, addedBy])
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown)
    .execute()
  return sortByIds(ids, rows)
}

/** Lists the titles of all kinds with ids from `first` to `last`, ordered by id. */
export async function listTitlesBetween(db: Db, first: number, last: number) {
  return db
    .selectFrom('media')
    .select(['id', 'kind'])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where(isTitleShown)
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
  if (ids.length > 0) await insertNew(db, 'external_ids', ids)
}

/** Adds titles to stories. Skips those that are part of them already. */
export async function insertStoryTitles(db: Db, titles: Tables['story_titles'][]): Promise<void> {
  if (titles.length > 0) await insertNew(db, 'story_titles', titles)
}

/** Returns the ids of the other titles that tell the same stories as a title, the best known first. */
export const listSameStory = prepareQuery((db, mediaId: number, limit: number) =>
  db
    .selectFrom('story_titles as own')
    .innerJoin('story_titles as other', 'other.story', 'own.story')
    .innerJoin('media', 'media.id', 'other.media_id')
    .select('media.id')
    .distinct()
    .select(['media.rating_count', 'media.popularity'])
    .where('own.media_id', '=', mediaId)
    .where('media.id', '<>', mediaId)
    .orderBy('media.rating_count', 'desc')
    .orderBy('media.popularity', 'desc')
    .orderBy('media.id')
    .limit(limit),
)

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

/** Lists the titles that have any of these external ids. Ids of other sources are of no title. */
export async function listByAnyId(
  db: Db,
  ids: readonly { source: string; external_id: string }[],
): Promise<Tables['external_ids'][]> {
  if (ids.length === 0) return []
  const json = JSON.stringify(ids, ['source', 'external_id'])
  const wanted = isSqlite(db)
    ? sql`select value ->> 'source' as source, value ->> 'external_id' as id from json_each(${json})`
    : sql`select source, external_id as id from json_to_recordset(${json}::json) as ids(source text, external_id text)`
  const { rows } = await sql<Tables['external_ids']>`select owners.* from (${wanted}) as wanted
    join external_ids as owners on owners.source = wanted.source and owners.external_id = wanted.id`.execute(
    db,
  )
  return rows
}

/** Lists the external ids of a title. */
export async function listExternalIds(db: Db, mediaId: number): Promise<ExternalId[]> {
  return db
    .selectFrom('external_ids')
    .select(['source', 'external_id'])
    .where('media_id', '=', mediaId)
    .execute()
}

/** The sources of ids by which a search of an external source returns a title. */
const searchedSources = allKinds
  .flatMap(({ idSources }) => idSources)
  .filter((source) => source !== 'starter')

/** Returns those of the titles that no search of an external source returns, in this order. */
export async function listLocalIds(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('external_ids')
    .select('media_id')
    .where(isOneOf(db, 'media_id', ids))
    .where('source', 'in', searchedSources)
    .execute()
  const sourced = new Set(rows.map((row) => row.media_id))
  return ids.filter((id) => !sourced.has(id))
}

/**
 * A search reads at most so many rows. Up to `matchesMax` matches are ranked. With more, the most popular titles are scanned
 * first; `limit` of them match, unless the words are rare among them or the catalogue is large. Otherwise, the first
 * `matchesCap` matches are ranked.
 */
const matchesMax = 400
const scannedMax = 2_000
const matchesCap = 5_000

/** At most so many names that start with the query are ranked if there are more than `matchesMax` matches. */
const startingMax = 200

/** At most so many titles whose initials are the query. */
const initialsMax = 50
/** Keys of fewer letters begin too many names. */
const keyMin = 3

/**
 * Searches titles by prefix: every word of the query must begin a word of the name or the creators, or the query must begin the name in
 * another form (see `nameKey`). Returns ids: the name itself, the name in another form, its initials, names that the last of several
 * words completes, names that start with the query, names that have all words, and others, each by number of ratings and popularity.
 * With more than `matchesMax` matches, the names that start with the query are followed by the most popular matches; with more than
 * `startingMax` of them, they do not come first. If nothing matches, words are split and joined, and numerals are replaced.
 */
export async function searchTitles(
  db: Db,
  { q, kind, limit }: { q: string; kind?: Kind | undefined; limit: number },
): Promise<number[]> {
  const query: Query = { words: foldWords(q), key: nameKey(q), folded: fold(q.trim()) }
  if (query.words.length === 0) return query.key === '' ? [] : listNamed(db, query, { kind, limit })
  const { isAll, ids } = await rankMatches(db, query, { kind, limit, max: matchesMax })
  if (isAll) return ids.length > 0 ? ids : listVariants(db, query, { kind, limit })
  const named = await listNamed(db, query, { kind, limit })
  const starting = await listStarting(db, query, { kind, limit })
  const popular = await scanPopular(db, query.words, { kind, limit })
  const best = [...new Set([...named, ...starting, ...popular])].slice(0, limit)
  if (best.length === limit) return best
  const ranked = await rankMatches(db, query, { kind, limit, max: matchesCap })
  return [...new Set([...best, ...ranked.ids])].slice(0, limit)
}

/** The words of a query, its key, and all of it folded. */
type Query = { words: readonly string[]; key: string; folded: string }

const articles = ['the', 'a', 'an']

/** Returns how a name may start to start with the query, which may have an article or leave out that of the name. */
function startsOf(words: readonly string[]): string[] {
  const query = words.join(' ')
  return words.length > 1 && articles.includes(words[0]!)
    ? [query, words.slice(1).join(' ')]
    : [query, ...articles.map((article) => `${article} ${query}`)]
}

/** Returns the letters of the first word, which may be initials, followed by the other words; undefined for other words. */
function spelled([first, ...others]: readonly string[]): string[] | undefined {
  return /^[a-z]{2,6}$/.test(first ?? '') ? [...first!, ...others] : undefined
}

/** Separators of initials: E.T., M*A*S*H. */
const separators = ['.', '. ', ' ', '*', '-', '·']

/** The condition that a name may begin with initials; the search text tells. */
function mayBeInitials(words: readonly string[]): RawBuilder<unknown> | undefined {
  const letters = spelled(words)?.slice(0, words[0]!.length)
  if (!letters) return undefined
  return sql`(${sql.join(
    separators.map((separator) => startsWith('name_folded', letters.join(separator))),
    sql` or `,
  )})`
}

/** How well a title matches, from 0: see `searchTitles`. The words have no special characters of patterns. */
function placeOf({ words, key, folded }: Query): RawBuilder<number> {
  const starts = startsOf(words)
  const any = (conditions: RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`
  const isCompleted = any(
    starts.map((start) => sql`(name_folded like ${`${start}%`} and name_folded not like ${`${start}% %`})`),
  )
  const isStarted = any([
    ...starts.map((start) => sql`search_text like ${`${separated(start)}%`}`),
    ...(key.length >= keyMin ? [startsWith('name_key', key)] : []),
  ])
  const isNamed = words.map((word) =>
    separated(word) === word
      ? sql`(name_folded like ${`${word}%`} or name_folded like ${`% ${word}%`})`
      : sql`name_folded like ${`%${word}%`}`,
  )
  const initials = spelled(words)?.join(' ')
  const isSpelled =
    initials === undefined
      ? sql``
      : sql`when search_text = ${initials} or search_text like ${`${initials} %`} then 2`
  // One word says too little: for “star”, Stardew Valley is no worse than StarCraft.
  const completed = words.length > 1 ? sql`when ${isCompleted} then 3` : sql``
  const named = isNamed.length === 0 ? sql`` : sql`when ${sql.join(isNamed, sql` and `)} then 5`
  return sql`case when name_folded = ${folded} then 0 when name_key = ${key} then 1 ${isSpelled} ${completed}
    when ${isStarted} then 4 ${named} else 6 end`
}

/** Ranks the titles whose name is the query, in any form. */
async function listNamed(db: Db, query: Query, { kind, limit }: Search): Promise<number[]> {
  const initials = mayBeInitials(query.words)
  const more = initials
    ? sql`union select id from (select id, search_text from media where ${initials} limit ${startingMax}) as spelled
        where search_text || ' ' like ${`${spelled(query.words)!.join(' ')} %`}`
    : sql``
  const { rows } = await sql<{ id: number }>`select id from media where id in (
      select id from (select id from media where name_key = ${query.key} limit ${startingMax}) as same ${more})
    and ${isOfKind(kind)} order by ${placeOf(query)}, ${byPopularity} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Ranks the titles whose names start with the query; none if there are more than `startingMax`. */
async function listStarting(db: Db, query: Query, { kind, limit }: Search): Promise<readonly number[]> {
  const found = await db
    .selectFrom('media')
    .select('id')
    .where(startsWith('name_key', query.key))
    .$if(kind !== undefined, (media) => media.where('kind', '=', kind!))
    .orderBy('name_key')
    .limit(startingMax + 1)
    .execute()
  if (found.length === 0 || found.length > startingMax) return []
  const ids = found.map((row) => row.id)
  const { rows } = await sql<{ id: number }>`select id from media where ${isOneOf(db, 'media.id', ids)}
    order by ${placeOf(query)}, ${byPopularity} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Words that are split in two at most; longer ones are cut. */
const splitMax = 20

/** Ranks the titles that match if words of the query are split in two or joined with the next one, or written as other numerals. */
async function listVariants(db: Db, { words }: Query, { kind, limit }: Search): Promise<number[]> {
  const formsOf = (word: string) => [
    ...numeralsLike(word),
    ...Array.from(
      { length: Math.min(word.length, splitMax) - 1 },
      (_, at) => `${word.slice(0, at + 1)} ${word.slice(at + 1)}`,
    ),
  ]
  const kept = words.filter((word) => word !== 'and')
  const joined = kept.slice(1).map((word, at) => kept.toSpliced(at, 2, kept[at]! + word).map((one) => [one]))
  const found = new Set<number>()
  for (const terms of [kept.map(formsOf), ...joined]) {
    if (terms.length === 0) continue
    const { rows } = await sql<{ id: number }>`${titleMatchesAny(db, terms)} limit ${matchesMax}`.execute(db)
    for (const { id } of rows) found.add(id)
  }
  const { rows } = await sql<{ id: number }>`select id from media where ${isOneOf(db, 'media.id', [...found])}
    and ${isOfKind(kind)} order by ${byPopularity} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many titles a search with a typo compares: those that share the other words or the start of a word, and the best known. */
const similarMax = { perQuery: 100, bestKnown: 500, words: 4 }

/**
 * Lists titles that `words` (see `foldWords`) may mean if one of them has a typo, unordered: those that have all other words
 * and the first half of the word, those that have all other words, and the best known. At most 1,300 rows, by indexes.
 */
export async function listTypoCandidates(
  db: Db,
  { words, kind }: { words: readonly string[]; kind?: Kind | undefined },
): Promise<TypoCandidateRow[]> {
  const columns = ['id', 'search_text', 'rating_count', 'popularity'] as const
  const ofKind = db
    .selectFrom('media')
    .select(columns)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
  const alike = words.slice(0, similarMax.words).flatMap((word, at) => {
    // A letter narrows little, and takes the longest: see `termsOf`.
    const others = words.toSpliced(at, 1).filter((other) => other.length > 1)
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
    ...alike.map(async (prefixes) => {
      const { rows } = await sql<{
        id: number
      }>`${titleMatches(db, prefixes)} limit ${similarMax.perQuery}`.execute(db)
      return rows.map((row) => row.id)
    }),
  ])
  const found = await ofKind.where(isOneOf(db, 'media.id', [...new Set(ids.flat())])).execute()
  return [...new Map([...bestKnown, ...found].map((row) => [row.id, row])).values()]
}

type Search = { kind: Kind | undefined; limit: number }
const isOfKind = (kind: Kind | undefined) => (kind ? sql`media.kind = ${kind}` : sql`true`)
const byPopularity = sql`rating_count desc, popularity desc, id`

/** Ranks the first `max` matches. `isAll` is whether there are no more. */
async function rankMatches(db: Db, query: Query, { kind, limit, max }: Search & { max: number }) {
  const { words, key } = query
  const initials = mayBeInitials(words)
  const more = [
    sql`select id from media where name_key = ${key} limit ${startingMax}`,
    ...(key.length >= keyMin
      ? [sql`select id from media where ${startsWith('name_key', key)} limit ${startingMax}`]
      : []),
    ...(initials
      ? [
          sql`select id from (select id, search_text from media where ${initials} limit ${startingMax}) as spelled
            where search_text || ' ' like ${`${spelled(words)!.join(' ')} %`} limit ${initialsMax}`,
        ]
      : []),
  ].map((one) => sql`union select id from (${one}) as more`)
  // The left join returns the number of matches even if none is of the kind.
  const { rows } = await sql<{ id: number | null; matches: number }>`
    with matches (match) as materialized (${titleMatches(db, words)} limit ${max + 1}),
    all_matches (match) as materialized (select match from matches ${sql.join(more, sql` `)}),
    ranked as (
      select media.id, rating_count, popularity, ${placeOf(query)} as place
      from all_matches cross join media where media.id = match and ${isOfKind(kind)}
      order by place, ${byPopularity} limit ${limit})
    select id, matches from (select count(*) as matches from matches) as counted
    left join ranked on true order by place, ${byPopularity}`.execute(db)
  return { isAll: rows[0]!.matches <= max, ids: rows.flatMap(({ id }) => id ?? []) }
}

/**
 * Returns those of the most popular titles in which each of `words` begins a word. Both databases keep the order of the
 * subquery; ordering again, SQLite would read all of them before it returns the first.
 */
async function scanPopular(db: Db, words: readonly string[], { kind, limit }: Search): Promise<number[]> {
  const matches = termsOf(words).map(
    (word) => sql`(search_text like ${`${separated(word)}%`} or search_text like ${`% ${separated(word)}%`})`,
  )
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, search_text from media where ${isOfKind(kind)} order by ${byPopularity} limit ${scannedMax}
    ) as popular where ${sql.join(matches, sql` and `)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export type ItemSort = 'title' | 'popularity' | 'rating' | 'added' | 'release'
export type FacetFilter = {
  kind?: Kind | undefined
  genre?: string | undefined
  decade?: number | undefined
}

/** The order of each sort, as the indexes have it. The score is the mean with five ratings of 3.5 added. */
const itemOrders: Record<ItemSort, RawBuilder<unknown>> = {
  title: sql`media.name_folded, media.id`,
  popularity: sql`media.rating_count desc, media.popularity desc, media.id`,
  rating: sql`case when media.rating_count = 0 then 0
    else (media.rating_sum + 17.5) / (media.rating_count + 5) end desc, media.id desc`,
  added: sql`media.id desc`,
  release: sql`coalesce(media.release_date, '') desc, media.id desc`,
}

function hasFacets({ kind, genre, decade }: FacetFilter): RawBuilder<SqlBool> {
  const conditions = [sql<SqlBool>`title_facets.genre = ${genre ?? ''}`]
  if (kind !== undefined) conditions.push(sql`title_facets.kind = ${kind}`)
  if (decade !== undefined) conditions.push(sql`title_facets.decade = ${decade}`)
  return sql`${sql.join(conditions, sql` and `)}`
}

/**
 * Returns the ids of one page of the titles that match all filters. `among` restricts them to a list; without it the titles
 * are read in the order of the sort until the page is full.
 */
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
    /** Whether to read the titles of the list and sort them, instead of looking up each title in the list. */
    isListSmall?: boolean
  },
): Promise<number[]> {
  const { kind, genre, decade } = facets
  const conditions: RawBuilder<SqlBool>[] = []
  // An index has the titles of a kind by name and by popularity. Otherwise the index of the sort is read: a condition on
  // `media.kind` would make SQLite read and sort all titles of the kind.
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

/** Returns the ids of all titles with these facets, unordered. Without `among`, there must be few of them. */
export async function listByFacets(
  db: Db,
  facets: FacetFilter,
  among?: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select media_id as id from title_facets
    where ${hasFacets(facets)} ${among ? sql`and ${isOneOf(db, 'media_id', among)}` : sql``}`.execute(db)
  return rows.map((row) => row.id)
}

/** Returns the number of titles with these facets. */
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

/** Returns how many of the titles a member has rated. */
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

/** Returns the genres of most titles, and the number of these. */
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

/** Lists the items with these ids and the totals of their ratings, in this order. */
export const listItemsByIds = prepareByIds((db, ids) =>
  db
    .selectFrom('media')
    .select([...itemColumns, 'rating_count', 'rating_sum'])
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown),
)

/** The titles that the people a member follows have rated, once per rating. SQLite executes a cross join in the order written. */
const networkRatings = prepareColumns(
  ['media_id'],
  (_db, memberId: number, kind: Kind | null, max: number) => sql<{ media_id: number }>`
    select reviews.media_id from follows cross join reviews
    where follows.follower_id = ${memberId} and reviews.user_id = follows.followee_id
      ${kind === null ? sql`` : sql`and reviews.kind = ${kind}`}
      and ${isHeard(memberId, 'follows.followee_id')}
    order by follows.created_at desc, follows.followee_id desc limit ${max}`,
)

/**
 * Returns the ids of the titles of a kind (or of all) that the people a member follows have rated; if `isUnrated`, without
 * those that the member has rated. If these people have more than `max` ratings, those of the people followed last are read.
 */
export async function listNetworkTitles(
  db: Db,
  memberId: number,
  kind: Kind | undefined,
  isUnrated: boolean = false,
  max: number = networkRowsMax,
): Promise<number[]> {
  // A set takes half the time that SQLite takes to remove duplicates.
  const ids = new Set((await networkRatings(db, memberId, kind ?? null, max)).media_id)
  if (isUnrated) {
    const own = await db.selectFrom('reviews').select('media_id').where('user_id', '=', memberId).execute()
    for (const row of own) ids.delete(row.media_id)
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

export async function findItem(db: Db, id: number): Promise<ItemRow | undefined> {
  return db
    .selectFrom('media')
    .select(itemColumns)
    .where('id', '=', id)
    .where(isTitleShown)
    .executeTakeFirst()
}

/** Lists the source of each title and when it was last fetched. */
export async function listFetchStates(db: Db, ids: readonly number[]) {
  return db.selectFrom('media').select(['id', 'source', 'fetched_at']).where('id', 'in', ids).execute()
}

/** Ids that several sources have. Their members enter them: a movie and a show can have the same one by mistake. */
const sharedSources: readonly IdSource[] = ['imdb', 'tvdb']

/**
 * Finds the title that has one of the external ids of a title from a source, the oldest if several do. Locks the ids until the
 * transaction ends. IMDb and TVDB ids only identify a title of the same kind from another outside source.
 */
export async function lockByExternalIds(
  trx: Db,
  { ids, kind, source: found }: { ids: readonly ExternalId[]; kind: Kind; source: string },
): Promise<KnownTitle | undefined> {
  await lockKeys(
    trx,
    ids.map(({ source, external_id }) => `${source}:${external_id}`),
  )
  return trx
    .selectFrom('external_ids')
    .innerJoin('media', 'media.id', 'external_ids.media_id')
    .select(knownColumns)
    .where((eb) =>
      eb.or(
        ids.map(({ source, external_id }) =>
          eb.and([
            eb.and({ 'external_ids.source': source, 'external_ids.external_id': external_id }),
            ...(sharedSources.includes(source)
              ? [eb('media.kind', '=', kind), eb('media.source', 'not in', ['starter', 'import', found])]
              : []),
          ]),
        ),
      ),
    )
    .orderBy('media.id')
    .executeTakeFirst()
}

/** Locks a title until the transaction ends. */
export async function lockTitle(trx: Db, id: number): Promise<KnownTitle | undefined> {
  const query = trx.selectFrom('media').select(knownColumns).where('id', '=', id)
  return (isSqlite(trx) ? query : query.forUpdate()).executeTakeFirst()
}

/**
 * Returns the ids of the titles that exist. On Postgres, also locks them against deletion until the transaction ends. Deleting a title
 * locks first the title, then the import rows that refer to it, so callers must lock in the same order to avoid deadlocks.
 */
export async function lockFromRemoval(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where(isOneOf(db, 'media.id', [...new Set(ids)]))
    .orderBy('id')
    .$if(!isSqlite(db), (query) => query.forKeyShare())
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function updateTitle(db: Db, id: number, values: Partial<NewTitle>): Promise<void> {
  await db.updateTable('media').set(values).where('id', '=', id).execute()
}

/** Clears the creator of up to `limit` titles that a member created. Returns how many. */
export async function disownTitles(db: Db, userId: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ created_by: null })
    .where('id', 'in', (eb) =>
      eb.selectFrom('media').select('id').where('created_by', '=', userId).limit(limit),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
