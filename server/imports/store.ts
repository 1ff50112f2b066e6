import { type ExpressionBuilder, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { importsOpenMax } from '#shared/limits.ts'
import type { ImportLineState, ImportState, ImportTitleState } from '#shared/imports.ts'
import type { Kind } from '#shared/media.ts'
import { caseless } from '#server/db/fold.ts'
import { insertMany, isOneOf, isSqlite, titleMatches } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { sortByIds } from '#server/db/rows.ts'
import {
  cardColumns,
  type CardRow,
  type EntryRow,
  type ImportChangeRow,
  type ImportLineRow,
  type ImportRow,
  type ImportTitleRow,
  type ReviewRow,
  type Tables,
} from '#server/db/tables.ts'

/** Returns an import of this member. On Postgres, `isLocked` locks it until the transaction ends. */
export async function findImport(
  db: Db,
  userId: number,
  id: number,
  isLocked = false,
): Promise<ImportRow | undefined> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .$if(isLocked && !isSqlite(db), (query) => query.forUpdate())
    .executeTakeFirst()
}

/** Lists the imports of a member, newest first. */
export async function listImports(db: Db, userId: number): Promise<ImportRow[]> {
  return db.selectFrom('imports').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute()
}

export async function insertImport(db: Db, values: Insertable<Tables['imports']>): Promise<number> {
  const { id } = await db.insertInto('imports').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateImport(db: Db, id: number, values: Updateable<Tables['imports']>): Promise<void> {
  await db.updateTable('imports').set(values).where('id', '=', id).execute()
}

/** Returns the number of imports of a member, and of those that are not applied yet (at most `importsOpenMax` are counted). */
export async function countImports(db: Db, userId: number): Promise<{ all: number; open: number }> {
  const states = await db
    .selectFrom('imports')
    .select(['state', 'applied_at'])
    .where('user_id', '=', userId)
    .execute()
  const open = states.filter(({ state, applied_at }) => state !== 'undone' && applied_at === null)
  return { all: states.length, open: Math.min(open.length, importsOpenMax) }
}

/** Returns the number of imports by state. */
export async function countImportStates(db: Db): Promise<{ state: ImportState; count: number }[]> {
  return db
    .selectFrom('imports')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
}

/**
 * Claims the due import that has waited longest, until `until`. Skips imports of members with another claimed import, so that each
 * member has at most one. Returns undefined if none is due.
 */
export async function claimImport(db: Db, now: Date, until: Date): Promise<ImportRow | undefined> {
  const time = now.toISOString()
  const isDue = (eb: ExpressionBuilder<Tables, 'imports'>) =>
    eb.and([
      eb('imports.next_at', '<=', time),
      eb.or([eb('imports.lease_until', 'is', null), eb('imports.lease_until', '<', time)]),
      eb.not(
        eb.exists(
          eb
            .selectFrom('imports as others')
            .select('others.id')
            .whereRef('others.user_id', '=', 'imports.user_id')
            .where('others.lease_until', '>=', time),
        ),
      ),
    ])
  return (
    db
      .updateTable('imports')
      .set({ lease_until: until.toISOString() })
      .where('id', '=', (eb) =>
        eb
          .selectFrom('imports')
          .select('id')
          .where((eb) => isDue(eb as never))
          .orderBy('next_at')
          .orderBy('id')
          .limit(1)
          .$if(!isSqlite(db), (query) => query.forUpdate().skipLocked()),
      )
      // Checked again: by the time Postgres has locked the row, another process may have claimed it.
      .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', time)]))
      .returningAll()
      .executeTakeFirst()
  )
}

/** Extends a claim and locks the import. Returns undefined if the claim was lost or the import was stopped. */
export async function extendClaim(
  trx: Db,
  { id, lease_until, state }: Pick<ImportRow, 'id' | 'lease_until' | 'state'>,
  until: Date,
): Promise<ImportRow | undefined> {
  return trx
    .updateTable('imports')
    .set({ lease_until: until.toISOString() })
    .where('id', '=', id)
    .where('lease_until', '=', lease_until)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()
}

/** Ends a claim, if it still holds. */
export async function releaseImport(
  db: Db,
  { id, lease_until }: Pick<ImportRow, 'id' | 'lease_until'>,
  nextAt: Date,
): Promise<void> {
  await db
    .updateTable('imports')
    .set({ lease_until: null, next_at: nextAt.toISOString() })
    .where('id', '=', id)
    .where('lease_until', '=', lease_until)
    .where('next_at', 'is not', null)
    .execute()
}

/** Ends the claims of all processes. A process that still works on an import loses at most the step that it is in. */
export async function releaseImports(db: Db): Promise<void> {
  await db.updateTable('imports').set({ lease_until: null }).where('lease_until', 'is not', null).execute()
}

/** The tables with the rows of an import, those first that refer to others. */
const partTables = ['import_follows', 'import_changes', 'import_lines', 'import_titles'] as const

/** Removes rows of an import, at most `limit`. Returns false once there are none. */
export async function removeImportRows(db: Db, id: number, limit: number): Promise<boolean> {
  for (const table of partTables) {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('id', 'in', (eb) => eb.selectFrom(table).select('id').where('import_id', '=', id).limit(limit))
      .executeTakeFirst()
    if (numDeletedRows > 0n) return true
  }
  return false
}

export async function removeImport(db: Db, id: number): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute()
}

export async function insertLines(
  db: Db,
  rows: readonly Omit<Insertable<Tables['import_lines']>, 'id'>[],
): Promise<void> {
  await insertMany(db, 'import_lines', rows)
}

const bytes = sql<number>`octet_length(raw)`.as('bytes')

/** Lists the ids and sizes of lines after an id, in the order of the file. */
export async function listLineSizes(
  db: Db,
  importId: number,
  after: number,
  limit: number,
): Promise<{ id: number; bytes: number }[]> {
  return db
    .selectFrom('import_lines')
    .select(['id', bytes])
    .where('import_id', '=', importId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists the ids and sizes of the first lines of each title, in the order of the file. */
export async function listLineSizesOf(
  db: Db,
  titleIds: readonly number[],
  limit: number,
): Promise<{ id: number; bytes: number }[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom(
      db
        .selectFrom('import_lines')
        .select(['id', bytes, sql<number>`row_number() over (partition by title_id order by id)`.as('place')])
        .where(isOneOf(db, 'title_id', titleIds))
        .as('lines'),
    )
    .select(['id', 'bytes'])
    .where('place', '<=', limit)
    .orderBy('id')
    .execute()
}

export async function listLinesByIds(db: Db, ids: readonly number[]): Promise<ImportLineRow[]> {
  return db
    .selectFrom('import_lines')
    .selectAll()
    .where(isOneOf(db, 'id', ids))
    .orderBy('id')
    .execute()
}

type LineUpdate = Pick<ImportLineRow, 'id' | 'title_id' | 'state' | 'note'>

export async function updateLines(db: Db, lines: readonly LineUpdate[]): Promise<void> {
  if (lines.length === 0) return
  const json = JSON.stringify(lines)
  await (
    isSqlite(db)
      ? sql`update import_lines set title_id = line.value ->> 'title_id', state = line.value ->> 'state',
          note = line.value ->> 'note' from json_each(${json}) as line where import_lines.id = line.value ->> 'id'`
      : sql`update import_lines set title_id = line.title_id, state = line.state, note = line.note
          from json_to_recordset(${json}::json) as line(id bigint, title_id bigint, state text, note text)
          where import_lines.id = line.id`
  ).execute(db)
}

/** Lists the first places of each title in the file. */
export async function listPlacesOf(
  db: Db,
  titleIds: readonly number[],
  limit: number,
): Promise<{ title_id: number; file: string; line: number }[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom(
      db
        .selectFrom('import_lines')
        .select([
          'id',
          'title_id',
          'file',
          'line',
          sql<number>`row_number() over (partition by title_id order by id)`.as('place'),
        ])
        .where(isOneOf(db, 'title_id', titleIds))
        .as('places'),
    )
    .select((eb) => [eb.ref('title_id').$notNull().as('title_id'), 'file', 'line'])
    .where('place', '<=', limit)
    .orderBy('id')
    .execute()
}

type LinePage = { state?: ImportLineState | undefined; limit: number; offset: number }

/** Lists the lines of members to follow, from the first on. */
export async function listNewFollowLines(db: Db, importId: number, limit: number): Promise<ImportLineRow[]> {
  return db
    .selectFrom('import_lines')
    .selectAll()
    .where('import_id', '=', importId)
    .where('state', '=', 'new')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists verified members by username, each with whether the member follows them, and whether an import has ever created that follow. */
export async function listFollowable(
  db: Db,
  userId: number,
  usernames: readonly string[],
): Promise<{ id: number; username: string; isFollowed: boolean; wasImported: boolean }[]> {
  if (usernames.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select((eb) => [
      'users.id',
      'users.username',
      eb
        .exists(
          eb
            .selectFrom('follows')
            .select('followee_id')
            .where('follower_id', '=', userId)
            .whereRef('followee_id', '=', 'users.id'),
        )
        .as('isFollowed'),
      eb
        .exists(
          eb
            .selectFrom('import_follows')
            .innerJoin('imports', 'imports.id', 'import_follows.import_id')
            .select('import_follows.id')
            .where('imports.user_id', '=', userId)
            .whereRef('import_follows.followee_id', '=', 'users.id'),
        )
        .as('wasImported'),
    ])
    .where('users.username_folded', 'in', usernames.map(caseless))
    .where('users.username', 'in', usernames)
    .where('users.verified_at', 'is not', null)
    .where('users.id', '<>', userId)
    .execute()
  return rows.map((row) => ({
    ...row,
    isFollowed: Boolean(row.isFollowed),
    wasImported: Boolean(row.wasImported),
  }))
}

export async function insertImportedFollow(
  db: Db,
  values: Insertable<Tables['import_follows']>,
): Promise<void> {
  await db
    .insertInto('import_follows')
    .values(values)
    .onConflict((conflict) => conflict.columns(['import_id', 'followee_id']).doUpdateSet(values))
    .execute()
}

type ImportedFollowRow = Selectable<Tables['import_follows']>

/** Returns the last follow that an import has created. */
export async function findImportedFollow(db: Db, importId: number): Promise<ImportedFollowRow | undefined> {
  return db
    .selectFrom('import_follows')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes the record of a follow that an import has created, and marks its line as left out. */
export async function removeImportedFollow(
  trx: Db,
  { id, line_id }: Pick<ImportedFollowRow, 'id' | 'line_id'>,
): Promise<void> {
  await trx.deleteFrom('import_follows').where('id', '=', id).execute()
  await trx.updateTable('import_lines').set({ state: 'left' }).where('id', '=', line_id).execute()
}

/** Returns the number of follows that an import has created and that have not changed since. */
export async function countImportedFollows(db: Db, userId: number, importId: number): Promise<number> {
  const { count } = await db
    .selectFrom('import_follows')
    .innerJoin('follows', (join) =>
      join
        .onRef('follows.followee_id', '=', 'import_follows.followee_id')
        .onRef('follows.created_at', '=', 'import_follows.created_at'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('import_follows.import_id', '=', importId)
    .where('follows.follower_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns when a follow began; undefined if there is none. */
export async function findFollowTime(
  db: Db,
  followerId: number,
  followeeId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('follows')
    .select('created_at')
    .where('follower_id', '=', followerId)
    .where('followee_id', '=', followeeId)
    .executeTakeFirst()
  return row?.created_at
}

/** Lists lines with the state and the name of their title. */
export async function listLines(db: Db, importId: number, { state, limit, offset }: LinePage) {
  return linesWithTitles(db, importId)
    .$if(state !== undefined, (query) => query.where('import_lines.state', '=', state!))
    .orderBy('import_lines.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Lists lines after an id, with the state and the name of their title. */
export async function listReportLines(db: Db, importId: number, after: number, limit: number) {
  return linesWithTitles(db, importId)
    .where('import_lines.id', '>', after)
    .orderBy('import_lines.id')
    .limit(limit)
    .execute()
}
export type ReportLineRow = Awaited<ReturnType<typeof listReportLines>>[number]

function linesWithTitles(db: Db, importId: number) {
  return db
    .selectFrom('import_lines')
    .leftJoin('import_titles', 'import_titles.id', 'import_lines.title_id')
    .select([
      'import_lines.id',
      'import_lines.file',
      'import_lines.line',
      'import_lines.state',
      'import_lines.note',
      'import_lines.title_id',
      'import_titles.name',
      'import_titles.state as title_state',
      'import_titles.media_id',
    ])
    .where('import_lines.import_id', '=', importId)
}

export async function countLines(db: Db, importId: number, state?: ImportLineState): Promise<number> {
  const { count } = await db
    .selectFrom('import_lines')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('import_id', '=', importId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the ids of the titles with these keys; creates those that the import does not have yet. */
export async function ensureTitles(
  db: Db,
  importId: number,
  titles: readonly { title_key: string; kind: Kind; name: string }[],
): Promise<{ ids: Map<string, number>; created: number }> {
  const find = () =>
    db
      .selectFrom('import_titles')
      .select(['id', 'title_key'])
      .where('import_id', '=', importId)
      .where(
        'title_key',
        'in',
        titles.map(({ title_key }) => title_key),
      )
      .execute()
  const known = new Map((await find()).map((row) => [row.title_key, row.id]))
  const missing = titles.filter(({ title_key }) => !known.has(title_key))
  if (missing.length === 0) return { ids: known, created: 0 }
  await insertMany(
    db,
    'import_titles',
    missing.map((title) => ({
      import_id: importId,
      ...title,
      search_text: '',
      plan: '',
      state: 'pending',
    })),
  )
  return { ids: new Map((await find()).map((row) => [row.title_key, row.id])), created: missing.length }
}

type TitleFilter = {
  after: number
  limit: number
  state?: ImportTitleState
  kinds?: readonly Kind[]
}

/** Lists titles of an import after an id. */
export async function listTitlesAfter(
  db: Db,
  importId: number,
  { after, limit, state, kinds }: TitleFilter,
): Promise<ImportTitleRow[]> {
  return db
    .selectFrom('import_titles')
    .selectAll()
    .where('import_id', '=', importId)
    .where('id', '>', after)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds!))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findImportTitle(
  db: Db,
  importId: number,
  id: number,
): Promise<ImportTitleRow | undefined> {
  return db
    .selectFrom('import_titles')
    .selectAll()
    .where('import_id', '=', importId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type TitleValues = Pick<
  ImportTitleRow,
  | 'id'
  | 'kind'
  | 'name'
  | 'search_text'
  | 'plan'
  | 'state'
  | 'matched'
  | 'verdict'
  | 'media_id'
  | 'candidates'
  | 'decision'
  | 'applied_at'
  | 'is_text_without_rating'
>

/** Writes all columns of titles that change after their creation. */
export async function updateTitles(db: Db, titles: readonly TitleValues[]): Promise<void> {
  if (titles.length === 0) return
  const columns = [
    'kind',
    'name',
    'search_text',
    'plan',
    'state',
    'matched',
    'verdict',
    'media_id',
    'candidates',
    'decision',
    'applied_at',
    'is_text_without_rating',
  ] as const
  const json = JSON.stringify(
    titles.map((title) => Object.fromEntries(['id', ...columns].map((key) => [key, title[key as 'id']]))),
  )
  await (
    isSqlite(db)
      ? sql`update import_titles set ${sql.join(
          columns.map((column) => sql`${sql.ref(column)} = title.value ->> ${sql.lit(column)}`),
        )} from json_each(${json}) as title where import_titles.id = title.value ->> 'id'`
      : sql`update import_titles set ${sql.join(
          columns.map((column) => sql`${sql.ref(column)} = title.${sql.ref(column)}`),
        )} from json_populate_recordset(null::import_titles, ${json}::json) as title where import_titles.id = title.id`
  ).execute(db)
}

export async function removeTitles(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('import_titles')
      .where(isOneOf(db, 'id', ids))
      .execute()
}

/** Lists titles of an import that were recognized as the same title: at most `limit` lists of ids, each in ascending order. */
export async function listSameTitles(db: Db, importId: number, limit: number): Promise<number[][]> {
  const ids = sql<string>`string_agg(cast(id as text), ' ')`
  const rows = await db
    .selectFrom('import_titles')
    .select(ids.as('ids'))
    .where('import_id', '=', importId)
    .where('media_id', 'is not', null)
    .groupBy('media_id')
    .having(({ fn }) => fn.countAll<number>(), '>', 1)
    .limit(limit)
    .execute()
  return rows.map((row) =>
    row.ids
      .split(' ')
      .map(Number)
      .sort((a, b) => a - b),
  )
}

/** Moves the lines of titles to another title. */
export async function moveLines(db: Db, from: readonly number[], titleId: number): Promise<void> {
  await db
    .updateTable('import_lines')
    .set({ title_id: titleId })
    .where(isOneOf(db, 'title_id', from))
    .execute()
}

export async function listImportTitles(db: Db, ids: readonly number[]): Promise<ImportTitleRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('import_titles')
    .selectAll()
    .where(isOneOf(db, 'id', ids))
    .orderBy('id')
    .execute()
}

type ShownTitles = {
  state?: ImportTitleState | undefined
  isDecided?: boolean | undefined
  isTextWithoutRating?: boolean | undefined
  words: readonly string[]
}

function matchesTitle(
  db: Db,
  importId: number,
  { state, isDecided, isTextWithoutRating, words }: ShownTitles,
) {
  return db
    .selectFrom('import_titles')
    .where('import_id', '=', importId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(isDecided !== undefined, (query) => query.where('decision', isDecided ? 'is not' : 'is', null))
    .$if(isTextWithoutRating !== undefined, (query) =>
      query.where('is_text_without_rating', '=', Number(isTextWithoutRating)),
    )
    .where((eb) => eb.and(words.map((word) => eb('search_text', 'like', `%${word}%`))))
}

/** Lists the titles whose name or authors contain all words, which consist of letters and digits. */
export async function listTitlesPage(
  db: Db,
  importId: number,
  page: ShownTitles & { limit: number; offset: number },
): Promise<ImportTitleRow[]> {
  return matchesTitle(db, importId, page)
    .selectAll()
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export async function countTitles(db: Db, importId: number, filter: ShownTitles): Promise<number> {
  const { count } = await matchesTitle(db, importId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Lists the titles that a member chose for these keys. */
export async function listImportKeys(
  db: Db,
  userId: number,
  keys: readonly string[],
): Promise<{ key: string; media_id: number }[]> {
  if (keys.length === 0) return []
  return db
    .selectFrom('import_keys')
    .select(['key', 'media_id'])
    .where('user_id', '=', userId)
    .where('key', 'in', keys)
    .execute()
}

export async function saveImportKey(db: Db, values: Tables['import_keys']): Promise<void> {
  await db
    .insertInto('import_keys')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ media_id: values.media_id, import_id: values.import_id }),
    )
    .execute()
}

export async function removeImportKeys(db: Db, importId: number): Promise<void> {
  await db.deleteFrom('import_keys').where('import_id', '=', importId).execute()
}

export type CatalogueRow = CardRow

/** Lists the titles with these ids, in this order. */
export async function listCatalogueTitles(db: Db, ids: readonly number[]): Promise<CatalogueRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .select(cardColumns)
    .where(isOneOf(db, 'media.id', ids))
    .execute()
  return sortByIds(ids, rows)
}

/**
 * Returns the ids of the titles that exist. On Postgres, also locks them against deletion until the transaction ends. Deleting a title
 * locks first the title, then the import rows that refer to it, so callers must lock in the same order to avoid deadlocks.
 */
export async function lockCatalogueTitles(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where(isOneOf(db, 'media.id', [...new Set(ids)]))
    .orderBy('id')
    .$if(!isSqlite(db), (query) => query.forKeyShare())
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Lists the titles that have one of these external ids. */
export async function listIdOwners(
  db: Db,
  ids: readonly { source: string; id: string }[],
): Promise<{ source: string; external_id: string; media_id: number }[]> {
  if (ids.length === 0) return []
  const json = JSON.stringify(ids)
  const wanted = isSqlite(db)
    ? sql`select value ->> 'source' as source, value ->> 'id' as id from json_each(${json})`
    : sql`select source, id from json_to_recordset(${json}::json) as wanted(source text, id text)`
  const { rows } = await sql<{ source: string; external_id: string; media_id: number }>`
    select owners.source, owners.external_id, owners.media_id from (${wanted}) as wanted
    join external_ids as owners on owners.source = wanted.source and owners.external_id = wanted.id`.execute(
    db,
  )
  return rows
}

/** The length of the beginnings of names that `media_year_names` has. */
const nameStartMax = 40
/** More titles of one year with the same beginning are not compared. */
const startsMax = 5_000

/** Lists the titles of these years whose folded name begins with these words. `at` is passed on to the results. */
export async function listByNameStarts(
  db: Db,
  starts: readonly { at: number; year: number; start: string }[],
): Promise<{ at: number; id: number }[]> {
  if (starts.length === 0) return []
  const json = JSON.stringify(
    starts.map(({ at, year, start }) => {
      const low = start.slice(0, nameStartMax)
      // After the last word comes a space or nothing, which sort before “!”.
      return { at, year, low, high: `${low}${low === start ? '!' : '\u{10ffff}'}` }
    }),
  )
  const [wanted, nameStart] = isSqlite(db)
    ? [
        sql`select value ->> 'at' as at, value ->> 'year' as year, value ->> 'low' as low, value ->> 'high' as high
          from json_each(${json})`,
        sql`substr(media.search_text, 1, 40)`,
      ]
    : [
        sql`select at, year, low collate "C" as low, high collate "C" as high
          from json_to_recordset(${json}::json) as wanted(at int, year int, low text, high text)`,
        sql`substr(media.search_text, 1, 40) collate "C"`,
      ]
  const { rows } = await sql<{ at: number; id: number }>`
    select wanted.at, media.id from (${wanted}) as wanted cross join media
    where media.release_year = wanted.year and ${nameStart} >= wanted.low and ${nameStart} < wanted.high
    limit ${startsMax}`.execute(db)
  return rows
}

/** Lists titles in which each of the words begins a word of the name or the creators; at most `limit`. */
export async function listByWords(db: Db, words: readonly string[], limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${titleMatches(db, words)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

const storedReviewColumns = [
  'id',
  'media_id',
  'kind',
  'user_id',
  'rating',
  'rating_given',
  'text',
  'has_spoilers',
  'created_at',
  'updated_at',
  'rated_at',
  'like_count',
  'dislike_count',
  'comment_count',
] as const
export type StoredReviewRow = Pick<ReviewRow, (typeof storedReviewColumns)[number]>

/** Lists a member's reviews of these titles. */
export async function listReviewsOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<StoredReviewRow[]> {
  return db
    .selectFrom('reviews')
    .select(storedReviewColumns)
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .execute()
}

/** Lists a member's diary entries of these titles. */
export async function listEntriesOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<EntryRow[]> {
  return db
    .selectFrom('diary_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .orderBy('id')
    .execute()
}

/** Lists which of these titles are favorites of a member. */
export async function listFavoritesOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<{ media_id: number; created_at: string }[]> {
  return db
    .selectFrom('favorites')
    .select(['media_id', 'created_at'])
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .execute()
}

/** Lists what imports of a member wrote of these titles, oldest first. */
export async function listChangesOf(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<ImportChangeRow[]> {
  return db
    .selectFrom('import_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'media_id', mediaIds))
    .orderBy('id')
    .execute()
}

export async function insertChange(db: Db, values: Insertable<Tables['import_changes']>): Promise<void> {
  await db.insertInto('import_changes').values(values).execute()
}

/** Lists what an import wrote before an id, newest first. */
export async function listChangesBefore(
  db: Db,
  importId: number,
  before: number,
  limit: number,
): Promise<ImportChangeRow[]> {
  return db
    .selectFrom('import_changes')
    .selectAll()
    .where('import_id', '=', importId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function updateChange(
  db: Db,
  id: number,
  values: Updateable<Tables['import_changes']>,
): Promise<void> {
  await db.updateTable('import_changes').set(values).where('id', '=', id).execute()
}

export async function removeChanges(db: Db, importId: number, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('import_changes')
      .where('import_id', '=', importId)
      .where(isOneOf(db, 'id', ids))
      .execute()
}

type EntryValues = Pick<EntryRow, 'status' | 'origin'> & Partial<EntryRow>
const openStatuses: EntryRow['status'][] = ['started', 'paused']

/**
 * Updates the columns of an entry that an import writes. Returns false, and changes nothing, if the member has another entry
 * that excludes it: two that are wanted, two that are under way, or two of one origin.
 */
export async function updateImportedEntry(db: Db, id: number, values: EntryValues): Promise<boolean> {
  const { status, origin } = values
  const exclusive: EntryRow['status'][] =
    status === 'want' ? ['want'] : openStatuses.includes(status) ? openStatuses : []
  const { numUpdatedRows } = await db
    .updateTable('diary_entries')
    .set(values)
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('diary_entries as others')
            .select('others.id')
            .whereRef('others.user_id', '=', 'diary_entries.user_id')
            .whereRef('others.id', '<>', 'diary_entries.id')
            .where((of) =>
              of.or([
                ...(exclusive.length > 0
                  ? [
                      of.and([
                        of('others.media_id', '=', of.ref('diary_entries.media_id')),
                        of('others.status', 'in', exclusive),
                      ]),
                    ]
                  : []),
                ...(origin === null ? [] : [of('others.origin', '=', origin)]),
              ]),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The tables with what members have of titles. */
const usingTables = ['reviews', 'diary_entries', 'favorites'] as const

/** Returns the ids of the titles that other members have reviewed, favorited or added to their diaries. */
export async function listTitlesOfOthers(
  db: Db,
  userId: number,
  mediaIds: readonly number[],
): Promise<number[]> {
  if (mediaIds.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where(isOneOf(db, 'media.id', mediaIds))
    .where((eb) =>
      eb.or(
        usingTables.map((table) =>
          eb.exists(
            eb
              .selectFrom(table)
              .select('media_id')
              .whereRef(`${table}.media_id`, '=', 'media.id')
              .where(`${table}.user_id`, '<>', userId),
          ),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes a title that an import created, unless something refers to it. Returns whether it was removed. */
export async function removeCreatedTitle(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('media')
    .where('id', '=', id)
    .where('source', '=', 'import')
    .where((eb) =>
      eb.and(
        usingTables.map((table) =>
          eb.not(
            eb.exists(eb.selectFrom(table).select('media_id').whereRef(`${table}.media_id`, '=', 'media.id')),
          ),
        ),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}
