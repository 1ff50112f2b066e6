import { sql } from 'kysely'
import { isOneOf, isSqlite, titleMatches } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { sortByIds } from '#server/db/rows.ts'
import { cardColumns, type CardRow } from '#server/db/tables.ts'
import { isTitleShown } from '#server/db/visibility.ts'

const shownTitles = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('media')
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown)

/** Lists the titles with these ids, in this order, each once. */
export async function listCatalogueTitles(db: Db, given: readonly number[]): Promise<CardRow[]> {
  const ids = [...new Set(given)]
  const titles = shownTitles(db, ids).select(cardColumns)
  return sortByIds(ids, await titles.execute())
}

/**
 * Returns the ids of the titles that exist. On Postgres, also locks them against deletion until the transaction ends. Deleting a title
 * locks first the title, then the import rows that refer to it, so callers must lock in the same order to avoid deadlocks.
 */
export async function lockCatalogueTitles(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where(isOneOf(db, 'media.id', [...new Set(ids)]))
    .orderBy('id')
    .$if(!isSqlite(db), (query) => query.forKeyShare())
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The length of the beginnings of names that `media_year_names` has. */
const nameStartMax = 40

/** More titles of one year with the same beginning are not compared. */
const startsMax = 5_000

/** Lists the titles of these years whose folded name begins with these words. `at` is passed on to the results. */
export async function listByNameStarts(
  db: Db,
  starts: readonly { at: number; year: number; start: string }[],
): Promise<{ at: number; id: number }[]> {
  const ranges = starts.map(({ at, year, start }) => {
    const low = start.slice(0, nameStartMax)
    // After the last word comes a space or nothing, which sort before “!”.
    return { at, year, low, high: `${low}${low === start ? '!' : '\u{10ffff}'}` }
  })
  const json = JSON.stringify(ranges)
  const [wanted, nameStart] = isSqlite(db)
    ? [
        sql`select value ->> 'at' as at, value ->> 'year' as year, value ->> 'low' as low, value ->> 'high' as high
          from json_each(${json})`,
        sql`substr(media.search_text, 1, 40)`,
      ]
    : [
        sql`select at, year, low collate "C" as low, high collate "C" as high
          from json_to_recordset(${json}::json) as wanted(at int, year int, low text, high text)`,
        sql`substr(media.search_text, 1, 40) collate "C"`,
      ]
  const { rows } = await sql<{ at: number; id: number }>`
    select wanted.at, media.id from (${wanted}) as wanted cross join media
    where media.release_year = wanted.year and ${nameStart} >= wanted.low and ${nameStart} < wanted.high
    limit ${startsMax}`.execute(db)
  return rows
}

/** Lists titles in which each of the words begins a word of the name or the creators; at most `limit`. */
export async function listByWords(db: Db, words: readonly string[], limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${titleMatches(db, words)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether a member has a title, or any other member than one. */
function isUsed(exceptUserId = 0) {
  const own = ['reviews', 'diary_entries', 'favorites'].map(
    (table) => sql`exists (select 1 from ${sql.table(table)} as own
      where own.media_id = media.id and own.user_id <> ${exceptUserId})`,
  )
  const listed = sql`exists (select 1 from list_items join lists on lists.id = list_items.list_id
    where list_items.media_id = media.id and lists.user_id <> ${exceptUserId})`
  return sql<boolean>`(${sql.join([...own, listed], sql` or `)})`
}

/** Returns the ids of the titles that other members have reviewed, favorited, or added to their diaries or lists. */
export async function listTitlesOfOthers(db: Db, userId: number, ids: readonly number[]): Promise<number[]> {
  const used = shownTitles(db, ids).select('id').where(isUsed(userId))
  return (await used.execute()).map(({ id }) => id)
}

/** Removes a title that an import created, unless a member has something of it. */
export async function removeCreatedTitle(db: Db, id: number): Promise<void> {
  const title = db.deleteFrom('media').where('id', '=', id).where('source', '=', 'import')
  await title.where(sql<boolean>`not ${isUsed()}`).execute()
}
