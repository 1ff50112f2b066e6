import { type Kysely, sql } from 'kysely'
import { idColumn, idType, isSqlite, tableEnd } from '#server/db/dialect.ts'

/** Notifications, one row per member, type, target and day, and what a member has read of them. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('inboxes')
    .addColumn('user_id', id, (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('last_at', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('read_to', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('mailed_to', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('digest_at', 'text')
    .addColumn('settings', 'text', (c) => c.notNull().defaultTo('{}'))
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('notifications')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('target_type', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('target_id', id, (c) => c.notNull().defaultTo(0))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('actors', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('actor_count', 'integer', (c) => c.notNull().defaultTo(0))
    .modifyEnd(tableEnd(db))
    .execute()
  await db.schema
    .createTable('notification_actors')
    .addColumn('notification_id', id, (c) => c.notNull().references('notifications.id').onDelete('cascade'))
    .addColumn('actor_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('notification_actors_key', ['notification_id', 'actor_id'])
    .modifyEnd(tableEnd(db))
    .execute()

  const indexes = [
    sql`unique index notifications_group on notifications (user_id, type, target_type, target_id, day)`,
    sql`unique index notifications_user on notifications (user_id, at)`,
    sql`index notifications_target on notifications (target_type, target_id) where target_id > 0`,
    sql`index notifications_day on notifications (day)`,
    sql`index notification_actors_actor on notification_actors (actor_id)`,
  ]
  for (const index of indexes) await sql`create ${index}`.execute(db)
  for (const [table, type] of [
    ['reviews', 'review'],
    ['lists', 'list'],
    ['imports', 'import'],
  ] as const) {
    const [name, of] = [sql.ref(`forget_${table}`), sql.table(table)]
    // The constant condition makes the partial index usable.
    const forget = sql`delete from notifications
      where target_type = ${sql.lit(type)} and target_id = old.id and target_id > 0;`
    if (isSqlite(db)) {
      await sql`create trigger ${name} after delete on ${of} begin ${forget} end`.execute(db)
      continue
    }
    await sql`create function ${name}() returns trigger language plpgsql as $$ begin
      ${forget} return null; end $$`.execute(db)
    await sql`create trigger ${name} after delete on ${of} for each row execute function ${name}()`.execute(
      db,
    )
  }
}
