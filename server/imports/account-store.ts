import type { Db } from '#server/db/open.ts'

/** Returns the id of a member's oldest import. */
export async function findImportOf(db: Db, userId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Selects a member's imports for an export. */
export function selectExportedImports(db: Db, userId: number) {
  return db
    .selectFrom('imports')
    .select(['id', 'service', 'file_name', 'created_at', 'applied_at'])
    .where('user_id', '=', userId)
}

/** Selects the lines of an import that Medley has no place for. */
export function selectUnusedLines(db: Db, importId: number) {
  return db
    .selectFrom('import_lines')
    .select(['id', 'file', 'line', 'raw'])
    .where('import_id', '=', importId)
    .where('state', '=', 'notKept')
}
