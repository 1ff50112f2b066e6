import { type Kysely, sql } from 'kysely'

/** A session has the hash of the cookie that opens its member's pages. Sessions of an earlier version get one with their next page. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('page_hash', 'text').execute()
  await db.schema
    .createIndex('sessions_page')
    .unique()
    .on('sessions')
    .column('page_hash')
    .where(sql.ref('page_hash'), 'is not', null)
    .execute()
}
