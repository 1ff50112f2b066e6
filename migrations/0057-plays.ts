import { type Kysely, sql } from 'kysely'
import { bytewise, idColumn, idType, tableEnd } from '#server/db/dialect.ts'
import { logChanges } from '#server/changes/change-log.ts'

/** The episodes that members have watched. An entry of the diary is a pass through a show once it has plays. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  const date = bytewise(db) as never
  const parts = db.schema.alterTable('parts')
  await parts.addColumn('season', 'integer').execute()
  await parts.addColumn('airs_at', date).execute()
  await parts.addColumn('is_gone', 'integer', (c) => c.notNull().defaultTo(0)).execute()
  await sql`update parts set season = (select number from parts as seasons where seasons.id = parts.parent_id)
    where type = 'episode'`.execute(db)
  await sql`drop index parts_place`.execute(db)

  const entries = db.schema.alterTable('diary_entries')
  await entries.addColumn('pass', 'integer').execute()
  for (const name of ['stated', 'adopted']) await entries.addColumn(name, 'text').execute()
  for (const name of ['played_at', 'next_on']) await entries.addColumn(name, date).execute()

  await db.schema
    .createTable('batches')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('media_id', id, (c) => c.references('media.id').onDelete('set null'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('import_id', id, (c) => c.references('imports.id').onDelete('set null'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'text', (c) => c.notNull())
    .addColumn('undone_at', 'text')
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('plays')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    // The title of the episode, whose index finds the plays of a title.
    .addColumn('media_id', id, (c) => c.notNull())
    .addColumn('episode_id', id, (c) => c.notNull().references('parts.id').onDelete('cascade'))
    .addColumn('pass', 'integer', (c) => c.notNull())
    .addColumn('watched_on', date)
    .addColumn('watched_at', date)
    .addColumn('batch_id', id, (c) => c.references('batches.id').onDelete('set null'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('origin', 'text')
    .addColumn('is_changed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', date, (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('removed_plays')
    .addColumn('removed_by', id, (c) => c.notNull().references('batches.id').onDelete('cascade'))
    .addColumn('episode_id', id, (c) => c.notNull().references('parts.id').onDelete('cascade'))
    .addColumn('pass', 'integer', (c) => c.notNull())
    .addColumn('watched_on', date)
    .addColumn('watched_at', date)
    .addColumn('batch_id', id, (c) => c.references('batches.id').onDelete('set null'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('origin', 'text')
    .addColumn('is_changed', 'integer', (c) => c.notNull())
    .addColumn('created_at', date, (c) => c.notNull())
    .addPrimaryKeyConstraint('removed_plays_key', ['removed_by', 'pass', 'episode_id'])
    .modifyEnd(tableEnd(db))
    .execute()

  const indexes = [
    sql`unique index parts_place on parts (media_id, type, (coalesce(parent_id, 0)), number) where is_gone = 0`,
    sql`index parts_media on parts (media_id)`,
    sql`index parts_airing on parts (media_id, release_date) where type = 'episode' and is_gone = 0 and season > 0`,
    sql`unique index diary_entries_pass on diary_entries (user_id, media_id, pass) where pass is not null`,
    sql`index diary_entries_due on diary_entries (user_id, next_on) where status = 'finished' and next_on is not null`,
    sql`index diary_entries_unsettled on diary_entries (next_on, id)
      where next_on = '' or (status = 'finished' and next_on is not null)`,
    sql`index batches_user on batches (user_id, id)`,
    sql`index batches_media on batches (media_id)`,
    sql`index batches_import on batches (import_id) where import_id is not null`,
    sql`unique index plays_episode on plays (user_id, media_id, pass, episode_id)`,
    sql`unique index plays_origin on plays (user_id, origin) where origin is not null`,
    sql`index plays_day on plays (user_id, (coalesce(watched_on, '')), id)`,
    sql`index plays_batch on plays (batch_id) where batch_id is not null`,
    sql`index plays_part on plays (episode_id)`,
    sql`index removed_plays_part on removed_plays (episode_id)`,
    sql`index removed_plays_batch on removed_plays (batch_id) where batch_id is not null`,
  ]
  for (const index of indexes) await sql`create ${index}`.execute(db)

  await logChanges(db, {
    table: 'batches',
    area: 'progress',
    user: 'user_id',
    thing: 'id',
    media: 'media_id',
    written: ['changed_at'],
  })
}
