import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/** Returns the rows in the order of `ids`; ids without a row are left out. */
export function sortByIds<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns the number of rows that a query finds. */
export async function countRows<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const counting = query.select(({ fn }) => fn.countAll<number>().as('count'))
  return Number(((await counting.executeTakeFirstOrThrow()) as { count: number }).count)
}
