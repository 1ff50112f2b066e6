import type { Insertable } from 'kysely'
import { insertMany } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { prepareFirst } from '#server/db/prepared.ts'
import { countRows, removeRows } from '#server/db/rows.ts'
import type { Tables } from '#server/db/tables.ts'
import { isTitleShown, maySeeDiary } from '#server/members/visibility.ts'
import type { StepRow } from './tables.ts'

/** An entry of a diary that the viewer may read. */
export const findReadableEntry = prepareFirst((db, id: number, viewerId: number) =>
  db
    .selectFrom('diary_entries')
    .innerJoin('users', 'users.id', 'diary_entries.user_id')
    .innerJoin('media', 'media.id', 'diary_entries.media_id')
    .select(['diary_entries.user_id', 'diary_entries.media_id'])
    .where('diary_entries.id', '=', id)
    .where(maySeeDiary(viewerId))
    .where(isTitleShown),
)

export async function listSteps(
  db: Db,
  entryId: number,
  after: { day: string; id: number } | undefined,
  limit: number,
): Promise<StepRow[]> {
  return db
    .selectFrom('steps')
    .selectAll()
    .where('entry_id', '=', entryId)
    .$if(after !== undefined, (query) =>
      query
        .where('day', '<=', after!.day)
        .where((eb) => eb.or([eb('day', '<', after!.day), eb('id', '<', after!.id)])),
    )
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countSteps(db: Db, entryId: number): Promise<number> {
  return countRows(db.selectFrom('steps').where('entry_id', '=', entryId))
}

export async function insertStep(db: Db, step: Insertable<Tables['steps']>): Promise<number> {
  const { id } = await db.insertInto('steps').values(step).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertSteps(db: Db, steps: readonly Insertable<Tables['steps']>[]): Promise<void> {
  await insertMany(db, 'steps', steps)
}

/** Undefined if the entry has no such step. */
export async function findStep(db: Db, entryId: number, id: number): Promise<StepRow | undefined> {
  return db
    .selectFrom('steps')
    .selectAll()
    .where('id', '=', id)
    .where('entry_id', '=', entryId)
    .executeTakeFirst()
}

/** Whether a step was added after the one with this id. */
export async function hasStepAfter(db: Db, entryId: number, id: number): Promise<boolean> {
  const later = db.selectFrom('steps').select('id').where('entry_id', '=', entryId).where('id', '>', id)
  return (await later.limit(1).executeTakeFirst()) !== undefined
}

export async function removeStep(db: Db, id: number): Promise<void> {
  await removeRows(db, 'steps', { id })
}

/** The entry that gets steps changes with them. */
export async function moveSteps(trx: Db, from: number, to: number, at: string): Promise<void> {
  const moved = trx.updateTable('steps').set({ entry_id: to }).where('entry_id', '=', from)
  if ((await moved.executeTakeFirstOrThrow()).numUpdatedRows === 0n) return
  await trx.updateTable('diary_entries').set({ updated_at: at }).where('id', '=', to).execute()
}

export function selectExportedSteps(db: Db, userId: number) {
  return db
    .selectFrom('steps')
    .innerJoin('diary_entries', 'diary_entries.id', 'steps.entry_id')
    .selectAll('steps')
    .select('diary_entries.media_id')
    .where('steps.user_id', '=', userId)
}
