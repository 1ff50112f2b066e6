import { type Kysely } from 'kysely'
import { idType, tableEnd } from '#server/db/dialect.ts'

/** Lists that a decision has removed and their owners have deleted, by the names that an import would write again. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('removed_lists')
    .addColumn('list_id', id, (c) => c.notNull())
    .addColumn('name_hash', 'text', (c) => c.notNull())
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('removed_lists_key', ['list_id', 'name_hash'])
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('removed_lists_user').on('removed_lists').column('user_id').execute()
}
