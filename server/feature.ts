import type { Change } from '#shared/changes.ts'
import type { Db } from './db/open.ts'
import type { Tables } from './db/tables.ts'
import type { ExportParts } from './export/part.ts'
import type { PictureStorage } from './uploads/pictures.ts'

/** The contributions of a feature to code that covers all features. `features` in server/router.ts lists them. */
export type Feature = {
  /** Parts of `medley.json`, by name. */
  export?: Partial<ExportParts>
  /** Rows that the deletion of an account removes. */
  deletion?: readonly Removal[]
  /** Areas of the change log. */
  changes?: Partial<Record<Change['area'], FindChanged>>
  sitemap?: Sitemap
}

/**
 * Rows of a member. An account is removed only once it has no row in `table`, whose column `owner` (`user_id` by default) has the member.
 * Rows without counters need only `key`, a column that identifies a row among those of a member. `remove` removes at most `limit` items
 * in other cases, and returns how many, 0 if none is left.
 */
export type Removal =
  | { table: keyof Tables; owner?: string; key: string }
  | { table?: keyof Tables; owner?: string; remove: RemoveBatch }
export type RemoveBatch = (db: Db, userId: number, limit: number, storage: PictureStorage) => Promise<number>

/** Returns the current resources of changes of a member, by id. */
export type FindChanged = (
  db: Db,
  userId: number,
  ids: readonly number[],
) => Promise<[id: number, Partial<Change>][]>

/** Pages for search engines. `prefix` begins the names of their files. */
type Sitemap = {
  prefix: string
  findLastId: (db: Db) => Promise<number>
  /** Returns the paths of the pages of these ids. */
  listPaths: (db: Db, first: number, last: number) => Promise<string[]>
}
