import { type Kysely, sql } from 'kysely'

/** The stored size of an upload, for the quotas on recent uploads of a member and of all visitors. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table uploads add column bytes integer not null default 0`.execute(db)
  await db.schema.createIndex('uploads_recent').on('uploads').columns(['owner_id', 'created_at']).execute()
  // The new index covers its queries.
  await db.schema.dropIndex('uploads_owner').execute()
}
