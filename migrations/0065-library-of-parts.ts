import { type Kysely, sql } from 'kysely'

/** The ratings of seasons and episodes that a member gave, by time. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index reviews_part_library on reviews (user_id, created_at, id, rating)
    where part_id is not null`.execute(db)
}
