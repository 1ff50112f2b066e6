import { type Kysely, sql } from 'kysely'
import { isSqlite } from '#server/db/dialect.ts'

/** When a member wrote last, by the clock of the primary: until a replica has that, their reads go to the primary. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen in time and knows no table types
export async function up(db: Kysely<any>): Promise<void> {
  if (isSqlite(db)) await db.schema.alterTable('users').addColumn('wrote_at', 'text').execute()
  // To be set to its default. Whoever was made just now is not at the replica yet.
  else
    await sql`alter table users add column wrote_at text
      default to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.execute(db)
}
