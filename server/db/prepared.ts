import { type CompiledQuery, type Expression, sql } from 'kysely'
import { isSqlite, jsonArrayOf } from './dialect.ts'
import type { Db } from './open.ts'
import { sortByIds } from './rows.ts'

type Value = string | number | null | readonly number[]
type Build<Values extends Value[], Row> = (
  db: Db,
  ...values: Values
) => { compile: (db: Db) => CompiledQuery<Row> }

/**
 * Compiled on first use: building a query with Kysely takes longer than SQLite takes to return a row. `build` may use its arguments only as
 * parameters. One compiled query per dialect and per choice of arguments that are 0 or null, which `build` gets as they are: it can leave
 * out what a visitor, whose id is 0, does not need. For an empty list of ids, the result is empty.
 */
export function prepareQuery<Values extends Value[], Row>(
  build: Build<Values, Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const cache: Record<number, { query: CompiledQuery<Row>; places: number[] }> = {}
  return async (db, ...values) => {
    let key = isSqlite(db) ? 1 : 0
    for (const value of values) {
      if (Array.isArray(value) && value.length === 0) return []
      key = key * 3 + (value === 0 ? 1 : value === null ? 2 : 0)
    }
    const { query, places } = (cache[key] ??= compile(db, values))
    const parameters = places.map((place, index) => (place < 0 ? query.parameters[index] : values[place]))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }

  function compile(db: Db, values: Values) {
    const inputs = values.map((value) => (value === 0 || value === null ? value : Symbol('value')))
    const query = build(db, ...(inputs as never)).compile(db)
    const places = query.parameters.map((parameter) =>
      typeof parameter === 'symbol' ? inputs.indexOf(parameter) : -1,
    )
    if (inputs.some((input, place) => typeof input === 'symbol' && !places.includes(place)))
      throw new Error('An argument of a prepared query is not among its parameters.')
    return { query, places }
  }
}

export function prepareFirst<Values extends Value[], Row>(
  build: Build<Values, Row>,
): (db: Db, ...values: Values) => Promise<Row | undefined> {
  const query = prepareQuery(build)
  return async (db, ...values) => (await query(db, ...values))[0]
}

/** In the order of the ids; ids without a row are left out. */
export function prepareByIds<Values extends Value[], Row extends { id: number }>(
  build: (db: Db, ids: readonly number[], ...values: Values) => { compile: (db: Db) => CompiledQuery<Row> },
): (db: Db, ids: readonly number[], ...values: Values) => Promise<Row[]> {
  const query = prepareQuery<[readonly number[], ...Values], Row>(build)
  return async (db, ids, ...values) => sortByIds(ids, await query(db, ids, ...values))
}

type Columns<Row> = { [Column in keyof Row]: Row[Column][] }

/** An array of each column: JSON in one row takes less time and memory than an object per row. */
export function prepareColumns<Values extends Value[], Row extends Record<string, string | number | null>>(
  columns: readonly (keyof Row & string)[],
  build: (db: Db, ...values: Values) => Expression<Row>,
): (db: Db, ...values: Values) => Promise<Columns<Row>> {
  const query = prepareFirst<Values, Record<string, string | unknown[]>>((db, ...values) => {
    const arrays = columns.map((column) => sql`${jsonArrayOf(db, column)} as ${sql.ref(column)}`)
    return sql`select ${sql.join(arrays)} from (${build(db, ...values)}) as found`
  })
  return async (db, ...values) => {
    const row = await query(db, ...values)
    // Postgres’ driver has parsed them.
    const parse = (array: string | unknown[] = []): unknown[] =>
      typeof array === 'string' ? JSON.parse(array) : array
    return Object.fromEntries(columns.map((column) => [column, parse(row?.[column])])) as Columns<Row>
  }
}
