import { type Kysely, sql } from 'kysely'

/** For the job that removes unused uploads: it looks up whether a row references each picture. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const [table, column] of [
    ['users', 'picture'],
    ['media', 'image'],
    ['media', 'backdrop'],
  ] as const)
    await db.schema
      .createIndex(`${table}_${column}`)
      .on(table)
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
}
