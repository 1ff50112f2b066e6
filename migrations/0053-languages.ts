import type { Kysely } from 'kysely'

/** Both are choices of a member: the language of the app, null for none, and which names of titles are shown. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('users').addColumn('language', 'text').execute()
  await db.schema
    .alterTable('users')
    .addColumn('title_names', 'text', (c) => c.notNull().defaultTo('local'))
    .execute()
}
