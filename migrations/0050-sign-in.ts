import type { Kysely } from 'kysely'
import { idType, tableEnd } from '#server/db/dialect.ts'

/** Second factors: the steps of a login that is not complete, when a member last confirmed who they are, and who has a factor. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('sign_in_steps')
    .addColumn('key_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('user_id', idType(db) as never, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('details', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('sign_in_steps_user').on('sign_in_steps').column('user_id').execute()
  await db.schema.createIndex('sign_in_steps_expiry').on('sign_in_steps').column('expires_at').execute()
  await db.schema.alterTable('sessions').addColumn('confirmed_at', 'text').execute()
  await db.schema
    .alterTable('users')
    .addColumn('has_factor', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
