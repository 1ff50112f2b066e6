import type { Kysely } from 'kysely'

/** The hash of the login key of a sign-up, until it has been used. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('users').addColumn('login_key_hash', 'text').execute()
}
