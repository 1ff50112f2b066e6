import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { ExportFile } from '#shared/export.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Rows per query. No query waits for the client, so a slow client holds no connection. */
export const pageSize = 500

/** The member whose data is read. */
export type Reader = { db: Db; userId: number }

type Lists = {
  [Name in keyof ExportFile as ExportFile[Name] extends object[] ? Name : never]: ExportFile[Name]
}
/** The parts of `medley.json` that features contribute, by name. */
export type ExportParts = {
  [Name in Exclude<keyof Lists, 'titles'>]: ExportPart<Streamed<Lists[Name][number]>>
}
/** A list within an item may be read while the item is written, if it is the last property. */
type Streamed<Item> = {
  [Key in keyof Item]: Item[Key] | (Item[Key] extends (infer One)[] ? AsyncIterable<One> : never)
}

/** A part of `medley.json`, and the CSV file with the same data. Items about a title have its id in `title`. */
export type ExportPart<Item> = {
  pages: (reader: Reader) => AsyncGenerator<Item[]>
  /** The tables of rows with a `user_id` and a `media_id`, if the titles can be found there without reading the items. */
  tables?: readonly ('reviews' | 'removed_reviews' | 'diary_entries' | 'favorites')[]
  /** Its columns are the properties of the items. `headings`: those that are not the words of the property; null leaves it out. */
  sheet?: { file: string; description: string; headings?: { [Key in keyof Item]?: string | null } }
}

/** Returns a part whose items are the rows of a query. `key` as in `pagesOf`. */
export function exportPart<From extends keyof Tables, Row, Item>(
  select: (db: Db, userId: number) => SelectQueryBuilder<Tables, From, Row>,
  key: readonly string[],
  toItem: (row: Row, db: Db) => Item,
  more: Omit<ExportPart<Item>, 'pages'> = {},
): ExportPart<Item> {
  return {
    async *pages({ db, userId }) {
      for await (const rows of pagesOf(select(db, userId), key)) yield rows.map((row) => toItem(row, db))
    },
    ...more,
  }
}

/**
 * Yields the rows of a query page by page, in the order of the columns of `key`, which must be an index. Other work of the process
 * runs between pages, because SQLite reads synchronously.
 */
export async function* pagesOf<From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  key: readonly string[],
): AsyncGenerator<Row[]> {
  const columns = key.map((column) => sql.ref(column))
  const page = columns.reduce((sorted, column) => sorted.orderBy(column), query.limit(pageSize))
  let next = page
  for (;;) {
    const rows = await next.execute()
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    const last = key.map((column) => sql`${rows.at(-1)![column.split('.').at(-1) as keyof Row]}`)
    next = page
      // SQLite does not use a row comparison alone to find the position in the index.
      .where(sql<boolean>`${columns[0]} >= ${last[0]}`)
      .where(sql<boolean>`(${sql.join(columns)}) > (${sql.join(last)})`)
    await nextTurn()
  }
}
