import type { Kysely } from 'kysely'
import { logChanges } from '#server/changes/change-log.ts'
import { idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** Lists and pictures that a decision removes until it is undone or final. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema.alterTable('lists').addColumn('removed_at', 'text').execute()
  await logChanges(db, {
    table: 'lists',
    area: 'list',
    user: 'user_id',
    thing: 'id',
    media: null,
    written: ['title', 'description', 'is_ranked', 'visibility', 'tags', 'updated_at', 'removed_at'],
  })
  await db.schema
    .createTable('removed_pictures')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('table_name', 'text', (c) => c.notNull())
    .addColumn('column_name', 'text', (c) => c.notNull())
    // Not a foreign key: of a title or a member.
    .addColumn('row_id', id, (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createIndex('removed_pictures_user')
    .on('removed_pictures')
    .columns(['user_id', 'path'])
    .execute()
  await db.schema.createIndex('removed_pictures_path').on('removed_pictures').column('path').execute()
}
