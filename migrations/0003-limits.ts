import { type Kysely, sql } from 'kysely'
import { idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

// oxlint-disable-next-line no-explicit-any -- a migration is frozen in time and knows no table types
export async function up(db: Kysely<any>): Promise<void> {
  // With SQLite there is one process, which counts in its memory; both databases have the same tables all the same.
  // Unlogged: no write-ahead log for what a crash may forget. Half full pages, so that a count moves within its page.
  const [kind, end] = isSqlite(db) ? [sql``, tableEnd(db)] : [sql`unlogged`, sql`with (fillfactor = 50)`]
  await sql`create ${kind} table limit_counts (
    key text primary key, count integer not null, ends_at ${idType(db)} not null
  ) ${end}`.execute(db)
}
