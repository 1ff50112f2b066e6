import { sql } from 'kysely'
import type { ImportTitleState } from '#shared/imports.ts'
import type { Kind } from '#shared/media.ts'
import { contains, insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportTitleRow } from '#server/db/tables.ts'

const titlesOf = (db: Db, importId: number) =>
  db.selectFrom('import_titles').where('import_id', '=', importId)

type NewTitle = Pick<ImportTitleRow, 'title_key' | 'kind' | 'name' | 'search_text' | 'plan'>

/** Returns the ids of the titles with these keys; creates those that the import does not have yet, and returns those rows too. */
export async function ensureTitles(
  db: Db,
  importId: number,
  titles: readonly Pick<NewTitle, 'title_key' | 'kind' | 'name'>[],
): Promise<{ ids: Map<string, number>; created: NewTitle[] }> {
  if (titles.length === 0) return { ids: new Map(), created: [] }
  const keys = titles.map(({ title_key }) => title_key)
  const find = async () => {
    const rows = titlesOf(db, importId).select(['id', 'title_key']).where('title_key', 'in', keys)
    return new Map((await rows.execute()).map((row) => [row.title_key, row.id]))
  }
  const known = await find()
  const created = titles
    .filter(({ title_key }) => !known.has(title_key))
    .map((title) => ({ import_id: importId, ...title, search_text: '', plan: '', state: 'pending' }))
  if (created.length === 0) return { ids: known, created }
  await insertMany(db, 'import_titles', created)
  return { ids: await find(), created }
}

type TitleFilter = { after: number; limit: number; state?: ImportTitleState; kinds?: readonly Kind[] }

/** Lists titles of an import after an id. */
export async function listTitlesAfter(
  db: Db,
  importId: number,
  { after, limit, state, kinds }: TitleFilter,
): Promise<ImportTitleRow[]> {
  return titlesOf(db, importId)
    .selectAll()
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
  return titlesOf(db, importId).selectAll().where('id', '=', id).executeTakeFirst()
}

/** The columns of a title that change after its creation. */
const changing = [
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

/** Writes all columns of titles that change after their creation. */
export async function updateTitles(
  db: Db,
  titles: readonly Pick<ImportTitleRow, 'id' | (typeof changing)[number]>[],
): Promise<void> {
  if (titles.length === 0) return
  const json = JSON.stringify(titles, ['id', ...changing])
  const set = (value: (column: string) => unknown) =>
    sql.join(changing.map((column) => sql`${sql.ref(column)} = ${value(column)}`))
  await (
    isSqlite(db)
      ? sql`update import_titles set ${set((column) => sql`title.value ->> ${sql.lit(column)}`)}
          from json_each(${json}) as title where import_titles.id = title.value ->> 'id'`
      : sql`update import_titles set ${set((column) => sql.ref(`title.${column}`))}
          from json_populate_recordset(null::import_titles, ${json}::json) as title where import_titles.id = title.id`
  ).execute(db)
}

export async function removeTitles(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('import_titles')
    .where(isOneOf(db, 'id', ids))
    .execute()
}

/** Lists titles of an import that were recognized as the same title: at most `limit` lists of ids, each in ascending order. */
export async function listSameTitles(db: Db, importId: number, limit: number): Promise<number[][]> {
  const rows = await titlesOf(db, importId)
    .select(sql<string>`string_agg(cast(id as text), ' ')`.as('ids'))
    .where('media_id', 'is not', null)
    .groupBy('media_id')
    .having(({ fn }) => fn.countAll<number>(), '>', 1)
    .limit(limit)
    .execute()
  return rows.map(({ ids }) =>
    ids
      .split(' ')
      .map(Number)
      .sort((a, b) => a - b),
  )
}

export async function listImportTitles(db: Db, ids: readonly number[]): Promise<ImportTitleRow[]> {
  if (ids.length === 0) return []
  const rows = db
    .selectFrom('import_titles')
    .selectAll()
    .where(isOneOf(db, 'id', ids))
  return rows.orderBy('id').execute()
}

export type ShownTitles = {
  state?: ImportTitleState | undefined
  isDecided?: boolean | undefined
  isTextWithoutRating?: boolean | undefined
}

function shownTitlesOf(db: Db, importId: number, { state, isDecided, isTextWithoutRating }: ShownTitles) {
  return titlesOf(db, importId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(isDecided !== undefined, (query) => query.where('decision', isDecided ? 'is not' : 'is', null))
    .$if(isTextWithoutRating !== undefined, (query) =>
      query.where('is_text_without_rating', '=', Number(isTextWithoutRating)),
    )
}

export async function listTitlesPage(
  db: Db,
  importId: number,
  { limit, offset, ...filter }: ShownTitles & { limit: number; offset: number },
): Promise<ImportTitleRow[]> {
  const shown = shownTitlesOf(db, importId, filter).selectAll()
  return shown.orderBy('id').limit(limit).offset(offset).execute()
}

export async function countTitles(db: Db, importId: number, filter: ShownTitles): Promise<number> {
  const shown = shownTitlesOf(db, importId, filter)
  return (await shown.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
}

/** Returns the id of the title `distance` titles after an id; undefined if there are not as many. */
export async function findIdAfter(
  db: Db,
  importId: number,
  after: number,
  distance: number,
): Promise<number | undefined> {
  const later = titlesOf(db, importId).select('id').where('id', '>', after).orderBy('id')
  return (
    await later
      .limit(1)
      .offset(distance - 1)
      .executeTakeFirst()
  )?.id
}

/** Lists the ids of the titles after one id, up to another, whose name or authors contain all words (see `foldWords`). */
export async function listMatchingIds(
  db: Db,
  importId: number,
  filter: ShownTitles,
  words: readonly string[],
  { after, upTo = Number.MAX_SAFE_INTEGER }: { after: number; upTo?: number | undefined },
): Promise<number[]> {
  const rows = await shownTitlesOf(db, importId, filter)
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where((eb) => eb.and(words.map((word) => contains(db, 'search_text', word))))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
