import { type Kysely, sql } from 'kysely'

/** Finds the newest review or high rating of each member that somebody follows. Postgres reads this index alone. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index reviews_news on reviews (user_id, created_at, id)
    where (rating >= 4 or text <> '') and rated_at > '1970-01-02'`.execute(db)
}
