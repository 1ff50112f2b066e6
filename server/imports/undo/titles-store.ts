import type { RawBuilder, SqlBool } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { isTitleShown } from '#server/members/visibility.ts'

export async function listShownTitles(
  db: Db,
  ids: readonly number[],
  condition: RawBuilder<SqlBool>,
): Promise<number[]> {
  const titles = db
    .selectFrom('media')
    .select('id')
    .where(isOneOf(db, 'media.id', ids))
    .where(isTitleShown)
    .where(condition)
  return (await titles.execute()).map(({ id }) => id)
}

export async function isUnusedCreation(db: Db, id: number, isUsed: RawBuilder<SqlBool>): Promise<boolean> {
  const title = db.selectFrom('media').select('id').where('id', '=', id).where('source', '=', 'import')
  return (await title.where((eb) => eb.not(isUsed)).executeTakeFirst()) !== undefined
}
