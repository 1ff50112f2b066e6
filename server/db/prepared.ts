import type { CompiledQuery } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Db } from './open.ts'

/**
 * Returns a query that is compiled on its first use and cached: building a query with Kysely takes longer than SQLite takes to return one
 * row. `build` may use its arguments only as parameters of the query; the rest of the query must always be the same. There is one compiled
 * query per dialect and per choice of arguments that are 0 or null, which `build` gets as they are: it can leave out what a visitor, whose
 * id is 0, does not need.
 */
export function prepareQuery<Values extends (string | number | null | readonly number[])[], Row>(
  build: (db: Db, ...values: Values) => { compile: (db: Db) => CompiledQuery<Row> },
): (db: Db, ...values: Values) => Promise<Row[]> {
  const cache: Record<number, { query: CompiledQuery<Row>; places: number[] }> = {}
  return async (db, ...values) => {
    let key = isSqlite(db) ? 1 : 0
    for (const value of values) key = key * 3 + (value === 0 ? 1 : value === null ? 2 : 0)
    const { query, places } = (cache[key] ??= compile(db, values))
    const parameters = places.map((place, index) => (place < 0 ? query.parameters[index] : values[place]))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }

  /** Builds the query with one placeholder per argument, to find the position of each among the parameters. */
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
