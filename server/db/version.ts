import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** So that results can be cached until then. */
export type Version = {
  /** Changes with each commit of this process, and with `seesOthers` of any. NaN, which equals nothing, if the database does not respond. */
  current: () => number
  seesOthers: boolean
  /** For a change that another process has announced. */
  bump: () => void
}

const versions = new WeakMap<Db, Version>()

/** `current` returns NaN for a database that `openDatabase` has not opened. */
export function versionOf(db: Db): Version {
  return versions.get(db) ?? { current: () => NaN, seesOthers: false, bump() {} }
}

export function setVersion(db: Db, version: Version): Db {
  versions.set(db, version)
  return db
}

/** Before the result was computed. `at` is monotonic, in ms. */
export type State = { version: number; at: number }

/**
 * While nothing changes: popular titles and relative dates depend on the time. Commits of other processes that are not seen may be missing
 * for this time.
 */
const ageMaxMs = { seesOthers: 10_000, seesOwn: 1_000 }

/** Call it before the result is computed. */
export function stateOf(version: Version): State {
  return { version: version.current(), at: performance.now() }
}

export function isCurrent(version: Version, { version: before, at }: State): boolean {
  const ageMax = version.seesOthers ? ageMaxMs.seesOthers : ageMaxMs.seesOwn
  return before === version.current() && performance.now() - at < ageMax
}

/** Up to 100 KB each; the least recently used are dropped. */
const resultsMax = 100

/**
 * Until the database changes; for frequent queries with the same result for everyone. `keyOf` determines the result. Not within a
 * transaction, nor on Postgres, where the commits of other processes are not seen at once.
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

/** Or they open or abandon a transaction. A `with` may contain a write. */
const reading = /^\s*(select|begin|start|rollback|savepoint)\b/i
const writing = /\b(insert|update|delete|merge)\b/i

/** That a response shows. Rate limit counts are excluded: they change with nearly every request. */
export function mayChange(text: string): boolean {
  if (reading.test(text)) return false
  if (/^\s*with\b/i.test(text)) return writing.test(text)
  return !/\blimit_counts\b/.test(text)
}
