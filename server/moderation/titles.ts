import type { Db } from '#server/db/open.ts'
import * as store from './titles-store.ts'

export async function applyToTitle(trx: Db, id: number, now: Date): Promise<void> {
  await store.setRemoved(trx, id, (await store.isRemovalInForce(trx, id)) ? now : null)
}
