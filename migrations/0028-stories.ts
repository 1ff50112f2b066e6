import type { Kysely } from 'kysely'
import { bytewise, idType, tableEnd } from '#server/db/dialect.ts'

/** Titles that tell the same story: a book, its film, its game. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('story_titles')
    .addColumn('story', bytewise(db) as never, (c) => c.notNull())
    .addColumn('media_id', idType(db) as never, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('story_titles_key', ['story', 'media_id'])
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createIndex('story_titles_media')
    .on('story_titles')
    .columns(['media_id', 'story'])
    .execute()
}
