import type { Kysely } from 'kysely'
import { bytewise, idType, tableEnd } from '#server/db/dialect.ts'

/** When a source was last asked for the episodes of a show. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('part_checks')
    .addColumn('media_id', idType(db) as never, (c) =>
      c.primaryKey().references('media.id').onDelete('cascade'),
    )
    .addColumn('checked_at', bytewise(db) as never, (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
}
