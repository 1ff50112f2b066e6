import { type Kysely, sql } from 'kysely'
import { bytewise, idType, tableEnd } from '#server/db/dialect.ts'

/** Where titles can be watched, as a source said it last, and the country and the streaming services of each member. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  const short = bytewise(db) as never
  await db.schema
    .createTable('offer_checks')
    .addColumn('media_id', id, (c) => c.primaryKey().references('media.id').onDelete('cascade'))
    .addColumn('checked_at', short, (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await sql`create index offer_checks_age on offer_checks (checked_at)`.execute(db)
  await db.schema
    .createTable('offers')
    .addColumn('media_id', id, (c) => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('country', short, (c) => c.notNull())
    .addColumn('link', 'text')
    .addColumn('services', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('offers_key', ['media_id', 'country'])
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('streaming_services')
    .addColumn('id', id, (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('image', 'text')
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('country_services')
    .addColumn('country', short, (c) => c.primaryKey())
    .addColumn('services', 'text', (c) => c.notNull())
    .addColumn('checked_at', short, (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema.alterTable('users').addColumn('country', 'text').execute()
  await db.schema
    .alterTable('users')
    .addColumn('subscriptions', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}
