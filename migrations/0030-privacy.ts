import type { Kysely } from 'kysely'
import { idType, tableEnd } from '#server/db/dialect.ts'

/** Private accounts, requests to follow them, blocks and mutes. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of ['is_private', 'hides_from_suggestions', 'hides_follows'])
    await db.schema
      .alterTable('users')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()

  const id = idType(db) as never
  const addPairs = async (table: string, first: string, second: string) => {
    await db.schema
      .createTable(table)
      .addColumn(first, id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn(second, id, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, [first, second])
      .modifyEnd(tableEnd(db))
      .execute()
    await db.schema.createIndex(`${table}_${second}`).on(table).columns([second, first]).execute()
  }
  await addPairs('follow_requests', 'follower_id', 'followee_id')
  await addPairs('blocks', 'user_id', 'member_id')
  await addPairs('mutes', 'user_id', 'member_id')
}
