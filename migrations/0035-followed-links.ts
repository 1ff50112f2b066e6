import type { Kysely } from 'kysely'

/** The key of the link with which a member follows a list that is shared by its link. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('list_follows').addColumn('link_key', 'text').execute()
}
