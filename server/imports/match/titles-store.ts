import { sql } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { insertMany, isOneOf, updateMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { countRows } from '#server/db/rows.ts'
import type { ImportTitleRow } from '#server/imports/tables.ts'
import type { ImportTitleState } from '#shared/domain/import-states.ts'

export type TitleFilter = {
  state?: ImportTitleState | undefined
  kinds?: readonly Kind[]
  isDecided?: boolean | undefined
  isTextWithoutRating?: boolean | undefined
  hasUnknownEpisodes?: boolean | undefined
}

function titlesOf(db: Db, importId: number, filter: TitleFilter = {}) {
  const { state, kinds, isDecided, isTextWithoutRating: isWithout, hasUnknownEpisodes } = filter
  return db
    .selectFrom('import_titles')
    .where('import_id', '=', importId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds!))
    .$if(isDecided !== undefined, (query) => query.where('decision', isDecided ? 'is not' : 'is', null))
    .$if(isWithout !== undefined, (query) => query.where('is_text_without_rating', '=', Number(isWithout)))
    .$if(hasUnknownEpisodes !== undefined, (query) =>
      query.where(
        sql<boolean>`(coalesce(change, '') like '%"unknown":{%') = (1 = ${Number(hasUnknownEpisodes)})`,
      ),
    )
}

type NewTitle = Pick<ImportTitleRow, 'title_key' | 'kind' | 'name' | 'search_text' | 'record'>

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
    .map((title) => ({ import_id: importId, ...title, search_text: '', record: '', state: 'pending' }))
  await insertMany(db, 'import_titles', created)
  return { ids: created.length > 0 ? await find() : known, created }
}

type Page = TitleFilter & { after?: number; offset?: number; limit: number }

export async function listTitles(
  db: Db,
  importId: number,
  { after = 0, offset = 0, limit, ...filter }: Page,
): Promise<ImportTitleRow[]> {
  const titles = titlesOf(db, importId, filter).selectAll().where('id', '>', after)
  return titles.orderBy('id').limit(limit).offset(offset).execute()
}

export async function listTitlesByIds(db: Db, ids: readonly number[]): Promise<ImportTitleRow[]> {
  const titles = db.selectFrom('import_titles').selectAll().orderBy('id')
  return titles.where(isOneOf(db, 'id', ids)).execute()
}

export async function countTitles(db: Db, importId: number, filter: TitleFilter): Promise<number> {
  return countRows(titlesOf(db, importId, filter))
}

export function selectSearchTexts(db: Db, importId: number, filter: TitleFilter) {
  return titlesOf(db, importId, filter).select(['id', 'search_text'])
}

export async function findImportTitle(db: Db, importId: number, id: number) {
  return titlesOf(db, importId).selectAll().where('id', '=', id).executeTakeFirst()
}

const changing = [
  ...(['kind', 'name', 'search_text', 'record', 'state', 'matched', 'change', 'media_id'] as const),
  ...(['candidates', 'decision', 'applied_at', 'is_text_without_rating'] as const),
]

export async function updateTitles(db: Db, titles: readonly ImportTitleRow[]): Promise<void> {
  await updateMany(db, 'import_titles', changing, titles)
}

export async function removeTitles(db: Db, ids: readonly number[]): Promise<void> {
  const titles = db.deleteFrom('import_titles')
  await titles.where(isOneOf(db, 'id', ids)).execute()
}

export async function listSameTitles(db: Db, importId: number, limit: number): Promise<number[][]> {
  const rows = await titlesOf(db, importId)
    .select(sql<string>`string_agg(cast(id as text), ' ' order by id)`.as('ids'))
    .where('media_id', 'is not', null)
    .groupBy('media_id')
    .having(({ fn }) => fn.countAll<number>(), '>', 1)
    .limit(limit)
    .execute()
  return rows.map(({ ids }) => ids.split(' ').map(Number))
}
