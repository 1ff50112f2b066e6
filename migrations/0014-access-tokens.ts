import type { Kysely } from 'kysely'
import { idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** Personal access tokens. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', idType(db) as never, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('last_used_at', 'text')
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.createIndex('api_tokens_user').on('api_tokens').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('api_tokens_expiry').on('api_tokens').column('expires_at').execute()
}
