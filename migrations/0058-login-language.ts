import type { Kysely } from 'kysely'

/** Of the browser at the last login; null if it named none that the site has. Emails to members who have chosen no language are in it. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('users').addColumn('login_language', 'text').execute()
}
