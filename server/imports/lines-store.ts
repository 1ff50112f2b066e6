import { type Insertable, sql } from 'kysely'
import type { ImportLineState } from '#shared/imports.ts'
import { insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { ImportLineRow, Tables } from '#server/db/tables.ts'

export async function insertLines(
  db: Db,
  rows: readonly Omit<Insertable<Tables['import_lines']>, 'id'>[],
): Promise<void> {
  await insertMany(db, 'import_lines', rows)
}

const linesOf = (db: Db, importId: number) =>
  db.selectFrom('import_lines').where('import_lines.import_id', '=', importId)

const bytes = sql<number>`coalesce(raw_bytes, octet_length(raw))`.as('bytes')

type Sizes = Promise<{ id: number; bytes: number }[]>

/** Lists the ids and sizes, as they are read, of lines after an id, in the order of the file. */
export async function listLineSizes(db: Db, importId: number, after: number, limit: number): Sizes {
  const later = linesOf(db, importId).select(['id', bytes]).where('id', '>', after)
  return later.orderBy('id').limit(limit).execute()
}

/** Lists the ids and sizes, as they are read, of the first lines of each title, in the order of the file. */
export async function listLineSizesOf(db: Db, titleIds: readonly number[], limit: number): Sizes {
  if (titleIds.length === 0) return []
  return firstLinesOf(db, titleIds, limit).select(['import_lines.id', bytes]).execute()
}

/** Selects the first lines of each title, in the order of the file. Reads no others: one title can have all lines of a file. */
function firstLinesOf(db: Db, titleIds: readonly number[], limit: number) {
  return db
    .selectFrom('import_titles')
    .innerJoin('import_lines', (join) =>
      join.onRef('import_lines.title_id', '=', 'import_titles.id').on('import_lines.id', '<=', (eb) =>
        eb.fn.coalesce(
          eb
            .selectFrom('import_lines as own')
            .select('own.id')
            .whereRef('own.title_id', '=', 'import_titles.id')
            .orderBy('own.id')
            .limit(1)
            .offset(limit - 1),
          eb.val(Number.MAX_SAFE_INTEGER),
        ),
      ),
    )
    .where(isOneOf(db, 'import_titles.id', titleIds))
    .orderBy('import_lines.id')
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
  return firstLinesOf(db, titleIds, limit)
    .select(['import_titles.id as title_id', 'import_lines.file', 'import_lines.line'])
    .execute()
}

/** Lists the lines of members to follow, from the first on. */
export async function listNewFollowLines(db: Db, importId: number, limit: number): Promise<ImportLineRow[]> {
  const lines = linesOf(db, importId).selectAll().where('state', '=', 'new')
  return lines.orderBy('id').limit(limit).execute()
}

/** Lists lines after an id with the state and the name of their title. */
export async function listLines(
  db: Db,
  importId: number,
  page: { state?: ImportLineState | undefined; after?: number; limit: number; offset?: number },
) {
  const { state, after = 0, limit, offset = 0 } = page
  return linesOf(db, importId)
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
    .where('import_lines.id', '>', after)
    .$if(state !== undefined, (query) => query.where('import_lines.state', '=', state!))
    .orderBy('import_lines.id')
    .limit(limit)
    .$if(offset > 0, (query) => query.offset(offset))
    .execute()
}

export type ShownLineRow = Awaited<ReturnType<typeof listLines>>[number]

export async function countLines(db: Db, importId: number, state?: ImportLineState): Promise<number> {
  const { count } = await linesOf(db, importId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .executeTakeFirstOrThrow()
  return count
}

/** Moves the lines of titles to another title. */
export async function moveLines(db: Db, from: readonly number[], title_id: number): Promise<void> {
  await db
    .updateTable('import_lines')
    .set({ title_id })
    .where(isOneOf(db, 'title_id', from))
    .execute()
}
