import { type Kysely, sql } from 'kysely'
import { bytewise, idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** Parts of titles, such as the seasons of a show and their episodes, and the ids that sources have for them. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('parts')
    .addColumn('id', idColumn(db))
    .addColumn('media_id', id, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('parent_id', id, (c) => c.references('parts.id').onDelete('cascade'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('release_date', bytewise(db) as never)
    .addColumn('runtime', 'integer')
    .addColumn('source', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await sql`create unique index parts_place on parts (media_id, type, (coalesce(parent_id, 0)), number)`.execute(
    db,
  )
  await db.schema.createIndex('parts_parent').on('parts').column('parent_id').execute()
  await db.schema
    .createTable('part_ids')
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('external_id', 'text', (c) => c.notNull())
    .addColumn('part_id', id, (c) => c.notNull().references('parts.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('part_ids_key', ['source', 'external_id'])
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('part_ids_part').on('part_ids').column('part_id').execute()
}
