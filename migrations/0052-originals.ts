import { type Kysely, sql } from 'kysely'

/** Finds the ratings in whole stars that an import may have rounded. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index reviews_originals on reviews (user_id, id, rating, rating_given, media_id)
    where rating_given is not null and rating % 10 = 0 and removed_text is null`.execute(db)
}
