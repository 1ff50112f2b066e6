import { sql } from 'kysely'
import type { PartIdSource } from '#shared/domain/kinds.ts'
import { isOneOf, updateMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { insertNew } from '#server/db/rows.ts'
import type { NewPart, PartRow } from './tables.ts'

/** Those without a parent first, each level by number. */
export async function listParts(db: Db, titleId: number): Promise<PartRow[]> {
  return db
    .selectFrom('parts')
    .selectAll()
    .where('media_id', '=', titleId)
    .orderBy(sql`coalesce(parent_id, 0)`)
    .orderBy('number')
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

export async function insertPart(trx: Db, part: NewPart): Promise<number> {
  const { id } = await trx.insertInto('parts').values(part).returning('id').executeTakeFirstOrThrow()
  return id
}

const written = ['parent_id', 'number', 'name', 'release_date', 'runtime', 'source'] as const

/** Places are unique: parts leave them so that they can change places. `updateParts` must follow. */
export async function leavePlaces(trx: Db, titleId: number): Promise<void> {
  await trx
    .updateTable('parts')
    .set({ number: sql<number>`-id` })
    .where('media_id', '=', titleId)
    .execute()
}

export async function updateParts(
  trx: Db,
  parts: readonly Pick<PartRow, 'id' | (typeof written)[number]>[],
): Promise<void> {
  await updateMany(trx, 'parts', written, parts)
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
  if (ids.length > 0) await insertNew(trx, 'part_ids', ids)
}

/** Of two at the same place, the one of the other title stays. */
export async function moveParts(trx: Db, from: number, to: number): Promise<void> {
  const places = new Set((await listParts(trx, to)).map(placeOf))
  const parts = (await listParts(trx, from)).filter(({ parent_id }) => parent_id === null)
  const moved = parts.filter((part) => !places.has(placeOf(part))).map(({ id }) => id)
  await trx
    .updateTable('parts')
    .set({ media_id: to })
    .where('media_id', '=', from)
    .where((eb) => eb.or([isOneOf(trx, 'id', moved), isOneOf(trx, 'parent_id', moved)]))
    .execute()
  await trx.deleteFrom('parts').where('media_id', '=', from).execute()
}

export function placeOf({ type, parent_id, number }: Pick<PartRow, 'type' | 'parent_id' | 'number'>): string {
  return `${type} ${parent_id ?? 0} ${number}`
}
