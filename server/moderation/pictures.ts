import type { Db } from '#server/db/open.ts'
import type { DecisionRow } from './tables.ts'
import { paged } from './paged.ts'
import * as pictures from './pictures-store.ts'
import { covers } from './rules.ts'
import * as decisionsStore from './decisions-store.ts'

/**
 * Takes removed pictures out of profile and titles, and puts back those whose decision was undone, unless there is another picture now. Can
 * be repeated.
 */
export async function applyToPicturesOf(db: Db, userId: number, signal?: AbortSignal): Promise<void> {
  const removals = (await decisionsStore.listRestrictions(db, userId)).filter(
    ({ action, final_at }) => action === 'removeAll' && final_at === null,
  )
  const isRemoved = (createdAt: string) => removals.some((one) => covers(one, createdAt))
  if (removals.length > 0)
    for await (const { path, created_at } of paged(
      (after) => pictures.listUploads(db, userId, after),
      signal,
    )) {
      if (!isRemoved(created_at)) continue
      await db.transaction().execute((trx) => pictures.takePicture(trx, userId, path))
    }
  for await (const removed of paged((after) => pictures.listRemoved(db, userId, after), signal)) {
    if (isRemoved(removed.created_at)) continue
    await db.transaction().execute((trx) => pictures.restorePicture(trx, removed))
  }
}

/** The sweep of unused uploads deletes the files. */
export async function destroyPicturesOf(
  db: Db,
  decision: DecisionRow,
  userId: number,
  signal?: AbortSignal,
): Promise<void> {
  for await (const { id, created_at } of paged((after) => pictures.listRemoved(db, userId, after), signal))
    if (covers(decision, created_at)) await pictures.forgetRemoved(db, id)
}
