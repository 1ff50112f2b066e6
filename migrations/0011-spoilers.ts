import { type Kysely, sql } from 'kysely'

/** Marks reviews and comments that reveal the plot, and sorts the reviews of a title by likes. */
// oxlint-disable-next-line no-explicit-any -- a migration is frozen and does not use the current table types
export async function up(db: Kysely<any>): Promise<void> {
  for (const table of ['reviews', 'comments'])
    await db.schema
      .alterTable(table)
      .addColumn('has_spoilers', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  // Partial, like the indexes of the other sorts: most ratings have no text.
  await db.schema
    .createIndex('reviews_liked')
    .on('reviews')
    .columns(['media_id', 'like_count', 'created_at', 'id'])
    .where(sql.ref('text'), '<>', sql.lit(''))
    .execute()
}
