import { type Insertable, sql } from 'kysely'
import { insertMany, isOneOf, updateMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { countRows } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import type { ImportLineRow } from '#server/imports/tables.ts'
import type { ImportLineState, RecordLineState } from '#shared/domain/import-states.ts'

type NewLine = Omit<Insertable<Tables['import_lines']>, 'id'>

export async function insertLines(db: Db, rows: readonly NewLine[]): Promise<void> {
  await insertMany(db, 'import_lines', rows)
}

const linesOf = (db: Db, importId: number, state?: ImportLineState | RecordLineState) =>
  db
    .selectFrom('import_lines')
    .where('import_lines.import_id', '=', importId)
    .$if(state !== undefined, (query) => query.where('import_lines.state', '=', state!))

const bytes = sql<number>`coalesce(raw_bytes, 0)`.as('bytes')

export async function listLineSizes(db: Db, importId: number, after: number, limit: number) {
  const later = linesOf(db, importId).select(['id', bytes]).where('id', '>', after)
  return later.orderBy('id').limit(limit).execute()
}

export async function listLineSizesOf(db: Db, titleIds: readonly number[], limit: number) {
  return firstLinesOf(db, titleIds, limit).select(['import_lines.id', bytes]).execute()
}

export async function listPlacesOf(db: Db, titleIds: readonly number[], limit: number) {
  const lines = firstLinesOf(db, titleIds, limit)
  return lines.select(['import_titles.id as title_id', 'import_lines.file', 'import_lines.line']).execute()
}

/** Reads no others: one title can have all lines of a file. */
function firstLinesOf(db: Db, titleIds: readonly number[], limit: number) {
  const last = sql<number>`coalesce((select own.id from import_lines as own where own.title_id = import_titles.id
    order by own.id limit 1 offset ${limit - 1}), ${Number.MAX_SAFE_INTEGER})`
  return db
    .selectFrom('import_titles')
    .innerJoin('import_lines', (join) =>
      join.onRef('import_lines.title_id', '=', 'import_titles.id').on('import_lines.id', '<=', last),
    )
    .where(isOneOf(db, 'import_titles.id', titleIds))
    .orderBy('import_lines.id')
}

export async function listLinesByIds(db: Db, ids: readonly number[]): Promise<ImportLineRow[]> {
  const lines = db.selectFrom('import_lines').selectAll().orderBy('id')
  return lines.where(isOneOf(db, 'id', ids)).execute()
}

type LineUpdate = Pick<ImportLineRow, 'id' | 'title_id' | 'state' | 'note' | 'record'>

export async function updateLines(db: Db, lines: readonly LineUpdate[]): Promise<void> {
  await updateMany(db, 'import_lines', ['title_id', 'state', 'note', 'record'], lines)
}

export async function setRepeated(db: Db, ids: readonly number[]): Promise<void> {
  const lines = db.updateTable('import_lines').set({ state: 'repeated' })
  await lines.where(isOneOf(db, 'id', ids)).execute()
}

export async function updateLine(db: Db, id: number, values: Pick<LineUpdate, 'state' | 'note'>) {
  await db.updateTable('import_lines').set(values).where('id', '=', id).execute()
}

export async function listNewLines(db: Db, importId: number, limit: number): Promise<ImportLineRow[]> {
  return linesOf(db, importId, 'new').selectAll().orderBy('id').limit(limit).execute()
}

export async function leaveLines(db: Db, importId: number): Promise<void> {
  const lines = db.updateTable('import_lines').set({ state: 'left' }).where('import_id', '=', importId)
  await lines.where('state', '=', 'taken').execute()
}

export function selectLines(db: Db, importId: number, state?: ImportLineState) {
  return linesOf(db, importId, state)
    .leftJoin('import_titles', 'import_titles.id', 'import_lines.title_id')
    .select(['import_lines.id', 'import_lines.file', 'import_lines.line', 'import_lines.state'])
    .select(['import_lines.note', 'import_lines.title_id', 'import_titles.name', 'import_titles.media_id'])
    .select('import_titles.state as title_state')
}

export type ShownLineRow = Awaited<ReturnType<ReturnType<typeof selectLines>['executeTakeFirstOrThrow']>>
type Page = { state: ImportLineState | undefined; limit: number; offset: number }

export async function listLines(db: Db, importId: number, { state, limit, offset }: Page) {
  const lines = selectLines(db, importId, state).orderBy('import_lines.id')
  return lines.limit(limit).offset(offset).execute()
}

export async function countLines(db: Db, importId: number, state?: ImportLineState): Promise<number> {
  return countRows(linesOf(db, importId, state))
}

export async function moveLines(db: Db, from: readonly number[], title_id: number): Promise<void> {
  const lines = db.updateTable('import_lines').set({ title_id })
  await lines.where(isOneOf(db, 'title_id', from)).execute()
}

export function selectUnusedLines(db: Db, importId: number) {
  return linesOf(db, importId, 'notKept').select(['id', 'file', 'line', 'raw'])
}
