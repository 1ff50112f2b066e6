import { type Kysely, sql } from 'kysely'

/** Finds the long responses of a member among those that are stored for an `Idempotency-Key`. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createIndex('idempotency_keys_long')
    .on('idempotency_keys')
    .columns(['user_id', 'claimed_at'])
    .where(sql<boolean>`octet_length(body) > 1024`)
    .execute()
}
