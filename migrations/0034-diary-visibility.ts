import { type Kysely, sql } from 'kysely'

/** Diaries have the visibilities of lists: `public` replaces `everyone`. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  // A new column replaces the old one, because SQLite cannot change a constraint.
  await db.schema
    .alterTable('users')
    .addColumn('visibility', 'text', (c) =>
      c
        .notNull()
        .defaultTo('private')
        .check(sql`visibility in ('private', 'followers', 'public')`),
    )
    .execute()
  await sql`update users set visibility = case diary_visibility when 'everyone' then 'public' else diary_visibility end
    where diary_visibility <> 'private'`.execute(db)
  await db.schema.alterTable('users').dropColumn('diary_visibility').execute()
  await db.schema.alterTable('users').renameColumn('visibility', 'diary_visibility').execute()
}
