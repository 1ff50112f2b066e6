import { type Kysely, sql } from 'kysely'
import { idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** The ways in which members prove who they are have rows of their own; the passwords move there. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('credentials')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', idType(db) as never, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('identifier', 'text')
    .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('secret', 'text')
    .addColumn('details', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .modifyEnd(tableEnd(db))
    .execute()
  // `!` was the mark of demo members, and an empty text the mark of an account that is being removed.
  await sql`insert into credentials (user_id, kind, secret, created_at)
    select id, 'password', password_hash, created_at from users where password_hash not in ('', '!') order by id`.execute(
    db,
  )
  await db.schema.createIndex('credentials_user').on('credentials').column('user_id').execute()
  await db.schema
    .createIndex('credentials_single')
    .unique()
    .on('credentials')
    .columns(['user_id', 'kind'])
    .where(sql.ref('identifier'), 'is', null)
    .execute()
  await db.schema
    .createIndex('credentials_identifier')
    .unique()
    .on('credentials')
    .columns(['kind', 'identifier'])
    .where(sql.ref('identifier'), 'is not', null)
    .execute()

  await db.schema.alterTable('users').addColumn('closed_at', 'text').execute()
  await sql`update users set closed_at = deletion_at where password_hash = ''`.execute(db)
  await db.schema.alterTable('users').dropColumn('password_hash').execute()
}
