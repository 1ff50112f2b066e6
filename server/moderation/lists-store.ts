import { listsMax } from '#shared/domain/limits.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'

const columns = ['id', 'user_id', 'created_at', 'removed_at'] as const

export async function lockList(trx: Db, id: number) {
  return trx
    .selectFrom('lists')
    .select(columns)
    .where('id', '=', id)
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

/** Returns all lists of a member. */
export async function listListsBy(db: Db, userId: number) {
  return db.selectFrom('lists').select(columns).where('user_id', '=', userId).limit(listsMax).execute()
}

export async function setRemoved(trx: Db, id: number, at: Date | null): Promise<void> {
  await trx
    .updateTable('lists')
    .set({ removed_at: at?.toISOString() ?? null })
    .where('id', '=', id)
    .execute()
}
