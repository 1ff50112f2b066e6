import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** No query waits for the client, so a slow client holds no connection. */
export const pageSize = 500

/** In the order of the columns of `key`, which must be an index. Other work runs between pages, because SQLite reads synchronously. */
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
      // For a row comparison alone, SQLite does not find the position in the index.
      .where(sql<boolean>`${columns[0]} >= ${last[0]}`)
      .where(sql<boolean>`(${sql.join(columns)}) > (${sql.join(last)})`)
    await nextTurn()
  }
}
