import { type Kysely, sql } from 'kysely'

/**
 * The starter's pictures are served from /starter/. Before, each installation drew them itself and stored them, under the
 * same names, among the uploads. Uploads of members never have such names.
 */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const [table, column, shape] of [
    ['users', 'picture', 'portrait'],
    ['media', 'image', 'poster'],
    ['media', 'backdrop', 'backdrop'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = replace(${sql.ref(column)}, '/uploads/', '/starter/')
      where ${sql.ref(column)} like ${`/uploads/${shape}-1-%`}`.execute(db)
}
