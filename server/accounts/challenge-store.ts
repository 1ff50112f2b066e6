import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { insertNew, removeInParts } from '#server/db/rows.ts'

/** The first call of all processes decides which random value is the secret. */
export async function findSecret(db: Db, name: string, random: string): Promise<string> {
  const secret = db.selectFrom('secrets').select('value').where('name', '=', name)
  const known = await secret.executeTakeFirst()
  if (known) return known.value
  await insertNew(db, 'secrets', { name, value: random })
  return (await secret.executeTakeFirstOrThrow()).value
}

/** Returns false if the solution was used before; exact under concurrency. */
export async function insertUsedChallenge(trx: Db, signature: string, expiresAt: Date): Promise<boolean> {
  return insertNew(trx, 'used_challenges', { signature, expires_at: expiresAt.toISOString() })
}

export async function removeExpiredChallenges(db: Db, now: Date): Promise<void> {
  await removeInParts(db, 'used_challenges', sql`expires_at < ${now.toISOString()}`)
}
