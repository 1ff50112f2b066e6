import type { Kysely } from 'kysely'
import { idType, tableEnd } from '#server/db/dialect.ts'

/** Requests with an `Idempotency-Key`, and their responses. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('user_id', idType(db) as never, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('key_hash', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('attempt', 'text', (c) => c.notNull())
    .addColumn('claimed_at', 'text', (c) => c.notNull())
    .addColumn('is_applied', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('status', 'integer')
    .addColumn('body', 'text')
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['user_id', 'key_hash'])
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createIndex('idempotency_keys_member')
    .on('idempotency_keys')
    .columns(['user_id', 'claimed_at'])
    .execute()
  await db.schema.createIndex('idempotency_keys_age').on('idempotency_keys').column('claimed_at').execute()
}
