import { type Kysely, sql } from 'kysely'
import { idType } from '#server/db/dialect.ts'
import { logChanges } from '#server/changes/change-log.ts'

/** Reviews and comments that are withheld from those who are not as far in the title. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const name of ['reviews', 'comments']) {
    const table = db.schema.alterTable(name)
    // Without a foreign key: the text stays withheld even if the episode is gone, and ids are never used again.
    await table.addColumn('safe_episode_id', idType(db) as never).execute()
    for (const column of ['safe_page', 'safe_percent']) await table.addColumn(column, 'integer').execute()
  }
  await sql`drop index plays_part`.execute(db)
  const indexes = [
    // Also for “has this member watched it?”
    sql`plays_part on plays (episode_id, user_id)`,
    sql`reviews_safe on reviews (safe_episode_id) where safe_episode_id is not null`,
    sql`comments_safe on comments (safe_episode_id) where safe_episode_id is not null`,
  ]
  for (const index of indexes) await sql`create index ${index}`.execute(db)
  await logChanges(db, {
    table: 'reviews',
    area: 'review',
    user: 'user_id',
    thing: 'id',
    media: 'media_id',
    written: [
      'media_id',
      'rating',
      'text',
      'has_spoilers',
      'rating_given',
      'created_at',
      'updated_at',
      'safe_episode_id',
      'safe_page',
      'safe_percent',
    ],
  })
}
