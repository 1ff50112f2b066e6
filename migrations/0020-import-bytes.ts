import type { Kysely } from 'kysely'
import { idType, tableEnd } from '#server/db/dialect.ts'

/** What imports take in the database: each import, the imports of a member, and what they added in the last 24 hours. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const bytes = idType(db) as never
  await db.schema
    .alterTable('imports')
    .addColumn('bytes', bytes, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('import_lines').addColumn('raw_bytes', 'integer').execute()
  await db.schema
    .createTable('import_usage')
    .addColumn('user_id', bytes, (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('held_bytes', bytes, (c) => c.notNull())
    .addColumn('day_bytes', bytes, (c) => c.notNull())
    .addColumn('day_began_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
}
