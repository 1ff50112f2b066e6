import { type Kysely, sql } from 'kysely'

/** What members say about themselves, and the order that they give their favorites. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table users add column bio text not null default ''`.execute(db)
  await sql`alter table favorites add column place integer not null default 0`.execute(db)
  await db.schema.dropIndex('favorites_newest').execute()
  await db.schema
    .createIndex('favorites_order')
    .on('favorites')
    .columns(['user_id', 'kind', 'place', 'created_at', 'media_id'])
    .execute()
}
