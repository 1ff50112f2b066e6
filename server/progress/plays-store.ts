import type { Db } from '#server/db/open.ts'
import { prepareByIds } from '#server/db/prepared.ts'
import { isOneOf } from '#server/db/dialect.ts'

export const listBatches = prepareByIds((db, ids) =>
  db
    .selectFrom('batches')
    .selectAll()
    .where(isOneOf(db, 'batches.id', ids)),
)

export function selectExportedPlays(db: Db, userId: number) {
  return db
    .selectFrom('plays')
    .innerJoin('parts', 'parts.id', 'plays.episode_id')
    .selectAll('plays')
    .select(['parts.season', 'parts.number'])
    .where('plays.user_id', '=', userId)
}
