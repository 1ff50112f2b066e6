import { type DatabaseConnection, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { removeRows } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'

/** `attempt` is unique, so that a request can tell whether it has lost its claim. */
export type ClaimedKey = { userId: number; keyHash: string; attempt: string }
export type KeyRow = Selectable<Tables['idempotency_keys']>

/**
 * An existing key can be claimed if it is older than `expiredBefore`, or was claimed by the same request before `abandonedBefore` without a
 * change: its process has crashed.
 */
export async function claimKey(
  db: Db,
  { userId, keyHash, attempt }: ClaimedKey,
  requestHash: string,
  { now, abandonedBefore, expiredBefore }: Record<'now' | 'abandonedBefore' | 'expiredBefore', Date>,
): Promise<boolean> {
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({
      user_id: userId,
      key_hash: keyHash,
      request_hash: requestHash,
      attempt,
      claimed_at: now.toISOString(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key_hash'])
        .doUpdateSet((eb) => ({
          request_hash: eb.ref('excluded.request_hash'),
          attempt: eb.ref('excluded.attempt'),
          claimed_at: eb.ref('excluded.claimed_at'),
          is_applied: 0,
          status: null,
          body: null,
        }))
        .where((eb) =>
          eb.or([
            eb('idempotency_keys.claimed_at', '<', expiredBefore.toISOString()),
            eb.and([
              eb('idempotency_keys.claimed_at', '<', abandonedBefore.toISOString()),
              eb('idempotency_keys.is_applied', '=', 0),
              eb('idempotency_keys.status', 'is', null),
              eb('idempotency_keys.request_hash', '=', eb.ref('excluded.request_hash')),
            ]),
          ]),
        ),
    )
    .returning('attempt')
    .executeTakeFirst()
  return claimed !== undefined
}

export async function findKey(db: Db, { userId, keyHash }: Pick<ClaimedKey, 'userId' | 'keyHash'>) {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
}

/** On the connection of the transaction of the change. Returns false if the claim is lost. */
export async function markApplied(db: Db, connection: DatabaseConnection, key: ClaimedKey): Promise<boolean> {
  const query = db
    .updateTable('idempotency_keys')
    .set({ is_applied: 1 })
    .where('user_id', '=', key.userId)
    .where('key_hash', '=', key.keyHash)
    .where('attempt', '=', key.attempt)
  const { numAffectedRows = 0n } = await connection.executeQuery(query.compile())
  return numAffectedRows > 0n
}

export async function storeResponse(
  db: Db,
  key: ClaimedKey,
  { status, body }: { status: number; body: string | null },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status, body })
    .where('user_id', '=', key.userId)
    .where('key_hash', '=', key.keyHash)
    .where('attempt', '=', key.attempt)
    .execute()
}

export const longBytes = 1_024
const isLong = sql<boolean>`octet_length(body) > ${sql.lit(longBytes)}`

/** Drops the oldest long responses beyond `max`. Keeps their keys, so that retries do not run again. */
export async function dropLongResponses(db: Db, userId: number, max: number): Promise<void> {
  const surplusAt = await findSurplusTime(db, userId, max, isLong)
  if (surplusAt === undefined) return
  await db
    .updateTable('idempotency_keys')
    .set({ body: null })
    .where('user_id', '=', userId)
    .where(isLong)
    .where('claimed_at', '<=', surplusAt)
    .execute()
}

/** When the newest key beyond the `max` newest was claimed. */
async function findSurplusTime(
  db: Db,
  userId: number,
  max: number,
  condition?: RawBuilder<boolean>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('claimed_at')
    .where('user_id', '=', userId)
    .$if(condition !== undefined, (query) => query.where(condition!))
    .orderBy('claimed_at', 'desc')
    .limit(1)
    .offset(max)
    .executeTakeFirst()
  return row?.claimed_at
}

/** So that a retry runs. A request that has changed something keeps its claim. */
export async function releaseKey(db: Db, { userId, keyHash, attempt }: ClaimedKey): Promise<void> {
  const key = { user_id: userId, key_hash: keyHash, attempt, is_applied: 0 }
  await removeRows(db, 'idempotency_keys', key)
}

export async function removeSurplusKeys(db: Db, userId: number, max: number): Promise<void> {
  const surplusAt = await findSurplusTime(db, userId, max)
  if (surplusAt === undefined) return
  await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', userId)
    .where('claimed_at', '<=', surplusAt)
    .execute()
}

export async function removeKeysBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where((eb) =>
      eb(
        eb.refTuple('user_id', 'key_hash'),
        'in',
        eb
          .selectFrom('idempotency_keys')
          .select(['user_id', 'key_hash'])
          .where('claimed_at', '<', before.toISOString())
          .limit(limit)
          .$asTuple('user_id', 'key_hash'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
