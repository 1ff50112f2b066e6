import { type Kysely, sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'

/**
 * Read-your-writes: the time of a member's last write, by the primary's clock. The member reads from the primary until the
 * replica has caught up with it (replica lag).
 */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  if (isSqlite(db)) await db.schema.alterTable('users').addColumn('wrote_at', 'text').execute()
  // Updates set the column to its default. New rows get it too, since the replica does not have them yet.
  else
    await sql`alter table users add column wrote_at text
      default to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.execute(db)
}
