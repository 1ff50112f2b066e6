import { sql } from 'kysely'
import { isUsedIn, type TitleRows } from '#server/feature.ts'
import { partSize, removeInParts } from '#server/db/rows.ts'
import { moveFavorites } from './store.ts'

/** Of two favorites of a member, the one of the other title stays. */
export const titleRows: TitleRows = {
  tables: ['favorites'],
  isUsed: isUsedIn('favorites'),
  async move(trx, from, to) {
    while ((await moveFavorites(trx, from, to, partSize)) === partSize);
  },
  async remove(trx, id) {
    await removeInParts(trx, 'favorites', sql`media_id = ${id}`)
  },
}
