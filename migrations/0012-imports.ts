import { type Kysely, sql } from 'kysely'
import { bytewise, idColumn, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/**
 * Imports: the lines of the files, the titles that they are about, what a member chose, and the journal that an undo reads.
 * Reviews gain the rating on the scale of the service that it was imported from.
 */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  const key = bytewise(db) as never
  const end = tableEnd(db)
  const zero = (column: { notNull(): { defaultTo(value: number): unknown } }) =>
    column.notNull().defaultTo(0) as never

  await db.schema.alterTable('reviews').addColumn('rating_given', 'text').execute()

  await db.schema
    .createTable('imports')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('service', 'text', (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('file_hash', 'text', (c) => c.notNull())
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('facts', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) =>
      c
        .notNull()
        .check(
          sql`state in ('reading', 'matching', 'waiting', 'ready', 'applying', 'stopped', 'done', 'undoing', 'undone')`,
        ),
    )
    .addColumn('resumes', 'text')
    .addColumn('total', 'integer', zero)
    .addColumn('processed', 'integer', zero)
    .addColumn('waiting_for', 'text')
    .addColumn('attempts', 'integer', zero)
    .addColumn('next_at', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('applied_at', 'text')
    .addColumn('undone_at', 'text')
    .modifyEnd(end)
    .execute()
  await db.schema.createIndex('imports_user').on('imports').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('imports_state').on('imports').column('state').execute()
  await db.schema
    .createIndex('imports_due')
    .on('imports')
    .columns(['next_at', 'id'])
    .where(sql<boolean>`next_at is not null`)
    .execute()

  await db.schema
    .createTable('import_titles')
    .addColumn('id', idColumn(db))
    .addColumn('import_id', id, (c) => c.notNull().references('imports.id').onDelete('cascade'))
    .addColumn('title_key', key, (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('search_text', 'text', (c) => c.notNull())
    .addColumn('plan', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('matched', 'text')
    .addColumn('verdict', 'text')
    .addColumn('media_id', id, (c) => c.references('media.id').onDelete('set null'))
    .addColumn('candidates', 'text')
    .addColumn('decision', 'text')
    .addColumn('applied_at', 'text')
    .modifyEnd(end)
    .execute()
  await db.schema
    .createIndex('import_titles_key')
    .on('import_titles')
    .columns(['import_id', 'title_key'])
    .unique()
    .execute()
  await db.schema
    .createIndex('import_titles_state')
    .on('import_titles')
    .columns(['import_id', 'state', 'id'])
    .execute()
  await db.schema
    .createIndex('import_titles_import')
    .on('import_titles')
    .columns(['import_id', 'id'])
    .execute()
  await db.schema.createIndex('import_titles_media').on('import_titles').column('media_id').execute()
  await db.schema
    .createIndex('import_titles_target')
    .on('import_titles')
    .columns(['import_id', 'media_id'])
    .execute()

  await db.schema
    .createTable('import_lines')
    .addColumn('id', idColumn(db))
    .addColumn('import_id', id, (c) => c.notNull().references('imports.id').onDelete('cascade'))
    .addColumn('title_id', id, (c) => c.references('import_titles.id').onDelete('set null'))
    .addColumn('file', 'text', (c) => c.notNull())
    .addColumn('line', 'integer', (c) => c.notNull())
    .addColumn('raw', 'text', (c) => c.notNull())
    .addColumn('state', 'text')
    .addColumn('note', 'text')
    .modifyEnd(end)
    .execute()
  await db.schema
    .createIndex('import_lines_state')
    .on('import_lines')
    .columns(['import_id', 'state', 'id'])
    .execute()
  await db.schema.createIndex('import_lines_import').on('import_lines').columns(['import_id', 'id']).execute()
  await db.schema.createIndex('import_lines_title').on('import_lines').columns(['title_id', 'id']).execute()

  await db.schema
    .createTable('import_keys')
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('key', key, (c) => c.notNull())
    .addColumn('media_id', id, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('import_id', id, (c) => c.references('imports.id').onDelete('set null'))
    .addPrimaryKeyConstraint('import_keys_key', ['user_id', 'key'])
    .modifyEnd(end)
    .execute()
  await db.schema.createIndex('import_keys_media').on('import_keys').column('media_id').execute()
  await db.schema.createIndex('import_keys_import').on('import_keys').column('import_id').execute()

  await db.schema
    .createTable('import_changes')
    .addColumn('id', idColumn(db))
    .addColumn('import_id', id, (c) => c.notNull().references('imports.id').onDelete('cascade'))
    .addColumn('title_id', id, (c) => c.references('import_titles.id').onDelete('set null'))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('media_id', id, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('what', 'text', (c) =>
      c.notNull().check(sql`what in ('review', 'entry', 'favorite', 'title')`),
    )
    .addColumn('target_id', id, (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text', (c) => c.notNull())
    .modifyEnd(end)
    .execute()
  await db.schema
    .createIndex('import_changes_import')
    .on('import_changes')
    .columns(['import_id', 'id'])
    .execute()
  await db.schema.createIndex('import_changes_title').on('import_changes').column('title_id').execute()
  await db.schema
    .createIndex('import_changes_user')
    .on('import_changes')
    .columns(['user_id', 'media_id'])
    .execute()
  await db.schema.createIndex('import_changes_media').on('import_changes').column('media_id').execute()

  // Finds the titles of a year by the beginning of their name.
  const nameStart = isSqlite(db)
    ? sql`substr(search_text, 1, 40)`
    : sql`substr(search_text, 1, 40) collate "C"`
  await sql`create index media_year_names on media (release_year, (${nameStart}))`.execute(db)
}
