import { type Kysely, sql } from 'kysely'

/** Which texts everybody may read, and their number per title, so that pages of reviews are full and their totals exact. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('has_public_texts', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema
    .alterTable('reviews')
    .addColumn('is_public', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema
    .alterTable('media')
    .addColumn('public_text_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()

  const isPublic = sql`case when is_private = 0 and standing <> 'suspended' and closed_at is null then 1 else 0 end`
  await sql`update users set has_public_texts = ${isPublic} where has_public_texts <> ${isPublic}`.execute(db)
  await sql`update reviews set is_public = 0
    where text <> '' and user_id in (select id from users where has_public_texts = 0)`.execute(db)
  await sql`update media set public_text_count = text_count where text_count > 0`.execute(db)
  await sql`update media set public_text_count = text_count - others.count
    from (select media_id, count(*) as count from reviews where is_public = 0 group by media_id) as others
    where media.id = others.media_id`.execute(db)

  // The members whose reviews do not have the column yet: those whose visibility has just changed.
  await sql`create index users_unsettled on users (id) where has_public_texts <> ${isPublic}`.execute(db)
  for (const [name, columns] of [
    ['reviews_newest', ['media_id', 'created_at', 'id', 'is_public']],
    ['reviews_rated', ['media_id', 'rating', 'created_at', 'id', 'is_public']],
    ['reviews_liked', ['media_id', 'like_count', 'created_at', 'id', 'is_public']],
  ] as const) {
    await db.schema.dropIndex(name).execute()
    await db.schema
      .createIndex(name)
      .on('reviews')
      .columns([...columns])
      .where(sql.ref('text'), '<>', sql.lit(''))
      .execute()
  }
  await sql`create index reviews_closed on reviews (media_id, user_id) where is_public = 0 and text <> ''`.execute(
    db,
  )
}
