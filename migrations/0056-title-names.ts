import { type Kysely, sql } from 'kysely'
import { bytewise, createSearch, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/** Titles have names in languages, with their descriptions in these. The search finds a title by the words of each. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('title_names')
    .addColumn('media_id', idType(db) as never, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', bytewise(db) as never, (c) => c.notNull())
    .addColumn('overview', 'text')
    .addColumn('tagline', 'text')
    .addPrimaryKeyConstraint('title_names_row', ['media_id', 'source', 'kind', 'language', 'name'])
    .modifyEnd(tableEnd(db))
    .execute()
  await sql`create index title_names_key on title_names (name_key)`.execute(db)
  await sql`alter table media add column names_text text not null default ''`.execute(db)
  await dropSearch(db)
  await createSearch(db, 'media', ['search_text', 'names_text'])
  if (isSqlite(db)) await sql`insert into media_search(media_search) values ('rebuild')`.execute(db)
}

// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
async function dropSearch(db: Kysely<any>): Promise<void> {
  if (!isSqlite(db)) {
    await sql`drop index media_search`.execute(db)
    await sql`alter table media drop column search_vector`.execute(db)
    return
  }
  for (const on of ['insert', 'delete', 'update'])
    await sql`drop trigger ${sql.raw(`media_search_${on}`)}`.execute(db)
  await sql`drop table media_search`.execute(db)
}
