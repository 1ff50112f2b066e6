import { type Kysely, sql } from 'kysely'
import { logChanges } from '#server/changes/change-log.ts'
import { isSqlite } from '#server/db/dialect.ts'

/**
 * Ratings become tenths of a star: 10 to 50 instead of 1 to 5. So do the sums of ratings. `halves_n` counts the ratings of n and a half stars,
 * which `stars_(n + 1)` counts too. The tables are written without their triggers, so that no change is logged, and no time changes.
 */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const name of [...Object.keys(indexes), 'reviews_news', 'media_scores'])
    await sql`drop index ${sql.ref(name)}`.execute(db)
  // The trigger names the column. It is created again below.
  await sql`drop trigger log_reviews_update ${isSqlite(db) ? sql`` : sql`on reviews`}`.execute(db)

  for (const name of ['halves_1', 'halves_2', 'halves_3', 'halves_4'])
    await db.schema
      .alterTable('media')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  await db.schema
    .alterTable('users')
    .addColumn('half_stars', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()

  if (isSqlite(db)) {
    // Pages that two statements change are written once.
    const { rows } = await sql<{ cache_size: number }>`pragma cache_size`.execute(db)
    await sql`pragma cache_size = -262144`.execute(db)
    // SQLite cannot change the check of a column.
    await sql`alter table reviews add column tenths integer not null default 10
      check (tenths between 10 and 50 and tenths % 5 = 0)`.execute(db)
    await sql`update reviews set tenths = rating * 10`.execute(db)
    await sql`alter table reviews drop column rating`.execute(db)
    await sql`alter table reviews rename column tenths to rating`.execute(db)
    await sql`update media set rating_sum = rating_sum * 10 where rating_sum <> 0`.execute(db)
    await sql`update rating_counts set sum = sum * 10`.execute(db)
    await sql`pragma cache_size = ${sql.lit(rows[0]!.cache_size)}`.execute(db)
  } else {
    // Rewriting a column fires no triggers.
    await sql`alter table reviews drop constraint reviews_rating_check`.execute(db)
    await sql`alter table reviews alter column rating type integer using rating * 10`.execute(db)
    await sql`alter table reviews add constraint reviews_rating_check
      check (rating between 10 and 50 and rating % 5 = 0)`.execute(db)
    await sql`alter table media alter column rating_sum type integer using rating_sum * 10`.execute(db)
    await sql`alter table rating_counts alter column sum type integer using sum * 10`.execute(db)
  }

  for (const [name, { columns, hasText }] of Object.entries(indexes))
    await db.schema
      .createIndex(name)
      .on('reviews')
      .columns([...columns])
      .$call((index) => (hasText ? index.where(sql.ref('text'), '<>', sql.lit('')) : index))
      .execute()
  await sql`create index reviews_news on reviews (user_id, created_at, id)
    where (rating >= 40 or text <> '') and rated_at > '1970-01-02'`.execute(db)
  await sql`create index media_scores on media
    ((case when rating_count = 0 then 0 else (rating_sum + 175.0) / (rating_count + 5) end), id)`.execute(db)
  await logChanges(db, {
    table: 'reviews',
    area: 'review',
    user: 'user_id',
    thing: 'id',
    media: 'media_id',
    written: ['media_id', 'rating', 'text', 'has_spoilers', 'rating_given', 'created_at', 'updated_at'],
  })
}

/** The indexes with the column. */
const indexes: Record<string, { columns: readonly string[]; hasText?: boolean }> = {
  reviews_network: { columns: ['media_id', 'user_id', 'rating'] },
  reviews_rated_at: { columns: ['media_id', 'rated_at', 'rating'] },
  reviews_feed: { columns: ['user_id', 'kind', 'media_id', 'rating'] },
  reviews_library: { columns: ['user_id', 'created_at', 'id', 'kind', 'rating', 'media_id'] },
  reviews_rated: { columns: ['media_id', 'rating', 'created_at', 'id', 'is_public'], hasText: true },
}
