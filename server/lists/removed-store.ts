import { insertMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export async function listImportedNames(db: Db, id: number): Promise<string[]> {
  const rows = await db.selectFrom('import_lists').select('name').where('list_id', '=', id).execute()
  return rows.map(({ name }) => name)
}

export async function insertRemoved(trx: Db, rows: readonly Tables['removed_lists'][]): Promise<void> {
  await insertMany(trx, 'removed_lists', rows)
}

/** Returns the hashes of the names of removed lists that the member has deleted, and the names of those that are there. */
export async function listRemoved(db: Db, userId: number): Promise<{ hashes: string[]; names: string[] }> {
  const deleted = db.selectFrom('removed_lists').select('name_hash').where('user_id', '=', userId)
  const present = db.selectFrom('lists').select('title').where('user_id', '=', userId)
  return {
    hashes: (await deleted.execute()).map(({ name_hash }) => name_hash),
    names: (await present.where('removed_at', 'is not', null).execute()).map(({ title }) => title),
  }
}
