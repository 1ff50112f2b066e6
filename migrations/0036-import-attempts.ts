import type { Kysely } from 'kysely'

/** The task of an import counts its attempts. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('imports').dropColumn('attempts').execute()
}
