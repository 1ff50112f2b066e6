import { deliveriesMax, deliveryDays } from '#shared/domain/limits.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { removeInBatches } from '#server/process/scheduler.ts'
import { listWebhookIds, removeDeliveries } from './store.ts'

const webhooksPerStep = 100
/** Small, so that requests run between batches. */
const batchSize = 1_000
/** Older than `deliveryDays`, or beyond `deliveriesMax` of a webhook. Returns how many. */
export async function removeOldDeliveries(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - deliveryDays * dayMs)
  let removed = 0
  for (let last = 0; ;) {
    const ids = await listWebhookIds(db, last, webhooksPerStep)
    for (const id of ids)
      removed += await removeInBatches(
        (limit) => removeDeliveries(db, id, before, deliveriesMax, limit),
        batchSize,
        signal,
      )
    if (ids.length === 0 || signal?.aborted) return removed
    last = ids.at(-1)!
  }
}
