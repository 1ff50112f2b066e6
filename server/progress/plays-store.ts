import { sql } from 'kysely'
import { insertMany, isOneOf, isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareByIds, prepareQuery } from '#server/db/prepared.ts'
import { countRows, partSize, removeInParts } from '#server/db/rows.ts'
import type { BatchRow, PlayRow } from './tables.ts'

export type NewPlay = Omit<PlayRow, 'id' | 'is_changed'>

export async function insertPlays(trx: Db, plays: readonly NewPlay[]): Promise<void> {
  for (let at = 0; at < plays.length; at += partSize)
    await insertMany(trx, 'plays', plays.slice(at, at + partSize))
}

export async function insertBatch(
  trx: Db,
  batch: Pick<BatchRow, 'user_id' | 'media_id' | 'type' | 'count' | 'created_at'> &
    Partial<Pick<BatchRow, 'source' | 'import_id'>>,
): Promise<number> {
  const { id } = await trx
    .insertInto('batches')
    .values({ source: 'member', ...batch, changed_at: batch.created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const removedColumns = sql.raw(
  'episode_id, pass, watched_on, watched_at, batch_id, source, origin, is_changed, created_at',
)

/** The undo of the batch brings them back. */
export async function removePlays(trx: Db, batchId: number, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += partSize) {
    const isPart = isOneOf(trx, 'id', ids.slice(at, at + partSize))
    await sql`insert into removed_plays (removed_by, ${removedColumns})
      select ${batchId}, ${removedColumns} from plays where ${isPart}`.execute(trx)
    await trx.deleteFrom('plays').where(isPart).execute()
  }
}

/** Leaves out episodes that were played again since, and plays that the undo of their own batch would have removed. */
export async function restorePlays(trx: Db, batchId: number, userId: number): Promise<void> {
  await sql`insert into plays (user_id, media_id, ${removedColumns})
    select ${userId}, parts.media_id, episode_id, pass, watched_on, watched_at, batch_id, removed_plays.source, origin,
      is_changed, created_at
    from removed_plays join parts on parts.id = removed_plays.episode_id
    where removed_by = ${batchId}
      and (is_changed = 1 or not exists (select 1 from batches where batches.id = removed_plays.batch_id and undone_at is not null))
    on conflict do nothing`.execute(trx)
  await removeInParts(trx, 'removed_plays', sql`removed_by = ${batchId}`)
}

/** Not those that changed since. */
export async function removePlaysOf(trx: Db, batchId: number): Promise<void> {
  await removeInParts(trx, 'plays', sql`batch_id = ${batchId} and is_changed = 0`)
}

/** The shows of the plays that the undo of the batch removes or brings back, in their order. */
export async function listShowsOf(db: Db, batchId: number): Promise<number[]> {
  const { rows } = await sql<{ media_id: number }>`
    select media_id from plays where batch_id = ${batchId}
    union select parts.media_id from removed_plays join parts on parts.id = removed_plays.episode_id
      where removed_by = ${batchId}
    order by media_id`.execute(db)
  return rows.map(({ media_id }) => media_id)
}

export async function lockBatch(trx: Db, userId: number, id: number): Promise<BatchRow | undefined> {
  return trx
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .$if(!isSqlite(trx), (query) => query.forUpdate())
    .executeTakeFirst()
}

export async function updateBatch(
  trx: Db,
  id: number,
  values: Partial<Pick<BatchRow, 'undone_at' | 'changed_at'>>,
): Promise<void> {
  await trx.updateTable('batches').set(values).where('id', '=', id).execute()
}

export const listBatches = prepareByIds((db, ids) =>
  db
    .selectFrom('batches')
    .selectAll()
    .where(isOneOf(db, 'batches.id', ids)),
)

/** The newest first, before the id `before`. */
export const listBatchesOf = prepareQuery((db, userId: number, before: number, limit: number) =>
  db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit),
)

function shownPlays(db: Db, userId: number) {
  return db
    .selectFrom('plays')
    .innerJoin('parts', 'parts.id', 'plays.episode_id')
    .selectAll('plays')
    .select([
      'parts.season',
      'parts.number',
      'parts.name',
      'parts.release_date',
      'parts.airs_at',
      'parts.runtime',
    ])
    .where('plays.user_id', '=', userId)
}

/** The last added first, before the id `before`. */
export async function listPlaysOf(db: Db, userId: number, titleId: number, before: number, limit: number) {
  // An index has these columns. With the others, all plays of the show would be read.
  const ids = db
    .selectFrom('plays')
    .select('id')
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
  return shownPlays(db, userId).where('plays.id', 'in', ids).orderBy('plays.id', 'desc').execute()
}

/** The last watched first; plays of unknown days last. */
export async function listPlaysOfMember(
  db: Db,
  userId: number,
  after: { day: string; id: number } | undefined,
  limit: number,
) {
  const day = sql<string>`coalesce(plays.watched_on, '')`
  return shownPlays(db, userId)
    .$if(after !== undefined, (query) =>
      query
        .where(day, '<=', after!.day)
        .where((eb) => eb.or([eb(day, '<', after!.day), eb('plays.id', '<', after!.id)])),
    )
    .orderBy(day, 'desc')
    .orderBy('plays.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findPlay(db: Db, userId: number, id: number) {
  return shownPlays(db, userId).where('plays.id', '=', id).executeTakeFirst()
}

export async function updatePlay(
  trx: Db,
  id: number,
  values: Pick<PlayRow, 'watched_on' | 'watched_at'>,
): Promise<void> {
  await trx
    .updateTable('plays')
    .set({ ...values, is_changed: 1 })
    .where('id', '=', id)
    .execute()
}

export async function listPlayersOf(db: Db, titleId: number): Promise<number[]> {
  const ofTitle = db.selectFrom('parts').select('id').where('media_id', '=', titleId)
  const plays = db.selectFrom('plays').select('user_id').distinct().where('episode_id', 'in', ofTitle)
  return (await plays.orderBy('user_id').execute()).map(({ user_id }) => user_id)
}

export async function listPlayIds(db: Db, userId: number, titleId: number, pass: number) {
  return db
    .selectFrom('plays')
    .select(['id', 'episode_id'])
    .where('user_id', '=', userId)
    .where('media_id', '=', titleId)
    .where('pass', '=', pass)
    .execute()
}

export async function countPlays(db: Db, userId: number, titleId: number): Promise<number> {
  return countRows(db.selectFrom('plays').where('user_id', '=', userId).where('media_id', '=', titleId))
}

/** `tmdb:62085`. */
const episodeKey = sql<string | null>`(select replace(source, '-episode', '') || ':' || external_id
  from part_ids where part_ids.part_id = plays.episode_id order by source limit 1)`

export function selectExportedPlays(db: Db, userId: number) {
  return db
    .selectFrom('plays')
    .innerJoin('parts', 'parts.id', 'plays.episode_id')
    .selectAll('plays')
    .select(['parts.season', 'parts.number', episodeKey.as('episode_key')])
    .where('plays.user_id', '=', userId)
}
