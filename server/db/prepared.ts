import type { CompiledQuery } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Db } from './open.ts'

/**
 * Returns a query that is compiled on its first use and cached, once per dialect: building a query with Kysely takes longer than
 * SQLite takes to return one row. `build` may use its arguments only as parameters of the query; the rest of the query must always be
 * the same.
 */
export function prepareQuery<Values extends (string | number | readonly number[])[], Row>(
  build: (db: Db, ...values: Values) => { compile: (db: Db) => CompiledQuery<Row> },
): (db: Db, ...values: Values) => Promise<Row[]> {
  const cache: Record<string, { query: CompiledQuery<Row>; places: number[] }> = {}
  return async (db, ...values) => {
    const { query, places } = (cache[isSqlite(db) ? 'sqlite' : 'postgres'] ??= compile(db))
    const parameters = places.map((place, index) => (place < 0 ? query.parameters[index] : values[place]))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }

  /** Builds the query with one placeholder per argument, to find the position of each among the parameters. */
  function compile(db: Db) {
    const placeholders = Array.from({ length: build.length - 1 }, () => Symbol('value'))
    const query = build(db, ...(placeholders as never)).compile(db)
    const places = query.parameters.map((parameter) => placeholders.indexOf(parameter as symbol))
    if (placeholders.some((_, place) => !places.includes(place)))
      throw new Error('An argument of a prepared query is not among its parameters.')
    return { query, places }
  }
}
