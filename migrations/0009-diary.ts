import { type Kysely, sql } from 'kysely'
import { bytewise, idColumn, idType, tableEnd } from '#server/db/dialect.ts'

// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('diary_visibility', 'text', (c) =>
      c
        .notNull()
        .defaultTo('private')
        .check(sql`diary_visibility in ('private', 'followers', 'everyone')`),
    )
    .execute()

  const id = idType(db)
  // Postgres: columns collated "C", so that dates of different precision compare in the same order as on SQLite.
  const date = bytewise(db)
  await db.schema
    .createTable('diary_entries')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id as never, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('media_id', id as never, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) =>
      c.notNull().check(sql`status in ('want', 'started', 'paused', 'finished', 'dropped')`),
    )
    .addColumn('started_on', date as never)
    .addColumn('finished_on', date as never)
    .addColumn('is_again', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('rating_given', 'text')
    .addColumn('text', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('origin', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addCheckConstraint('diary_entries_started_on', sql`started_on is null or status <> 'want'`)
    .addCheckConstraint(
      'diary_entries_finished_on',
      sql`finished_on is null or status in ('finished', 'dropped')`,
    )
    .modifyEnd(tableEnd(db))
    .execute()

  const indexes = [
    sql`unique index diary_entries_want on diary_entries (user_id, media_id) where status = 'want'`,
    sql`unique index diary_entries_open on diary_entries (user_id, media_id) where status in ('started', 'paused')`,
    sql`unique index diary_entries_origin on diary_entries (user_id, origin) where origin is not null`,
    // The entries of a member by their day; kind and status are filtered within the index.
    sql`index diary_entries_day on diary_entries
      (user_id, (coalesce(finished_on, started_on, '')), id, kind, status)`,
    sql`index diary_entries_title on diary_entries (user_id, media_id, status)`,
    sql`index diary_entries_media on diary_entries (media_id)`,
  ]
  for (const index of indexes) await sql`create ${index}`.execute(db)
}
