import type { Db } from '#server/db/open.ts'
import * as store from './settle-store.ts'

/** So that writes of the same titles need not wait. */
const batchSize = 100

/**
 * Sets `is_public` of texts and the counters of titles, some at a time. Until then, reads look at these members one by one
 * (`exceptionsFor`), so that nothing depends on when this runs. Returns the number of changed texts.
 */
export async function settleMembers(db: Db, signal?: AbortSignal): Promise<number> {
  let settled = 0
  for (let after = 0; ;) {
    const ids = await store.listUnsettled(db, after, batchSize)
    for (const id of ids) settled += await settleMember(db, id, signal)
    if (ids.length < batchSize || signal?.aborted) return settled
    after = ids.at(-1)!
  }
}

/** What others have locked stays as it is until the next run. */
async function settleMember(db: Db, userId: number, signal?: AbortSignal): Promise<number> {
  let settled = 0
  for (let after = 0; ;) {
    if (signal?.aborted) return settled
    const texts = await store.listUnsettledTexts(db, userId, after, batchSize)
    const titleIds = texts.map((text) => text.media_id)
    settled += await db.transaction().execute(async (trx) => {
      const locked = await store.lockForSettling(trx, userId, titleIds)
      if (!locked) return 0
      if (texts.length > 0) return store.settleTexts(trx, userId, locked)
      if ((await store.listUnsettledTexts(trx, userId, 0, 1)).length === 0)
        await store.setSettled(trx, userId, locked.isPublic)
      return 0
    })
    if (texts.length === 0) return settled
    after = titleIds.at(-1)!
  }
}
