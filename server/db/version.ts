import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** Tells whether a database has changed, so that results can be kept while it has not. */
export type Version = {
  /**
   * Returns a number that is the same at two moments only if no commit became visible in between: of this process, and with
   * `seesOthers` of any process. NaN if the database does not respond, which equals nothing.
   */
  current: () => number
  /** Whether `current` changes with the commits of other processes too. */
  seesOthers: boolean
  /** Changes the number. For a change that another process announced. */
  bump: () => void
}

const versions = new WeakMap<Db, Version>()

/** Returns the version of a database that `openDatabase` opened; of any other, one that never stays the same. */
export function versionOf(db: Db): Version {
  return versions.get(db) ?? { current: () => NaN, seesOthers: false, bump() {} }
}

export function setVersion(db: Db, version: Version): Db {
  versions.set(db, version)
  return db
}

/** The state of a database that a result was computed from, or a newer one. `at` is monotonic, in milliseconds. */
export type State = { version: number; at: number }

/**
 * How long a result is kept while nothing changes: popular titles and relative dates depend on the time. If the commits of
 * other processes are not seen, this bounds how long a result lacks them.
 */
const ageMaxMs = { seesOthers: 10_000, seesOwn: 1_000 }

/** Returns the present state. Read it before the result is computed. */
export function stateOf(version: Version): State {
  return { version: version.current(), at: performance.now() }
}

/** Whether a result that was computed from a state may still be returned. */
export function isCurrent(version: Version, { version: before, at }: State): boolean {
  const ageMax = version.seesOthers ? ageMaxMs.seesOthers : ageMaxMs.seesOwn
  return before === version.current() && performance.now() - at < ageMax
}

/** Results of one query in memory, of up to 100 KB each; beyond that the least recently used are dropped. */
const resultsMax = 100

/**
 * Returns a function that reads as `read` does, and returns the result again while the database does not change. For queries that
 * everyone makes and that return the same to all. `keyOf` returns a short text that determines the result. Within a transaction
 * and on Postgres, where the commits of other processes are not seen at once, each call reads.
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
 * Whether a Postgres statement may commit a change that a response shows. Counts of rate limits are in no response, and change
 * with nearly every request.
 */
export function mayChange(text: string): boolean {
  if (reading.test(text)) return false
  if (/^\s*with\b/i.test(text)) return writing.test(text)
  return !/\blimit_counts\b/.test(text)
}
