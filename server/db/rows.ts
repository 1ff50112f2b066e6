import {
  type ExpressionBuilder,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Db } from './open.ts'
import type { Tables } from './tables.ts'

/** Every property is a condition: pass a literal. */
type Key<Table extends keyof Tables> = Partial<Selectable<Tables[Table]>>

/** Throws if a value, or every value, is missing: more rows would match. */
function hasKey<Table extends keyof Tables>(key: Key<Table>) {
  const values = Object.values(key)
  if (values.length === 0 || values.includes(undefined)) throw new Error('The key of a row has no value')
  return (eb: ExpressionBuilder<Tables, 'tasks'>) => eb.and(key as Key<'tasks'>)
}

export function sortByIds<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function countRows<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const counting = query.select(({ fn }) => fn.countAll<number>().as('count'))
  return Number(((await counting.executeTakeFirstOrThrow()) as { count: number }).count)
}

export async function hasRow<Table extends keyof Tables>(
  db: Db,
  table: Table,
  key: Key<Table>,
): Promise<boolean> {
  const rows = db.selectFrom(table as 'tasks').where(hasKey(key))
  const row = await rows
    .select((eb) => eb.lit(1).as('one'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Skips violations of a unique constraint. Returns whether any was inserted. */
export async function insertNew<Table extends keyof Tables>(
  db: Db,
  table: Table,
  rows: Insertable<Tables[Table]> | readonly Insertable<Tables[Table]>[],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto(table as 'tasks')
    .values(rows as Insertable<Tables['tasks']>)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Returns whether there were any. */
export async function removeRows<Table extends keyof Tables>(
  db: Db,
  table: Table,
  key: Key<Table>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom(table as 'tasks')
    .where(hasKey(key))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Each statement also removes what refers to its rows. */
export const partSize = 500

type Part = { limit?: number; skipsLocked?: boolean }

/** Returns how many. */
export async function removeSome(
  db: Db,
  table: keyof Tables,
  condition: RawBuilder<unknown>,
  { limit = partSize, skipsLocked = false }: Part = {},
): Promise<number> {
  const found = (id: string) =>
    sql`select ${sql.raw(id)} from ${sql.table(table)} where ${condition} limit ${limit}`
  // By place: whatever Postgres knows about the table, it finds the rows once.
  const isFound = isSqlite(db)
    ? sql`rowid in (${found('rowid')})`
    : sql`ctid = any(array(${found('ctid')} for update ${skipsLocked ? sql`skip locked` : sql``}))`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${isFound}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Until none has the condition any more; `set` must end it. */
export async function updateInParts(
  db: Db,
  table: keyof Tables,
  set: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const place = sql.raw(isSqlite(db) ? 'rowid' : 'ctid')
  const found = sql`select ${place} from ${sql.table(table)} where ${condition} limit ${partSize}`
  const isFound = isSqlite(db) ? sql`rowid in (${found})` : sql`ctid = any(array(${found}))`
  for (;;) {
    const result = await sql`update ${sql.table(table)} set ${set} where ${isFound}`.execute(db)
    if (Number(result.numAffectedRows ?? 0) < partSize) return
  }
}

/** Returns how many. */
export async function removeInParts(
  db: Db,
  table: keyof Tables,
  condition: RawBuilder<unknown>,
  options: Pick<Part, 'skipsLocked'> = {},
): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await removeSome(db, table, condition, options)
    removed += count
    if (count < partSize) return removed
  }
}
