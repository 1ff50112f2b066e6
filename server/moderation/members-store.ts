import { isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import type { UserRow } from '#server/members/tables.ts'

export type SubjectRow = Pick<UserRow, 'id' | 'username' | 'email' | 'role' | 'standing' | 'verified_at'>

/** In the order of their ids, until the transaction ends. */
export async function lockMembers(trx: Db, ids: readonly number[]): Promise<Map<number, SubjectRow>> {
  const rows = await trx
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'standing', 'verified_at'])
    .where(isOneOf(trx, 'users.id', ids))
    .orderBy('id')
    .$if(!isSqlite(trx), (query) => query.forNoKeyUpdate())
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function findSubject(db: Db, userId: number) {
  return db.selectFrom('users').select(['id', 'role', 'standing']).where('id', '=', userId).executeTakeFirst()
}

export async function setStanding(trx: Db, userId: number, standing: UserRow['standing']): Promise<void> {
  await trx.updateTable('users').set({ standing }).where('id', '=', userId).execute()
}

export async function enableWebhooks(trx: Db, userId: number): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ disabled_at: null })
    .where('user_id', '=', userId)
    .where('disabled_at', 'in', (eb) =>
      eb
        .selectFrom('decisions')
        .select('created_at')
        .where('user_id', '=', userId)
        .where('action', 'in', ['suspend', 'removeAll']),
    )
    .execute()
}

export async function moveImports(trx: Db, userId: number, dueAt: Date): Promise<void> {
  await trx
    .updateTable('tasks')
    .set({ due_at: dueAt.toISOString(), claim: null })
    .where('queue', '=', 'imports')
    .where('owner', '=', String(userId))
    .where('due_at', 'is not', null)
    .execute()
}
