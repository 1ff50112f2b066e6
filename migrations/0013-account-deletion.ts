import { type Kysely, sql } from 'kysely'

/** When accounts are deleted, and indexes to read a member's reactions and comments in batches. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('users').addColumn('deletion_at', 'text').execute()
  await db.schema
    .createIndex('users_deletion')
    .on('users')
    .column('deletion_at')
    .where(sql.ref('deletion_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('reactions_member').on('reactions').columns(['user_id', 'review_id']).execute()
  await db.schema.dropIndex('reactions_user').execute()
  await db.schema.createIndex('comments_member').on('comments').columns(['user_id', 'id']).execute()
  await db.schema.dropIndex('comments_user').execute()
}
