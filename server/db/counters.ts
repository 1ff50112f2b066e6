import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from './dialect.ts'
import type { Db } from './open.ts'
import type { Tables } from './tables.ts'

/** A column that counts rows of other tables. `recount` is a subquery with the right value for a row of `table`, which has an `id`. */
export type Counter = { table: keyof Tables; column: string; recount: RawBuilder<number> }

/** Returns a counter of rows: `from` is the rest of a `select count(*) from`. */
export function counterOf(table: keyof Tables, column: string, from: string): Counter {
  return { table, column, recount: sql`select count(*) from ${sql.raw(from)}` }
}

/** Computed from other tables. A fault is reported per value of `owner`. */
export type Rollup = {
  table: keyof Tables
  columns: string[]
  owner: string
  rows: (db: Db) => RawBuilder<unknown>
}

/** What a feature counts. A recount of several goes through them in order: counters that others count come first. */
export type Counted = {
  counters?: readonly Counter[]
  rollups?: readonly Rollup[]
  /** Values that code derives from other rows. Returns the ones that differ. With `mends`, `db` is a transaction, in which it corrects them. */
  derive?: (db: Db, mends: boolean) => Promise<CounterFault[]>
}

/** `id` is the id of the row. For a roll-up it is the value of `owner`. */
export type CounterFault = {
  table: keyof Tables
  column: string
  id: number | string
  is: number | string | null
  counted: number | string | null
}

/** Wrong and missing. */
async function findRollupFaults(db: Db, { table, columns, owner, rows }: Rollup): Promise<CounterFault[]> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const stored = sql`select ${names} from ${sql.table(table)} ${columns.includes('count') ? sql`where count <> 0` : sql``}`
  const counted = sql`select ${names} from (${rows(db)}) as counted`
  const faults = await sql<{ id: number | string; is: number; counted: number }>`
    select ${sql.ref(owner)} as id, sum("is") as "is", sum(counted) as counted from (
      select ${sql.ref(owner)}, 1 as "is", 0 as counted from (${stored} except ${counted}) as extra
      union all
      select ${sql.ref(owner)}, 0, 1 from (${counted} except ${stored}) as missing
    ) as faults group by ${sql.ref(owner)} order by ${sql.ref(owner)} limit 100`.execute(db)
  return faults.rows.map((row) => ({ table, column: 'rows', ...row }))
}

/** Recounts what the features count, and returns the stored values that differ; at most 100 faults per counter. */
export async function findCounterFaults(db: Db, features: readonly Counted[]): Promise<CounterFault[]> {
  const faults: CounterFault[] = []
  for (const { table, column, recount } of features.flatMap(({ counters = [] }) => counters)) {
    const { rows } = await sql<{ id: number; is: number; counted: number }>`
      select * from (select id, ${sql.ref(column)} as "is", (${recount}) as counted from ${sql.table(table)}) as counts
      where "is" <> counted limit 100`.execute(db)
    faults.push(...rows.map((row) => ({ table, column, ...row })))
  }
  for (const rollup of features.flatMap(({ rollups = [] }) => rollups))
    faults.push(...(await findRollupFaults(db, rollup)))
  for (const { derive } of features) faults.push(...((await derive?.(db, false)) ?? []))
  return faults
}

/** Sets the counters of these rows of a table. */
export async function recount(
  db: Db,
  counters: readonly Counter[],
  table: keyof Tables,
  ids: readonly number[],
): Promise<void> {
  const set = counters
    .filter((counter) => counter.table === table)
    .map((counter) => sql`${sql.ref(counter.column)} = (${counter.recount})`)
  await sql`update ${sql.table(table)} set ${sql.join(set)} where ${isOneOf(db, `${table}.id`, ids)}`.execute(
    db,
  )
}

/** Sets every counter and derived value of the features to its recounted value; correct rows are not written. */
export async function recountAll(db: Db, features: readonly Counted[]): Promise<void> {
  const byTable = Map.groupBy(
    features.flatMap(({ counters = [] }) => counters),
    ({ table }) => table,
  )
  for (const [table, own] of byTable) {
    const recounts = own.map(({ column, recount }) => sql`(${recount}) as ${sql.ref(column)}`)
    const assignments = own.map(({ column }) => sql`${sql.ref(column)} = counted.${sql.ref(column)}`)
    const differences = own.map(
      ({ column }) => sql`${sql.ref(`${table}.${column}`)} <> counted.${sql.ref(column)}`,
    )
    await sql`update ${sql.table(table)} set ${sql.join(assignments)}
      from (select id, ${sql.join(recounts)} from ${sql.table(table)}) as counted
      where ${sql.table(table)}.id = counted.id and (${sql.join(differences, sql` or `)})`.execute(db)
  }
  for (const { table, columns, rows } of features.flatMap(({ rollups = [] }) => rollups)) {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const stored = sql`select ${names} from ${sql.table(table)}`
    const counted = sql`select ${names} from (${rows(db)}) as counted`
    await sql`delete from ${sql.table(table)} where (${names}) in (${stored} except ${counted})`.execute(db)
    await sql`insert into ${sql.table(table)} (${names}) ${counted} except ${stored}`.execute(db)
  }
  for (const { derive } of features) await derive?.(db, true)
}
