import type { SelectQueryBuilder } from 'kysely'
import type { ExportFile } from '#shared/contracts/export.ts'
import type { Change } from '#shared/contracts/changes.ts'
import type { Counted } from './db/counters.ts'
import type { Db } from './db/open.ts'
import type { Tables } from './db/tables.ts'
import { pagesOf } from './db/pages.ts'
import type { PictureStorage } from './uploads/pictures.ts'

/** The contributions of a feature to code that covers all features. `features` in server/router.ts lists them. */
export type Feature = Counted & {
  /** Parts of `medley.json`, by name. */
  export?: Partial<ExportParts>
  /** Rows that the deletion of an account removes. */
  deletion?: readonly Removal[]
  /** Ends what acts in the name of a member: their password was changed, or their account closes. In the same transaction. */
  endAccess?: (trx: Db, userId: number, now: Date) => Promise<void>
  /** Areas of the change log. */
  changes?: Partial<Record<Change['area'], FindChanged>>
  sitemap?: Sitemap
  titles?: TitleRows
}

/**
 * Rows that refer to a title. `moveTitle` and `removeTitle` (server/titles/move.ts) call these functions in one transaction, in which the
 * titles are locked. They write in parts, because a title may have very many rows, and keep counters exact.
 */
export type TitleRows = {
  /** The tables with the id of a title in a column. */
  tables: readonly (keyof Tables)[]
  /** Makes the rows of a title rows of another one of the same kind. Of rows that exclude each other, one stays and takes what the other says. */
  move: (trx: Db, from: number, to: number) => Promise<void>
  /** Removes the rows of a title that is removed next. */
  remove: (trx: Db, id: number) => Promise<void>
}

/**
 * Rows of a member. An account is removed only once it has no row in `table`, whose column `owner` (`user_id` by default) has the member.
 * Rows with counters need `remove`, which removes at most `limit` items and returns how many, 0 if none is left.
 */
export type Removal =
  | { table: keyof Tables; owner?: string }
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

/** The member whose data is read. */
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

/** A part of `medley.json`, and the CSV file with the same data. Items about a title have its id in `title`. */
export type ExportPart<Item> = {
  pages: (reader: Reader) => AsyncGenerator<Item[]>
  /** The tables of rows with a `user_id` and a `media_id`, if the titles can be found there without reading the items. */
  tables?: readonly ('reviews' | 'removed_reviews' | 'diary_entries' | 'favorites')[]
  /** Its columns are the properties of the items. `headings`: those that are not the words of the property; null leaves it out. */
  sheet?: { file: string; description: string; headings?: { [Key in keyof Item]?: string | null } }
}

/** Returns a part whose items are the rows of a query. `key` as in `pagesOf`. */
export function exportPart<From extends keyof Tables, Row, Item>(
  select: (db: Db, userId: number) => SelectQueryBuilder<Tables, From, Row>,
  key: readonly string[],
  toItem: (row: Row, db: Db) => Item,
  more: Omit<ExportPart<Item>, 'pages'> = {},
): ExportPart<Item> {
  return {
    async *pages({ db, userId }) {
      for await (const rows of pagesOf(select(db, userId), key)) yield rows.map((row) => toItem(row, db))
    },
    ...more,
  }
}
