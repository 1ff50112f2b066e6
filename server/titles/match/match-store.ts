import { sql } from 'kysely'
import { isSqlite, searchMatches } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'

const nameStartMax = 40

/** More titles of one year with the same beginning are not compared. */
const startsMax = 5_000

/** The starts are of folded names. Results have the `at` of their start. */
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

/** Each word begins a word of the name or the creators. */
export async function listByWords(db: Db, words: readonly string[], limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${searchMatches(db, 'media', words)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
