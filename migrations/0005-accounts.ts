import { type Kysely, sql } from 'kysely'
import { bytewise, isSqlite, tableEnd } from '#server/db/dialect.ts'
import { confusableKey } from '#server/db/fold.ts'

// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  await addUsernameKeys(db)

  await db.schema
    .createIndex('users_unverified')
    .on('users')
    .column('created_at')
    .where(sql.ref('verified_at'), 'is', null)
    .execute()

  await db.schema
    .createTable('mail_counts')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('next_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
}

/** Of existing names that look alike, the oldest account gets the key; the others keep their names, with a null key. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
async function addUsernameKeys(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('username_key', bytewise(db) as never)
    .execute()
  await db.schema.createIndex('users_username_key').on('users').column('username_key').unique().execute()
  for (let last = 0; ;) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(1_000)
      .execute()
    if (users.length === 0) return
    last = users.at(-1)!.id as number
    const keys = new Map<string, number>()
    for (const { id, username } of users) {
      const key = confusableKey(username)
      if (!keys.has(key)) keys.set(key, id)
    }
    const values = JSON.stringify([...keys].map(([key, id]) => ({ key, id })))
    const rows = isSqlite(db)
      ? sql`(select value ->> 'id' as id, value ->> 'key' as key from json_each(${values}))`
      : sql`json_to_recordset(${values}::json)`
    const columns = isSqlite(db) ? sql`` : sql`(id bigint, key text)`
    await sql`update users set username_key = named.key from ${rows} as named ${columns}
      where users.id = named.id
      and not exists (select 1 from users as holder where holder.username_key = named.key)`.execute(db)
  }
}
