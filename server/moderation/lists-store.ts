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

export async function listListsBy(db: Db, userId: number) {
  return db.selectFrom('lists').select(columns).where('user_id', '=', userId).limit(listsMax).execute()
}

export async function findDeletedList(db: Db, id: number) {
  return db
    .selectFrom('removed_lists')
    .select(['list_id as id', 'user_id', 'created_at'])
    .where('list_id', '=', id)
    .limit(1)
    .executeTakeFirst()
}

export async function listDeletedBy(db: Db, userId: number) {
  return db
    .selectFrom('removed_lists')
    .select(['list_id as id', 'created_at'])
    .distinct()
    .where('user_id', '=', userId)
    .execute()
}

export async function forgetDeletedList(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('removed_lists').where('list_id', '=', id).execute()
}

export async function setRemoved(trx: Db, id: number, at: Date | null): Promise<void> {
  await trx
    .updateTable('lists')
    .set({ removed_at: at?.toISOString() ?? null })
    .where('id', '=', id)
    .execute()
}
