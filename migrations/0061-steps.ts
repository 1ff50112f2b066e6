import { type Kysely, sql } from 'kysely'
import { bytewise, idColumn, idType, tableEnd } from '#server/db/dialect.ts'

/** How far members are in movies, books and games: each step belongs to an entry of the diary, whose change is logged. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  const id = idType(db) as never
  await db.schema
    .createTable('steps')
    .addColumn('id', idColumn(db))
    .addColumn('user_id', id, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('entry_id', id, (c) => c.notNull().references('diary_entries.id').onDelete('cascade'))
    .addColumn('unit', 'text', (c) => c.notNull())
    .addColumn('hundredths', 'integer', (c) => c.notNull())
    .addColumn('day', bytewise(db) as never, (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('status_before', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .modifyEnd(tableEnd(db))
    .execute()
  for (const index of [sql`steps_entry on steps (entry_id, day, id)`, sql`steps_user on steps (user_id, id)`])
    await sql`create index ${index}`.execute(db)
}
