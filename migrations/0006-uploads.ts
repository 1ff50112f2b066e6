import { type Kysely, sql } from 'kysely'

/** What an upload takes in storage, for quotas over an owner's (or all anonymous) recent uploads. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen in time and knows no table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table uploads add column bytes integer not null default 0`.execute(db)
  await db.schema.createIndex('uploads_recent').on('uploads').columns(['owner_id', 'created_at']).execute()
  // Covered by the new index.
  await db.schema.dropIndex('uploads_owner').execute()
}
