import { type Kysely, sql } from 'kysely'
import { idType, isSqlite } from '#server/db/dialect.ts'
import { logChanges } from '#server/changes/change-log.ts'

/**
 * Members review seasons and episodes too. Such a review has a `part_id` and no `media_id`, so that whatever is asked about a title finds
 * reviews of the title alone. Neither database rewrites the table.
 */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  for (const table of ['reviews', 'removed_reviews']) {
    await sql`alter table ${sql.table(table)} alter column media_id drop not null`.execute(db)
    await db.schema
      .alterTable(table)
      .addColumn('part_id', id, (c) => c.references('parts.id').onDelete('cascade'))
      .execute()
  }
  for (const name of ['rating_count', 'rating_sum', 'text_count', 'public_text_count'])
    await db.schema
      .alterTable('parts')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()

  const ofPart = sql`where part_id is not null`
  const withText = sql`${ofPart} and text <> ''`
  const indexes = [
    sql`unique index reviews_of_part on reviews (part_id, user_id) ${ofPart}`,
    sql`index reviews_part_ratings on reviews (part_id, rating) ${ofPart}`,
    sql`index reviews_own_parts on reviews (user_id, part_id, id, rating) ${ofPart}`,
    sql`index reviews_part_newest on reviews (part_id, created_at, id, is_public) ${withText}`,
    sql`index reviews_part_rated on reviews (part_id, rating, created_at, id, is_public) ${withText}`,
    sql`index reviews_part_liked on reviews (part_id, like_count, created_at, id, is_public) ${withText}`,
    sql`index reviews_part_closed on reviews (part_id, user_id) ${withText} and is_public = 0`,
    sql`unique index removed_reviews_of_part on removed_reviews (user_id, part_id) ${ofPart}`,
    sql`index removed_reviews_part on removed_reviews (part_id) ${ofPart}`,
  ]
  for (const index of indexes) await sql`create ${index}`.execute(db)
  // The feed reads it alone.
  await sql`drop index reviews_news`.execute(db)
  await sql`create index reviews_news on reviews (user_id, created_at, id)
    where (rating >= 40 or text <> '') and rated_at > '1970-01-02' and media_id is not null`.execute(db)

  await logChanges(db, {
    table: 'reviews',
    area: 'review',
    user: 'user_id',
    thing: 'id',
    media: (row) => titleOf(`${row}.media_id`, `${row}.part_id`),
    written: [
      'media_id',
      'part_id',
      'rating',
      'text',
      'has_spoilers',
      'rating_given',
      'created_at',
      'updated_at',
      'safe_episode_id',
      'safe_page',
      'safe_percent',
    ],
  })
  await deliverWithTitle(db)
}

const titleOf = (media: string, part: string) =>
  sql`coalesce(${sql.ref(media)}, (select parts.media_id from parts where parts.id = ${sql.ref(part)}))`

/** Events about comments and reactions name the title of the review. */
// oxlint-disable-next-line no-explicit-any -- see above
async function deliverWithTitle(db: Kysely<any>): Promise<void> {
  const triggers = isSqlite(db)
    ? sql<{ name: string; definition: string }>`select name, sql as definition from sqlite_master
        where type = 'trigger' and name like 'deliver%' and sql like '%reviews.media_id%'`
    : sql<{ name: string; definition: string }>`select proname as name, pg_get_functiondef(oid) as definition
        from pg_proc where pronamespace = current_schema::regnamespace and proname like 'deliver%'
          and prosrc like '%reviews.media_id%'`
  const { rows } = await triggers.execute(db)
  for (const { name, definition } of rows) {
    if (isSqlite(db)) await sql`drop trigger ${sql.ref(name)}`.execute(db)
    const changed = definition.replace(
      'reviews.media_id',
      'coalesce(reviews.media_id, (select parts.media_id from parts where parts.id = reviews.part_id))',
    )
    await sql.raw(changed).execute(db)
  }
}
