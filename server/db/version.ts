import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** Tells whether a database has changed, so that results can be cached until then. */
export type Version = {
  /**
   * Returns a number that changes with each commit of this process, and with `seesOthers` of any process. Returns NaN, which equals
   * nothing, if the database does not respond.
   */
  current: () => number
  /** Whether `current` changes with the commits of other processes too. */
  seesOthers: boolean
  /** Changes the number, for a change that another process has announced. */
  bump: () => void
}

const versions = new WeakMap<Db, Version>()

/** Returns the version of a database that `openDatabase` opened; for any other, `current` returns NaN. */
export function versionOf(db: Db): Version {
  return versions.get(db) ?? { current: () => NaN, seesOthers: false, bump() {} }
}

export function setVersion(db: Db, version: Version): Db {
  versions.set(db, version)
  return db
}

/** The state of the database before a result was computed. `at` is monotonic, in milliseconds. */
export type State = { version: number; at: number }

/**
 * How long a result is cached while nothing changes, because popular titles and relative dates depend on the time. If the commits of
 * other processes are not seen, they may be missing from a result for this time.
 */
const ageMaxMs = { seesOthers: 10_000, seesOwn: 1_000 }

/** Returns the current state. Call it before the result is computed. */
export function stateOf(version: Version): State {
  return { version: version.current(), at: performance.now() }
}

/** Returns whether a result that was computed in a state is still valid. */
export function isCurrent(version: Version, { version: before, at }: State): boolean {
  const ageMax = version.seesOthers ? ageMaxMs.seesOthers : ageMaxMs.seesOwn
  return before === version.current() && performance.now() - at < ageMax
}

/** Results of one query in memory, of up to 100 KB each; beyond that the least recently used are dropped. */
const resultsMax = 100

/**
 * Returns a function that caches the results of `read` until the database changes. For frequent queries with the same result for
 * everyone. `keyOf` returns a short text that determines the result. Does not cache within a transaction, nor on Postgres, where the
 * commits of other processes are not seen at once.
 */
export function keepResult<Input, Result>(
  keyOf: (input: Input) => string,
  read: (db: Db, input: Input) => Promise<Result>,
): (db: Db, input: Input) => Promise<Result> {
  type Kept = State & { result: Result }
  const databases = new WeakMap<Db, LRUCache<string, Kept>>()
  return async (db, input) => {
    const version = versionOf(db)
    if (!version.seesOthers) return read(db, input)
    let kept = databases.get(db)
    if (!kept) databases.set(db, (kept = new LRUCache({ max: resultsMax })))
    const key = keyOf(input)
    const known = kept.get(key)
    if (known && isCurrent(version, known)) return known.result
    const state = stateOf(version)
    const result = await read(db, input)
    kept.set(key, { ...state, result })
    return result
  }
}

/** Statements that read, or that open or abandon a transaction. A `with` may contain a write. */
const reading = /^\s*(select|begin|start|rollback|savepoint)\b/i
const writing = /\b(insert|update|delete|merge)\b/i

/**
 * Returns whether a Postgres statement may commit a change that a response shows. Rate limit counts are excluded: no response shows
 * them, and they change with nearly every request.
 */
export function mayChange(text: string): boolean {
  if (reading.test(text)) return false
  if (/^\s*with\b/i.test(text)) return writing.test(text)
  return !/\blimit_counts\b/.test(text)
}
