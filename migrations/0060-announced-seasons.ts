import type { Kysely } from 'kysely'
import { idType, tableEnd } from '#server/db/dialect.ts'

/** The newest season of a show that has been announced to its viewers. At first, the newest season of the first import of episodes. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('announced_seasons')
    .addColumn('media_id', idType(db) as never, (c) =>
      c.primaryKey().references('media.id').onDelete('cascade'),
    )
    .addColumn('season', 'integer', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
}
