import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ExportFile } from '#shared/contracts/export.ts'
import type { Change } from '#shared/contracts/changes.ts'
import type { Counted } from './db/counters.ts'
import type { Db } from './db/open.ts'
import type { Tables } from './db/tables.ts'
import { pagesOf } from './db/pages.ts'
import type { PictureStorage } from './uploads/pictures.ts'

/** What a feature contributes to code that covers all features. `features` in server/router.ts lists them. */
export type Feature = Counted & {
  /** Parts of `medley.json`, by name. */
  export?: Partial<ExportParts>
  /** Rows that the deletion of an account removes, in this order. */
  deletion?: readonly Removal[]
  /** Ends what acts for a member, in the transaction in which their password changes or their account closes. */
  endAccess?: (trx: Db, userId: number, now: Date) => Promise<void>
  /** Areas of the change log. */
  changes?: Partial<Record<Change['area'], FindChanged>>
  sitemap?: Sitemap
  titles?: TitleRows
}

/**
 * `moveTitle` and `removeTitle` (server/titles/move.ts) call these functions in one transaction, in which the titles are locked. They write
 * in parts, because a title may have very many rows, and keep counters exact.
 */
export type TitleRows = {
  /** The tables that have the id of a title in `media_id`. */
  tables: readonly (keyof Tables)[]
  /**
   * Makes the rows of `from` rows of `to`, a title of the same kind. Of rows that exclude each other, one stays and takes what the other
   * says.
   */
  move: (trx: Db, from: number, to: number) => Promise<void>
  /** Removes the rows of a title, which is removed next. */
  remove: (trx: Db, id: number) => Promise<void>
  /**
   * The SQL condition that a member other than this one (0: any member) has something of the title in `media`. A title that an import created
   * then stays after the undo.
   */
  isUsed?: (exceptUserId: number) => RawBuilder<SqlBool>
}

/** `isUsed` of a table with a `media_id` and a `user_id`. */
export const isUsedIn = (table: keyof Tables) => (exceptUserId: number) =>
  sql<SqlBool>`exists (select 1 from ${sql.table(table)} as own
    where own.media_id = media.id and own.user_id <> ${exceptUserId})`

/**
 * An account is removed only once it has no row in `table`, by the column `owner` (default `user_id`). Rows with counters need `remove`,
 * which removes at most `limit` items and returns how many, 0 if none is left.
 */
export type Removal =
  | { table: keyof Tables; owner?: string }
  | { table?: keyof Tables; owner?: string; remove: RemoveBatch }
/** Opens its own transactions. */
export type RemoveBatch = (db: Db, userId: number, limit: number, storage: PictureStorage) => Promise<number>

/** Returns the resources of changes of a member as they are now, by id. What was deleted since is left out. */
export type FindChanged = (
  db: Db,
  userId: number,
  ids: readonly number[],
) => Promise<[id: number, Partial<Change>][]>

/**
 * Pages for search engines. `prefix` begins the names of the files. `listPaths` returns the paths of the pages with ids from `first` to
 * `last`.
 */
type Sitemap = {
  prefix: string
  findLastId: (db: Db) => Promise<number>
  listPaths: (db: Db, first: number, last: number) => Promise<string[]>
}

/** The member whose data is read, and the database to read from. */
export type Reader = { db: Db; userId: number }

type Lists = {
  [Name in keyof ExportFile as ExportFile[Name] extends object[] ? Name : never]: ExportFile[Name]
}
/** The parts of `medley.json` that features contribute, by name. */
export type ExportParts = {
  [Name in Exclude<keyof Lists, 'titles'>]: ExportPart<Streamed<Lists[Name][number]>>
}
/** A list within an item may be read while the item is written, if it is the last property. */
type Streamed<Item> = {
  [Key in keyof Item]: Item[Key] | (Item[Key] extends (infer One)[] ? AsyncIterable<One> : never)
}

/** A list of `medley.json`, and with `sheet` a CSV file with the same data. Items about a title have its id in `title`. */
export type ExportPart<Item> = {
  /** Yields the items, a batch at a time. */
  pages: (reader: Reader) => AsyncGenerator<Item[]>
  /** Tables with a `user_id` and a `media_id` in which the titles of the items are found without reading the items. */
  tables?: readonly ('reviews' | 'removed_reviews' | 'diary_entries' | 'favorites')[]
  /** The columns are the properties. `headings` differ from the property's words; null leaves the column out. */
  sheet?: { file: string; description: string; headings?: { [Key in keyof Item]?: string | null } }
}

/** Returns a part whose items are the rows of a query. `key` and `size` as in `pagesOf`. */
export function exportPart<From extends keyof Tables, Row, Item>(
  select: (db: Db, userId: number) => SelectQueryBuilder<Tables, From, Row>,
  key: readonly string[],
  toItem: (row: Row, db: Db) => Item,
  { size, ...more }: Omit<ExportPart<Item>, 'pages'> & { size?: number } = {},
): ExportPart<Item> {
  return {
    async *pages({ db, userId }) {
      for await (const rows of pagesOf(select(db, userId), key, size))
        yield rows.map((row) => toItem(row, db))
    },
    ...more,
  }
}
