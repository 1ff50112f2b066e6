import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Rows that may have long texts, per query. No query waits for the client, so a slow client holds no connection. */
const pageSize = 100
/** Rows without long texts. */
export const shortRows = 500

/** In the order of the columns of `key`, which must be an index. Other work runs between pages, because SQLite reads synchronously. */
export async function* pagesOf<From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  key: readonly string[],
  size = pageSize,
): AsyncGenerator<Row[]> {
  const columns = key.map((column) => sql.ref(column))
  const page = columns.reduce((sorted, column) => sorted.orderBy(column), query.limit(size))
  let next = page
  for (;;) {
    const rows = await next.execute()
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    const last = key.map((column) => sql`${rows.at(-1)![column.split('.').at(-1) as keyof Row]}`)
    next = page
      // For a row comparison alone, SQLite does not find the position in the index.
      .where(sql<boolean>`${columns[0]} >= ${last[0]}`)
      .where(sql<boolean>`(${sql.join(columns)}) > (${sql.join(last)})`)
    await nextTurn()
  }
}
