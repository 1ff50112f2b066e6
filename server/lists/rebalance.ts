import type { Db } from '#server/db/open.ts'
import { openQueue, type Queue, type QueueOptions } from '#server/process/queue.ts'
import { listOrder, updatePlaces } from './items-store.ts'
import { spreadPlaces } from './places.ts'
import { lockList } from './store.ts'

/** For lists in which places have become long. Several processes can do so on the same database. */
export function openRebalancing(options: QueueOptions): Queue {
  return openQueue({
    ...options,
    name: 'lists',
    run: ({ owner }) => rebalance(options.db, Number(owner)),
  })
}

async function rebalance(db: Db, listId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await lockList(trx, listId))) return
    const ids = await listOrder(trx, listId)
    await updatePlaces(trx, listId, ids, spreadPlaces(ids.length))
  })
}
