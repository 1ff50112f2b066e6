import type { Role } from '#shared/roles.ts'
import { isSqlite, lockKeys } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'

/** Locks an account, so that its state does not change until the transaction ends. */
export async function lockMember(trx: Db, id: number) {
  return trx
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'verified_at', 'pending_since', 'deletion_at', 'is_demo'])
    .where('id', '=', id)
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

export async function setRole(trx: Db, id: number, role: Role): Promise<void> {
  await trx.updateTable('users').set({ role }).where('id', '=', id).execute()
}

/**
 * Returns whether a member is the only admin who can log in and stays. Concurrent calls wait for each other until their transactions
 * end, so that two admins cannot demote each other.
 */
export async function isLastAdmin(trx: Db, id: number): Promise<boolean> {
  await lockKeys(trx, ['admins'])
  const admins = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('verified_at', 'is not', null)
    .where('deletion_at', 'is', null)
    .limit(2)
    .execute()
  return admins.length === 1 && admins[0]!.id === id
}
