import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExportFile } from '#shared/export.ts'
import type { Db } from '#server/db/open.ts'

/** Rows that one query reads. No query waits for the client, so that a slow one holds no connection. */
export const pageSize = 500

/** Whose data is read. */
export type Reader = { db: Db; userId: number }
/** Returns at most `limit` rows of a member after a row, in the order of an index. */
export type ListPage<Row> = (db: Db, userId: number, after: Row | undefined, limit: number) => Promise<Row[]>

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

/** A part of `medley.json`, and the CSV file with the same. Items about a title have its id in `title`. */
export type ExportPart<Item> = {
  pages: (reader: Reader) => AsyncGenerator<Item[]>
  /** The table of rows with a `user_id` and a `media_id`, if the titles can be found there without reading the items. */
  table?: 'reviews' | 'diary_entries' | 'favorites'
  sheet?: { file: string; description: string; columns: { [Key in keyof Item]?: string } }
}
/** Returns a part whose items are the rows that `list` returns. */
export function exportPart<Row, Item>(
  list: ListPage<Row>,
  toItem: (row: Row, db: Db) => Item,
  more: Omit<ExportPart<Item>, 'pages'> = {},
): ExportPart<Item> {
  return {
    async *pages({ db, userId }) {
      for await (const rows of pagesOf<Row>((...page) => list(db, userId, ...page)))
        yield rows.map((row) => toItem(row, db))
    },
    ...more,
  }
}

/** Yields rows page by page. Other work of the process runs in between: SQLite reads without waiting. */
export async function* pagesOf<Row>(
  list: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | undefined
  for (;;) {
    const rows = await list(after, pageSize)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    after = rows.at(-1)
    await nextTurn()
  }
}
