import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#server/db/open.ts'
import type { DecisionRow } from '#server/db/tables.ts'
import * as pictures from './pictures-store.ts'
import { covers } from './rules.ts'
import * as store from './store.ts'

/**
 * Takes the pictures that decisions in force have removed out of the profile of a member and out of titles, and puts back those whose
 * decision was undone, unless there is another picture now. Can be repeated.
 */
export async function applyToPicturesOf(db: Db, userId: number, signal?: AbortSignal): Promise<void> {
  const removals = (await store.listRestrictions(db, userId)).filter(
    ({ action, final_at }) => action === 'removeAll' && final_at === null,
  )
  const isRemoved = (createdAt: string) => removals.some((one) => covers(one, createdAt))
  if (removals.length > 0)
    for await (const { path, created_at } of paged((after) => pictures.listUploads(db, userId, after))) {
      if (!isRemoved(created_at)) continue
      signal?.throwIfAborted()
      await db.transaction().execute((trx) => pictures.takePicture(trx, userId, path))
    }
  for await (const removed of paged((after) => pictures.listRemoved(db, userId, after))) {
    if (isRemoved(removed.created_at)) continue
    signal?.throwIfAborted()
    await db.transaction().execute((trx) => pictures.restorePicture(trx, removed))
  }
}

/** Forgets where the pictures were that a decision removed, so that they are deleted as unused ones. */
export async function destroyPicturesOf(
  db: Db,
  decision: DecisionRow,
  userId: number,
  signal?: AbortSignal,
): Promise<void> {
  for await (const { id, created_at } of paged((after) => pictures.listRemoved(db, userId, after))) {
    if (!covers(decision, created_at)) continue
    signal?.throwIfAborted()
    await pictures.forgetRemoved(db, id)
  }
}

/** Yields rows page by page, each in its own turn of the event loop. */
async function* paged<Row extends { id: number }>(read: (after: number) => Promise<Row[]>) {
  for (let after = 0; ;) {
    const rows = await read(after)
    if (rows.length === 0) return
    after = rows.at(-1)!.id
    for (const row of rows) {
      yield row
      await nextTurn()
    }
  }
}
