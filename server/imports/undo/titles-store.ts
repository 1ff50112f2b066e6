import { sql } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { isTitleShown } from '#server/members/visibility.ts'

function isUsed(exceptUserId = 0) {
  const own = ['reviews', 'diary_entries', 'favorites'].map(
    (table) => sql`exists (select 1 from ${sql.table(table)} as own
      where own.media_id = media.id and own.user_id <> ${exceptUserId})`,
  )
  const listed = sql`exists (select 1 from list_items join lists on lists.id = list_items.list_id
    where list_items.media_id = media.id and lists.user_id <> ${exceptUserId})`
  return sql<boolean>`(${sql.join([...own, listed], sql` or `)})`
}

export async function listTitlesOfOthers(db: Db, userId: number, ids: readonly number[]): Promise<number[]> {
  const titles = db
    .selectFrom('media')
    .select('id')
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown)
  return (await titles.where(isUsed(userId)).execute()).map(({ id }) => id)
}

/** Unless a member has something of it. */
export async function removeCreatedTitle(db: Db, id: number): Promise<void> {
  const title = db.deleteFrom('media').where('id', '=', id).where('source', '=', 'import')
  await title.where(sql<boolean>`not ${isUsed()}`).execute()
}
