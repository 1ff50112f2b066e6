import { type Kysely, sql } from 'kysely'
import { logChanges } from '#server/changes/change-log.ts'
import { bytewise, idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** Lists of titles, with their editors, likes and followers. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('lists')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('is_ranked', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('visibility', 'text', (c) =>
      c.notNull().check(sql`visibility in ('private', 'link', 'followers', 'public')`),
    )
    .addColumn('tags', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('link_key', 'text')
    .addColumn('item_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('like_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('copied_from', id, (c) => c.references('lists.id').onDelete('set null'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()

  await db.schema
    .createTable('list_items')
    .addColumn('list_id', id, (c) => c.notNull().references('lists.id').onDelete('cascade'))
    .addColumn('media_id', id, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('place', bytewise(db) as never, (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('added_by', id, (c) => c.references('users.id').onDelete('set null'))
    .addColumn('added_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('list_items_key', ['list_id', 'media_id'])
    .modifyEnd(tableEnd(db))
    .execute()
  for (const [table, time] of [
    ['list_likes', 'created_at'],
    ['list_follows', 'created_at'],
    ['list_editors', 'invited_at'],
  ] as const)
    await db.schema
      .createTable(table)
      .addColumn('list_id', id, (c) => c.notNull().references('lists.id').onDelete('cascade'))
      .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn(time, 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['list_id', 'user_id'])
      .modifyEnd(tableEnd(db))
      .execute()
  await db.schema.alterTable('list_editors').addColumn('accepted_at', 'text').execute()
  await db.schema
    .createTable('list_words')
    .addColumn('word', bytewise(db) as never, (c) => c.notNull())
    .addColumn('list_id', id, (c) => c.notNull().references('lists.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('list_words_key', ['word', 'list_id'])
    .modifyEnd(tableEnd(db))
    .execute()

  const indexes = [
    sql`index lists_user on lists (user_id, updated_at, id)`,
    sql`index lists_newest on lists (visibility, id)`,
    sql`index lists_liked on lists (visibility, like_count, id)`,
    sql`index lists_copied_from on lists (copied_from) where copied_from is not null`,
    // The kind is filtered within the index.
    sql`index list_items_place on list_items (list_id, place, media_id, kind)`,
    sql`index list_items_media on list_items (media_id, list_id)`,
    sql`index list_items_added_by on list_items (added_by)`,
    sql`index list_likes_user on list_likes (user_id, list_id)`,
    sql`index list_likes_newest on list_likes (created_at, list_id)`,
    sql`index list_follows_user on list_follows (user_id, created_at, list_id)`,
    sql`index list_editors_user on list_editors (user_id, list_id, accepted_at)`,
    sql`index list_words_list on list_words (list_id)`,
  ]
  for (const index of indexes) await sql`create ${index}`.execute(db)
  await logChanges(db, {
    table: 'lists',
    area: 'list',
    user: 'user_id',
    thing: 'id',
    media: null,
    written: ['title', 'description', 'is_ranked', 'visibility', 'tags', 'updated_at'],
  })
}
