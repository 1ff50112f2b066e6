import type { Kysely } from 'kysely'
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
