import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#server/db/open.ts'
import type { DecisionRow } from './tables.ts'
import { removeList } from '#server/lists/store.ts'
import * as lists from './lists-store.ts'
import { covers, standingOf, wantedOf } from './rules.ts'
import * as store from './store.ts'
import * as decisionsStore from './decisions-store.ts'

export async function applyToList(trx: Db, id: number, now: Date): Promise<void> {
  const present = await lists.lockList(trx, id)
  const list = present ?? (await lists.findDeletedList(trx, id))
  if (!list) return
  const restrictions = await decisionsStore.listRestrictions(trx, list.user_id)
  const decisions = [...restrictions, ...(await decisionsStore.listInForce(trx, 'list', [id]))]
  const about = { type: 'list' as const, id, createdAt: list.created_at }
  const { isHidden } = wantedOf(about, decisions, standingOf(restrictions, now))
  if (!present) {
    // Its owner has deleted it: nothing comes back, but they may import it again.
    if (!isHidden) await lists.forgetDeletedList(trx, id)
  } else if (isHidden !== (present.removed_at !== null))
    await lists.setRemoved(trx, id, isHidden ? now : null)
}

export async function applyToListsOf(db: Db, userId: number, now: Date, signal?: AbortSignal): Promise<void> {
  for (const { id } of await listAllBy(db, userId)) {
    signal?.throwIfAborted()
    await db.transaction().execute((trx) => applyToList(trx, id, now))
    await nextTurn()
  }
}

export async function deleteRemovedList(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const list = await lists.lockList(trx, id)
    if (list && list.removed_at !== null) await removeList(trx, id)
    await lists.forgetDeletedList(trx, id)
  })
}

async function listAllBy(db: Db, userId: number) {
  return [...(await lists.listListsBy(db, userId)), ...(await lists.listDeletedBy(db, userId))]
}

export async function destroyListsOf(
  db: Db,
  decision: DecisionRow,
  userId: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const { id, created_at } of await listAllBy(db, userId)) {
    if (!covers(decision, created_at)) continue
    signal?.throwIfAborted()
    await deleteRemovedList(db, id)
    await store.forgetSnapshots(db, userId, { type: 'list', id })
    await nextTurn()
  }
}
