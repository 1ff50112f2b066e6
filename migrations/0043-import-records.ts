import type { Kysely } from 'kysely'

/** Lines of imports are stored as what they mean, beside their columns; those that are stored already are interpreted when they are needed. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('import_lines').addColumn('record', 'text').execute()
}
