import { sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { removeSome } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'

/** Undefined if the deletion is not due, for example because the member has cancelled it. */
export async function lockDueAccount(trx: Db, id: number, now: Date) {
  return trx
    .selectFrom('users')
    .select(['email', 'pending_email'])
    .where('id', '=', id)
    .where('deletion_at', '<=', now.toISOString())
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

/** Frees the username and the email. Nobody can take what replaces them, because it is not valid. */
export async function anonymize(trx: Db, id: number, now: Date): Promise<void> {
  const replacement = `[deleted ${id}]`
  await trx
    .updateTable('users')
    .set({
      username: replacement,
      username_folded: replacement,
      username_key: null,
      search_text: '',
      email: replacement,
      email_folded: replacement,
      pending_email: null,
      closed_at: now.toISOString(),
      verified_at: null,
      role: 'member',
      own_role: null,
      pending_since: null,
      signup_reason: null,
    })
    .where('id', '=', id)
    .execute()
}

export async function removeOwned(
  db: Db,
  { table, owner = 'user_id' }: { table: keyof Tables; owner?: string },
  userId: number,
  limit: number,
): Promise<number> {
  return removeSome(db, table, sql`${sql.ref(owner)} = ${userId}`, { limit })
}

/** The account must be locked. Returns false, and removes nothing, if rows of these tables still belong to it. */
export async function removeEmptyAccount(
  trx: Db,
  id: number,
  tables: readonly { table: string; owner?: string }[],
): Promise<boolean> {
  const rows = tables.map(
    ({ table, owner = 'user_id' }) =>
      sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(owner)} = ${id})`,
  )
  const { numDeletedRows } = await trx
    .deleteFrom('users')
    .where('id', '=', id)
    .where(sql<boolean>`not (${sql.join(rows, sql` or `)})`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
