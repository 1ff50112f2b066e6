import { sql } from 'kysely'
import { isOneOf } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { partSize, removeInParts } from '#server/db/rows.ts'
import type { PlayRow } from './tables.ts'

/** What imports read and write of plays. */

export type OwnPlay = Pick<PlayRow, 'id' | 'episode_id' | 'pass' | 'watched_on' | 'origin'>

export async function listOwnPlays(db: Db, userId: number, titleId: number): Promise<OwnPlay[]> {
  return db
    .selectFrom('plays')
    .select(['id', 'episode_id', 'pass', 'watched_on', 'origin'])
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .orderBy('pass')
    .orderBy('id')
    .execute()
}

/** Of plays of the title that the member has removed since they were imported. */
export async function listRemovedOrigins(db: Db, userId: number, titleId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('parts')
    .innerJoin('removed_plays', 'removed_plays.episode_id', 'parts.id')
    .innerJoin('batches', 'batches.id', 'removed_plays.removed_by')
    .select('removed_plays.origin')
    .where('parts.media_id', '=', titleId)
    .where('batches.user_id', '=', userId)
    .where('removed_plays.origin', 'is not', null)
    .execute()
  return rows.map(({ origin }) => origin!)
}

/** Which of these origins plays of the member have, of whatever title. */
export async function listKnownOrigins(
  db: Db,
  userId: number,
  origins: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>()
  for (let at = 0; at < origins.length; at += partSize) {
    const rows = await db
      .selectFrom('plays')
      .select('origin')
      .where('user_id', '=', userId)
      .where('origin', 'in', origins.slice(at, at + partSize))
      .execute()
    for (const { origin } of rows) known.add(origin!)
  }
  return known
}

/** The batch of an import that has not been undone. */
export async function findImportBatch(db: Db, importId: number): Promise<number | undefined> {
  const batches = db.selectFrom('batches').select('id').where('import_id', '=', importId)
  return (await batches.where('undone_at', 'is', null).executeTakeFirst())?.id
}

export async function addToBatch(trx: Db, id: number, count: number, now: string): Promise<void> {
  await trx
    .updateTable('batches')
    .set({ count: sql`count + ${count}`, changed_at: now })
    .where('id', '=', id)
    .execute()
}

export async function endImportBatches(trx: Db, importId: number, now: string): Promise<void> {
  const batches = trx.updateTable('batches').set({ undone_at: now, changed_at: now })
  await batches.where('import_id', '=', importId).where('undone_at', 'is', null).execute()
}

/** Of these batches, by title: how many plays there are, and how many of them have changed since. */
export async function countBatchPlays(
  db: Db,
  userId: number,
  batchIds: readonly number[],
  titleIds: readonly number[],
) {
  if (batchIds.length === 0) return []
  return db
    .selectFrom('plays')
    .select(['batch_id', 'media_id'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number>('is_changed').as('changed')])
    .where('user_id', '=', userId)
    .where(isOneOf(db, 'batch_id', batchIds))
    .where(isOneOf(db, 'media_id', titleIds))
    .groupBy(['batch_id', 'media_id'])
    .execute()
}

/** Not those that changed since. */
export async function removeBatchPlays(trx: Db, batchId: number, titleId: number): Promise<void> {
  await removeInParts(trx, 'plays', sql`batch_id = ${batchId} and media_id = ${titleId} and is_changed = 0`)
}
