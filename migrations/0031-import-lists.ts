import { type Kysely, sql } from 'kysely'
import { bytewise, idColumn, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/** The lists that an import has read, and the lists that they have become. The journal has titles of lists too. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('import_lists')
    .addColumn('id', idColumn(db))
    .addColumn('import_id', id, (c) => c.notNull().references('imports.id').onDelete('cascade'))
    .addColumn('list_key', bytewise(db) as never, (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('item_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('line_id', id)
    .addColumn('list_id', id, (c) => c.references('lists.id').onDelete('set null'))
    .addColumn('first_place', 'integer')
    .addUniqueConstraint('import_lists_list_key', ['import_id', 'list_key'])
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('import_lists_list').on('import_lists').column('list_id').execute()

  if (!isSqlite(db))
    return void (await db.schema
      .alterTable('import_changes')
      .dropConstraint('import_changes_what_check')
      .execute())
  // SQLite cannot drop a constraint without a name: a new column replaces the old one.
  await sql`alter table import_changes add column what_name text`.execute(db)
  await sql`update import_changes set what_name = what`.execute(db)
  await sql`alter table import_changes drop column what`.execute(db)
  await sql`alter table import_changes rename column what_name to what`.execute(db)
  await sql`alter table import_changes alter column what set not null`.execute(db)
}
