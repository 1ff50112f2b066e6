import { caseless } from '#server/db/fold.ts'
import type { Db } from '#server/db/open.ts'
import { hasRow } from '#server/db/rows.ts'
import { meColumns } from '#server/members/tables.ts'

/** Read in order to check the secret. */
export type Credential = { id: number; secret: string }

const kind = 'password'

/** One query for every email, so that its time reveals nothing. */
export async function findByEmail(db: Db, email: string) {
  const row = await db
    .selectFrom('users')
    .leftJoin('credentials', (join) =>
      join.onRef('credentials.user_id', '=', 'users.id').on('credentials.kind', '=', kind),
    )
    .select(meColumns.map((column) => `users.${column}` as const))
    .select([
      'users.verified_at',
      'users.pending_since',
      'credentials.id as passwordId',
      'credentials.secret',
    ])
    .where('users.email_folded', '=', caseless(email))
    .executeTakeFirst()
  if (!row) return undefined
  const { passwordId, secret, ...user } = row
  return { ...user, password: toCredential(passwordId, secret) }
}

export async function findPassword(db: Db, userId: number): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('credentials')
    .select(['id', 'secret'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row && toCredential(row.id, row.secret)
}

function toCredential(id: number | null, secret: string | null): Credential | undefined {
  return id === null || secret === null ? undefined : { id, secret }
}

export async function hasPassword(db: Db, userId: number): Promise<boolean> {
  return hasRow(db, 'credentials', { user_id: userId, kind })
}

export function withPassword(db: Db) {
  return db.selectFrom('credentials').select('user_id').where('kind', '=', kind)
}

/** The member may have no password. The account must be locked. */
export async function setPassword(trx: Db, userId: number, passwordHash: string, now: Date): Promise<void> {
  const values = { secret: passwordHash, created_at: now.toISOString(), last_used_at: null }
  await trx
    .insertInto('credentials')
    .values({ user_id: userId, kind, ...values })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).where('identifier', 'is', null).doUpdateSet(values),
    )
    .execute()
}

/**
 * Returns false, and changes nothing, if the credential has changed since it was read. The account must be locked: every change of a
 * credential locks the account first.
 */
export async function recordUse(trx: Db, { id, secret }: Credential, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('credentials')
    .set({ last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where('secret', '=', secret)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The account must be locked. */
export async function removeCredentials(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('credentials').where('user_id', '=', userId).execute()
}
