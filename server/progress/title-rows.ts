import { type SqlBool, sql } from 'kysely'
import { removeInParts, updateInParts } from '#server/db/rows.ts'
import { isUsedIn, type TitleRows } from '#server/feature.ts'
import { movePlays } from './move.ts'

export const titleRows: TitleRows = {
  tables: ['plays', 'batches'],
  isUsed: (exceptUserId) =>
    sql<SqlBool>`(exists (select 1 from plays join parts on parts.id = plays.episode_id
      where parts.media_id = media.id and plays.user_id <> ${exceptUserId})
      or ${isUsedIn('batches')(exceptUserId)})`,
  async move(trx, from, to) {
    await movePlays(trx, from, to)
    await updateInParts(trx, 'batches', sql`media_id = ${to}`, sql`media_id = ${from}`)
  },
  async remove(trx, id) {
    await removeInParts(trx, 'plays', sql`episode_id in (select id from parts where media_id = ${id})`)
    await updateInParts(trx, 'batches', sql`media_id = null`, sql`media_id = ${id}`)
  },
}
