import type { Db } from '#server/db/open.ts'

export async function isRemovalInForce(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('decisions')
    .select('id')
    .where('target_type', '=', 'title')
    .where('target_id', '=', id)
    .where('action', '=', 'remove')
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function setRemoved(trx: Db, id: number, at: Date | null): Promise<void> {
  await trx
    .updateTable('media')
    .set({ removed_at: at?.toISOString() ?? null })
    .where('id', '=', id)
    .execute()
}
