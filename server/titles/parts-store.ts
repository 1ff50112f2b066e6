import { sql } from 'kysely'
import type { PartIdSource } from '#shared/domain/kinds.ts'
import { isOneOf, updateMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst } from '#server/db/prepared.ts'
import { insertNew, updateInParts } from '#server/db/rows.ts'
import type { NewPart, PartRow } from './tables.ts'

/** Parts without a parent first, each level by number. */
export async function listParts(db: Db, titleId: number): Promise<PartRow[]> {
  return db
    .selectFrom('parts')
    .selectAll()
    .where('media_id', '=', titleId)
    .orderBy(sql`coalesce(parent_id, 0)`)
    .orderBy('number')
    .execute()
}

export const findEpisodeSource = prepareFirst((db, titleId: number) =>
  db
    .selectFrom('parts')
    .select('source')
    .where('media_id', '=', titleId)
    .where('type', '=', 'episode')
    .where('is_gone', '=', 0)
    .limit(1),
)

export const findAnnounced = prepareFirst((db, titleId: number) =>
  db.selectFrom('announced_seasons').select('season').where('media_id', '=', titleId),
)

export async function saveAnnounced(trx: Db, media_id: number, season: number): Promise<void> {
  await trx
    .insertInto('announced_seasons')
    .values({ media_id, season })
    .onConflict((conflict) => conflict.column('media_id').doUpdateSet({ season }))
    .execute()
}

export async function listPartIds(db: Db, titleId: number) {
  return db
    .selectFrom('part_ids')
    .innerJoin('parts', 'parts.id', 'part_ids.part_id')
    .select(['part_ids.source', 'external_id', 'part_id'])
    .where('media_id', '=', titleId)
    .execute()
}

/** A statement has a limited number of values. */
const rowsPerInsert = 500

export async function insertParts(trx: Db, parts: readonly NewPart[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (let from = 0; from < parts.length; from += rowsPerInsert) {
    const rows = await trx
      .insertInto('parts')
      .values(parts.slice(from, from + rowsPerInsert))
      .returning(['id', 'type', 'parent_id', 'number'])
      .execute()
    for (const row of rows) ids.set(placeOf(row), row.id)
  }
  return ids
}

export async function listWithEpisodes(db: Db, titleIds: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('parts')
    .select('media_id')
    .distinct()
    .where(isOneOf(db, 'media_id', titleIds))
    .where('type', '=', 'episode')
    .execute()
  return new Set(rows.map(({ media_id }) => media_id))
}

const written = [
  'parent_id',
  'season',
  'number',
  'name',
  'release_date',
  'airs_at',
  'runtime',
  'source',
  'is_gone',
] as const

/** Places are unique: parts leave them so that they can change places. `updateParts` must follow. */
export async function leavePlaces(trx: Db, titleId: number): Promise<void> {
  await trx
    .updateTable('parts')
    .set({ number: sql<number>`-id` })
    .where('media_id', '=', titleId)
    .where('is_gone', '=', 0)
    .execute()
}

export async function updateParts(
  trx: Db,
  parts: readonly Pick<PartRow, 'id' | (typeof written)[number]>[],
): Promise<void> {
  await updateMany(trx, 'parts', written, parts)
}

export async function listUsedParts(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const named = (table: 'reviews' | 'comments' | 'removed_reviews', column: 'safe_episode_id' | 'part_id') =>
    db
      .selectFrom(table)
      .select(sql<number>`${sql.ref(column)}`.as('id'))
      .where(isOneOf(db, column, ids))
  const rows = await db
    .selectFrom('plays')
    .select('episode_id as id')
    .where(isOneOf(db, 'episode_id', ids))
    .union(named('reviews', 'part_id'))
    .union(named('removed_reviews', 'part_id'))
    .union(named('reviews', 'safe_episode_id'))
    .union(named('comments', 'safe_episode_id'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * The passes of all members must be derived again: the newest pass of a member is marked, with which `settleDue` derives the older ones. It
 * has no day if the member paused or dropped it, or if another entry is under way.
 */
export async function unsettlePasses(trx: Db, titleId: number): Promise<void> {
  const isNewest = sql`not exists (select 1 from diary_entries as later where later.user_id = diary_entries.user_id
    and later.media_id = diary_entries.media_id and later.pass > diary_entries.pass)`
  const isSettled = sql`media_id = ${titleId} and pass is not null and coalesce(next_on, '~') > ''`
  await updateInParts(trx, 'diary_entries', sql`next_on = ''`, sql`${isSettled} and ${isNewest}`)
}

export async function removeParts(trx: Db, ids: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('parts')
    .where(isOneOf(trx, 'id', ids))
    .execute()
}

/** Skips ids that already belong to a part. */
export async function insertPartIds(
  trx: Db,
  ids: { source: PartIdSource; external_id: string; part_id: number }[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += rowsPerInsert)
    await insertNew(trx, 'part_ids', ids.slice(from, from + rowsPerInsert))
}

/** Of two at the same place, the one of the other title stays, and gets the parts within the other one that it lacks. */
export async function moveParts(trx: Db, from: number, to: number): Promise<void> {
  const others = await listParts(trx, to)
  const places = new Map(others.filter(isPresent).map((part) => [placeOf(part), part.id]))
  const parts = await listParts(trx, from)
  // Of parts that are gone, the numbers are not unique.
  const staying = new Map<number, number>()
  for (const part of parts.filter(({ parent_id }) => parent_id === null)) {
    const other = places.get(placeOf(part))
    if (other !== undefined) staying.set(part.id, other)
  }
  const moved = parts
    .filter(({ id }) => !staying.has(id))
    .map((part) => ({ ...part, parent_id: staying.get(part.parent_id!) ?? part.parent_id }))
    .filter((part) => !isPresent(part) || !places.has(placeOf(part)))
  await leavePlaces(trx, from)
  await trx
    .updateTable('parts')
    .set({ media_id: to })
    .where('media_id', '=', from)
    .where(
      isOneOf(
        trx,
        'id',
        moved.map(({ id }) => id),
      ),
    )
    .execute()
  await updateParts(trx, moved)
  await trx.deleteFrom('parts').where('media_id', '=', from).execute()
  if (moved.length > 0) await unsettlePasses(trx, to)
}

const isPresent = ({ is_gone }: Pick<PartRow, 'is_gone'>) => is_gone === 0

export function placeOf({ type, parent_id, number }: Pick<PartRow, 'type' | 'parent_id' | 'number'>): string {
  return `${type} ${parent_id ?? 0} ${number}`
}
