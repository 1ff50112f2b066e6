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

/** Stops an import, so that the worker leaves it alone. */
export async function haltImport(db: Db, importId: number): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'stopped', next_at: null })
    .where('id', '=', importId)
    .execute()
}
