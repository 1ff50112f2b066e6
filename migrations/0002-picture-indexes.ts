import { type Kysely, sql } from 'kysely'

/** Which row shows a picture: asked of every upload when the ones that nobody shows are removed. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen in time and knows no table types
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
