import { type Kysely, sql } from 'kysely'
import { idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** `past_writes` has what deleted imports wrote last about each row. The journal finds the changes of a row by an index. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('past_writes')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('media_id', id, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('what', 'text', (c) => c.notNull())
    .addColumn('target_id', id, (c) => c.notNull())
    .addColumn('service', 'text', (c) => c.notNull())
    .addColumn('wrote_at', 'text', (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  for (const table of ['past_writes', 'import_changes']) {
    if (table === 'import_changes') await sql`drop index import_changes_user`.execute(db)
    await db.schema
      .createIndex(`${table}_user`)
      .on(table)
      .columns(['user_id', 'media_id', 'what', 'target_id', 'id'])
      .execute()
  }
  await db.schema.createIndex('past_writes_media').on('past_writes').column('media_id').execute()
}
