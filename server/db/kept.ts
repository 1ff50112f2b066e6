import type { Compilable, CompiledQuery } from 'kysely'
import { isSqlite } from './dialect.ts'
import type { Db } from './open.ts'

/**
 * A question whose text is made once, when it is asked first, and kept: making it takes longer than SQLite takes to answer
 * one row. What `build` is given must go into the query as values, and nothing else may depend on it.
 */
export function kept<Values extends (string | number | readonly number[])[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const made: Record<string, { query: CompiledQuery<Row>; places: number[] }> = {}
  return async (db, ...values) => {
    const { query, places } = (made[isSqlite(db) ? 'sqlite' : 'postgres'] ??= make(db))
    const parameters = places.map((place, index) => (place < 0 ? query.parameters[index] : values[place]))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }

  /** Where the values stand among the parameters is seen by what stands in for them. */
  function make(db: Db) {
    const standIns = Array.from({ length: build.length - 1 }, () => Symbol('value'))
    const query = build(db, ...(standIns as never)).compile()
    const places = query.parameters.map((parameter) => standIns.indexOf(parameter as symbol))
    if (standIns.some((_, place) => !places.includes(place)))
      throw new Error('A value of a kept question is not among its parameters.')
    return { query, places }
  }
}
