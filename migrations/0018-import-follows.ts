import { type Kysely, sql } from 'kysely'
import { idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** The follows that an import restored, and an index of the imported titles whose texts have no rating. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .alterTable('import_titles')
    .addColumn('is_text_without_rating', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  // In JSON, quotes within texts are escaped: only the key matches.
  await sql`update import_titles set is_text_without_rating = 1 where plan like '%"isTextWithoutRating":true%'`.execute(
    db,
  )
  await db.schema
    .createIndex('import_titles_unrated')
    .on('import_titles')
    .columns(['import_id', 'is_text_without_rating', 'id'])
    .execute()

  await db.schema
    .createTable('import_follows')
    .addColumn('id', idColumn(db))
    .addColumn('import_id', id, (c) => c.notNull().references('imports.id').onDelete('cascade'))
    // Not foreign keys: an undo looks for what is still there.
    .addColumn('line_id', id, (c) => c.notNull())
    .addColumn('followee_id', id, (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('import_follows_followee', ['import_id', 'followee_id'])
    .modifyEnd(tableEnd(db))
    .execute()
}
