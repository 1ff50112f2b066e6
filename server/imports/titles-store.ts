import { sql } from 'kysely'
import type { ImportTitleState } from '#shared/imports.ts'
import type { Kind } from '#shared/media.ts'
import { contains, insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportTitleRow } from '#server/db/tables.ts'

/** Returns the ids of the titles with these keys; creates those that the import does not have yet, and returns those rows too. */
export async function ensureTitles(
  db: Db,
  importId: number,
  titles: readonly { title_key: string; kind: Kind; name: string }[],
): Promise<{
  ids: Map<string, number>
  created: Pick<ImportTitleRow, 'title_key' | 'kind' | 'name' | 'search_text' | 'plan'>[]
}> {
  if (titles.length === 0) return { ids: new Map(), created: [] }
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
  if (missing.length === 0) return { ids: known, created: [] }
  const created = missing.map((title) => ({
    import_id: importId,
    ...title,
    search_text: '',
    plan: '',
    state: 'pending',
  }))
  await insertMany(db, 'import_titles', created)
  return { ids: new Map((await find()).map((row) => [row.title_key, row.id])), created }
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

export async function listImportTitles(db: Db, ids: readonly number[]): Promise<ImportTitleRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('import_titles')
    .selectAll()
    .where(isOneOf(db, 'id', ids))
    .orderBy('id')
    .execute()
}

export type ShownTitles = {
  state?: ImportTitleState | undefined
  isDecided?: boolean | undefined
  isTextWithoutRating?: boolean | undefined
}

function matchesTitle(db: Db, importId: number, { state, isDecided, isTextWithoutRating }: ShownTitles) {
  return db
    .selectFrom('import_titles')
    .where('import_id', '=', importId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(isDecided !== undefined, (query) => query.where('decision', isDecided ? 'is not' : 'is', null))
    .$if(isTextWithoutRating !== undefined, (query) =>
      query.where('is_text_without_rating', '=', Number(isTextWithoutRating)),
    )
}

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

/** Returns the id of the title `distance` titles after an id; undefined if there are not as many. */
export async function findIdAfter(
  db: Db,
  importId: number,
  after: number,
  distance: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('import_titles')
    .select('id')
    .where('import_id', '=', importId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .offset(distance - 1)
    .executeTakeFirst()
  return row?.id
}

/** Lists the ids of the titles after one id, up to another, whose name or authors contain all words (see `foldWords`). */
export async function listMatchingIds(
  db: Db,
  importId: number,
  {
    words,
    after,
    upTo = Number.MAX_SAFE_INTEGER,
    ...filter
  }: ShownTitles & { words: readonly string[]; after: number; upTo?: number | undefined },
): Promise<number[]> {
  const rows = await matchesTitle(db, importId, filter)
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where((eb) => eb.and(words.map((word) => contains(db, 'search_text', word))))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
