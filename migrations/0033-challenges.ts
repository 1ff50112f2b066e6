import type { Kysely } from 'kysely'
import { tableEnd } from '#server/db/dialect.ts'

/** Challenges of the sign-up, and the last calls of each source. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('used_challenges')
    .addColumn('signature', 'text', (c) => c.primaryKey().notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('used_challenges_expiry').on('used_challenges').column('expires_at').execute()

  await db.schema
    .createTable('source_calls')
    .addColumn('source', 'text', (c) => c.primaryKey().notNull())
    .addColumn('succeeded_at', 'text')
    .addColumn('failed_at', 'text')
    .addColumn('error', 'text')
    .modifyEnd(tableEnd(db))
    .execute()
}
