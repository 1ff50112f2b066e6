import { type Kysely, sql } from 'kysely'
import { confusableKey } from '#server/db/fold.ts'

/** Members of the demo community get the keys that keep confusable usernames from being registered beside theirs. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('is_demo', '=', 1)
    .where('username_key', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id, username } of users) {
    const key = confusableKey(username)
    // A member who has registered a confusable name keeps the key.
    await sql`update users set username_key = ${key} where id = ${id}
      and not exists (select 1 from users as holder where holder.username_key = ${key})`.execute(db)
  }
}
