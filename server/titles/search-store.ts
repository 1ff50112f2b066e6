import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { isOneOf, searchMatches, searchMatchesAny, startsWith } from '#server/db/dialect.ts'
import { fold, foldWords, nameKey, numeralsLike, separated, termsOf } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import type { TypoCandidateRow } from './tables.ts'

/**
 * The limits of rows that a search reads. Up to `matchesMax` matches are ranked. With more, the most popular titles are scanned first,
 * unless the words are rare among them or the catalogue is large; then the first `matchesCap` matches are ranked.
 */
const matchesMax = 400
const scannedMax = 2_000
const matchesCap = 5_000

const startingMax = 200

const initialsMax = 50
/** Too many names begin with a key of fewer letters. */
const keyMin = 3

/**
 * Every word must begin a word of a name or the creators, or the query begins a name in another form (see `nameKey`). Titles have names in
 * languages too. In order: the name itself, in another form or language, its initials, completed by the last of several words, started by
 * the query, with all words, others; each by number of ratings and popularity. With more than `matchesMax` matches, the most popular ones
 * follow names that start with the query, unless these are more than `startingMax`. If nothing matches, words are split and joined, and
 * numerals replaced.
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

type Query = { words: readonly string[]; key: string; folded: string }

const articles = ['the', 'a', 'an']

/** The query or the name may have an article. */
function startsOf(words: readonly string[]): string[] {
  const query = words.join(' ')
  return words.length > 1 && articles.includes(words[0]!)
    ? [query, words.slice(1).join(' ')]
    : [query, ...articles.map((article) => `${article} ${query}`)]
}

/** The letters of the first word may be initials. */
function spelled([first, ...others]: readonly string[]): string[] | undefined {
  return /^[a-z]{2,6}$/.test(first ?? '') ? [...first!, ...others] : undefined
}

const separators = ['.', '. ', ' ', '*', '-', '·']

function mayBeInitials(words: readonly string[]): RawBuilder<unknown> | undefined {
  const letters = spelled(words)?.slice(0, words[0]!.length)
  if (!letters) return undefined
  return sql`(${sql.join(
    separators.map((separator) => startsWith('name_folded', letters.join(separator))),
    sql` or `,
  )})`
}

function selectSpelled(words: readonly string[]): RawBuilder<unknown> | undefined {
  const isLikely = mayBeInitials(words)
  return (
    isLikely &&
    sql`select id from (select id, search_text from media where ${isLikely} limit ${startingMax}) as likely
      where search_text || ' ' like ${`${spelled(words)!.join(' ')} %`} limit ${initialsMax}`
  )
}

/** From 0: see `searchTitles`. The words have no special characters of patterns. */
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
  // For “star”, Stardew Valley is no worse than StarCraft.
  const completed = words.length > 1 ? sql`when ${isCompleted} then 3` : sql``
  const named = isNamed.length === 0 ? sql`` : sql`when ${sql.join(isNamed, sql` and `)} then 5`
  return sql`case when name_folded = ${folded} then 0
    when name_key = ${key} or id in (select media_id from title_names where name_key = ${key}) then 1 ${isSpelled} ${completed}
    when ${isStarted} then 4 ${named} else 6 end`
}

/** By the key of a name in any language. `isKey` is a condition on `name_key`. */
function withKey(isKey: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return [
    sql`select id from (select id from media where ${isKey} limit ${startingMax}) as named`,
    sql`select id from (select media_id as id from title_names where ${isKey} limit ${startingMax}) as translated`,
  ]
}

async function listNamed(db: Db, query: Query, { kind, limit }: Search): Promise<number[]> {
  const spelled = selectSpelled(query.words)
  const named = [...withKey(sql`name_key = ${query.key}`), ...(spelled ? [spelled] : [])]
  const { rows } = await sql<{
    id: number
  }>`select id from media where id in (${sql.join(named, sql` union `)})
    and ${isOfKind(kind)} order by ${placeOf(query)}, ${byPopularity} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

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

const splitMax = 20

/** Words are split in two, joined with the next one, or written as other numerals. */
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
    const { rows } = await sql<{
      id: number
    }>`${searchMatchesAny(db, 'media', terms)} limit ${matchesMax}`.execute(db)
    for (const { id } of rows) found.add(id)
  }
  const { rows } = await sql<{ id: number }>`select id from media where ${isOneOf(db, 'media.id', [...found])}
    and ${isOfKind(kind)} order by ${byPopularity} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Share the other words or the start of a word, or are the best known. */
const similarMax = { perQuery: 100, bestKnown: 500, words: 4 }

/** Unordered, at most 1,300 rows, by indexes. `words` (see `foldWords`) may have a typo in one. */
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
      }>`${searchMatches(db, 'media', prefixes)} limit ${similarMax.perQuery}`.execute(db)
      return rows.map((row) => row.id)
    }),
  ])
  const found = await ofKind.where(isOneOf(db, 'media.id', [...new Set(ids.flat())])).execute()
  return [...new Map([...bestKnown, ...found].map((row) => [row.id, row])).values()]
}

type Search = { kind: Kind | undefined; limit: number }
const isOfKind = (kind: Kind | undefined) => (kind ? sql`media.kind = ${kind}` : sql`true`)
const byPopularity = sql`rating_count desc, popularity desc, id`

async function rankMatches(db: Db, query: Query, { kind, limit, max }: Search & { max: number }) {
  const { words, key } = query
  const spelled = selectSpelled(words)
  const more = [
    ...withKey(sql`name_key = ${key}`),
    ...(key.length >= keyMin ? withKey(startsWith('name_key', key)) : []),
    ...(spelled ? [spelled] : []),
  ].map((one) => sql`union select id from (${one}) as more`)
  // The left join returns the number of matches even if none is of the kind.
  const { rows } = await sql<{ id: number | null; matches: number }>`
    with matches (match) as materialized (${searchMatches(db, 'media', words)} limit ${max + 1}),
    all_matches (match) as materialized (select match from matches ${sql.join(more, sql` `)}),
    ranked as (
      select media.id, rating_count, popularity, ${placeOf(query)} as place
      from all_matches cross join media where media.id = match and ${isOfKind(kind)}
      order by place, ${byPopularity} limit ${limit})
    select id, matches from (select count(*) as matches from matches) as counted
    left join ranked on true order by place, ${byPopularity}`.execute(db)
  return { isAll: rows[0]!.matches <= max, ids: rows.flatMap(({ id }) => id ?? []) }
}

/** Both databases keep the order of the subquery; ordering again, SQLite would read all of them before it returns the first. */
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
