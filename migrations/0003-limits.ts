import { type Kysely, sql } from 'kysely'
import { idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  // With SQLite there is one process, which counts in memory; the table exists only so that both schemas are equal.
  // Unlogged: counts may be lost in a crash and need no write-ahead log. Half-full pages keep updates within a page.
  const [kind, end] = isSqlite(db) ? [sql``, tableEnd(db)] : [sql`unlogged`, sql`with (fillfactor = 50)`]
  await sql`create ${kind} table limit_counts (
    key text primary key, count integer not null, ends_at ${idType(db)} not null
  ) ${end}`.execute(db)
}
