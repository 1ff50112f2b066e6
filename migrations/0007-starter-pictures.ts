import { type Kysely, sql } from 'kysely'

/**
 * The starter's pictures come with the server, at /starter/. Until now each installation drew its own, under the same
 * names, and kept them among the uploads; a member's upload never has such a name.
 */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen in time and knows no table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const [table, column, shape] of [
    ['users', 'picture', 'portrait'],
    ['media', 'image', 'poster'],
    ['media', 'backdrop', 'backdrop'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = replace(${sql.ref(column)}, '/uploads/', '/starter/')
      where ${sql.ref(column)} like ${`/uploads/${shape}-1-%`}`.execute(db)
}
