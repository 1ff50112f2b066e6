import type { Db } from '#server/db/open.ts'

/** Returns the random key with a name. The first call of all processes determines it. */
export async function findSecret(db: Db, name: string, random: string): Promise<string> {
  const secret = db.selectFrom('secrets').select('value').where('name', '=', name)
  const known = await secret.executeTakeFirst()
  if (known) return known.value
  await db
    .insertInto('secrets')
    .values({ name, value: random })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await secret.executeTakeFirstOrThrow()).value
}

/** Records that a solution was used. Returns false if it was used before; exact under concurrency. */
export async function insertUsedChallenge(trx: Db, signature: string, expiresAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('used_challenges')
    .values({ signature, expires_at: expiresAt.toISOString() })
    .onConflict((conflict) => conflict.column('signature').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function removeExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<', now.toISOString()).execute()
}
