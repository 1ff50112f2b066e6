import type { Db } from '#server/db/open.ts'
import type { ImportLineRow, ImportRow } from '#server/db/tables.ts'

export type ExportedImportRow = Pick<ImportRow, 'id' | 'service' | 'file_name' | 'created_at' | 'applied_at'>

export async function listImports(
  db: Db,
  userId: number,
  after: { id: number } | undefined,
  limit: number,
): Promise<ExportedImportRow[]> {
  return db
    .selectFrom('imports')
    .select(['id', 'service', 'file_name', 'created_at', 'applied_at'])
    .where('user_id', '=', userId)
    .where('id', '>', after?.id ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type UnusedLineRow = Pick<ImportLineRow, 'id' | 'file' | 'line' | 'raw'>

/** Lists the lines of an import that Medley has no place for. */
export async function listUnusedLines(
  db: Db,
  importId: number,
  after: { id: number } | undefined,
  limit: number,
): Promise<UnusedLineRow[]> {
  return db
    .selectFrom('import_lines')
    .select(['id', 'file', 'line', 'raw'])
    .where('import_id', '=', importId)
    .where('state', '=', 'notKept')
    .where('id', '>', after?.id ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute()
}
