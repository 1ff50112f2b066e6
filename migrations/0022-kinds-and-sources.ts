import { type Kysely, sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'

/** Removes the list of kinds from the schema, and adds the sources of the fields of a title that has several. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('media').addColumn('field_sources', 'text').execute()
  if (!isSqlite(db))
    return void (await db.schema.alterTable('media').dropConstraint('media_kind_check').execute())

  // SQLite cannot drop a constraint without a name. Creating the table anew would delete the rows that refer to it: a new column
  // replaces the old one, while the indexes and triggers that name it are gone.
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema where type in ('index', 'trigger') and sql like '%media%' and sql like '%kind%'
    order by type, rowid`.execute(db)
  for (const { type, name } of rows) await sql`drop ${sql.raw(type)} ${sql.ref(name)}`.execute(db)
  await sql`alter table media add column kind_name text`.execute(db)
  await sql`update media set kind_name = kind`.execute(db)
  await sql`alter table media drop column kind`.execute(db)
  await sql`alter table media rename column kind_name to kind`.execute(db)
  await sql`alter table media alter column kind set not null`.execute(db)
  for (const { sql: definition } of rows) await sql.raw(definition).execute(db)
}
