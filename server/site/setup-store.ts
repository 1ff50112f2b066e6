import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'

const setupMs = dayMs

export async function insertSetupCode(db: Db, codeHash: string, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + setupMs)
  await db
    .insertInto('setup_codes')
    .values({ code_hash: codeHash, expires_at: expiresAt.toISOString() })
    .execute()
}

/** Then no other code works. Returns false if it is unknown or expired. */
export async function takeSetupCode(trx: Db, codeHash: string, now: Date): Promise<boolean> {
  const row = await trx
    .deleteFrom('setup_codes')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now.toISOString())
    .returning('code_hash')
    .executeTakeFirst()
  if (row) await trx.deleteFrom('setup_codes').execute()
  return row !== undefined
}

/** No member, no admin, and no code was ever created. */
export async function isEmptySite(db: Db): Promise<boolean> {
  const rows = await Promise.all([
    db.selectFrom('users').select('id').limit(1).executeTakeFirst(),
    db.selectFrom('setup_codes').select('code_hash').limit(1).executeTakeFirst(),
  ])
  return rows.every((row) => row === undefined)
}
