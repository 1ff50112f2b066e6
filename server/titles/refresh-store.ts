import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** By id, of a slice of all titles: shows that are in a diary, other than as dropped, and were last checked before `before`. */
export async function listUnchecked(
  db: Db,
  { after, upTo, before }: { after: number; upTo: number; before: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('media')
    .select('media.id')
    .where('media.id', '>', after)
    .where('media.id', '<=', upTo)
    .where('kind', '=', 'tvShow')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('part_checks')
            .select(sql`1`.as('one'))
            .whereRef('part_checks.media_id', '=', 'media.id')
            .where('checked_at', '>=', before),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('diary_entries')
          .select(sql`1`.as('one'))
          .whereRef('diary_entries.media_id', '=', 'media.id')
          .where('status', '<>', 'dropped'),
      ),
    )
    .orderBy('media.id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function markChecked(db: Db, media_id: number, checked_at: string): Promise<void> {
  await db
    .insertInto('part_checks')
    .columns(['media_id', 'checked_at'])
    // Not of a title that was removed meanwhile.
    .expression(({ selectFrom }) =>
      selectFrom('media')
        .select(['media.id', sql<string>`cast(${checked_at} as text)`.as('checked_at')])
        .where('media.id', '=', media_id),
    )
    .onConflict((conflict) => conflict.column('media_id').doUpdateSet({ checked_at }))
    .execute()
}
