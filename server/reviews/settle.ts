import type { Db } from '#server/db/open.ts'
import type { AboutColumn } from './tables.ts'
import * as store from './settle-store.ts'

const abouts = ['media_id', 'part_id'] as const
/** So that writes of the same titles need not wait. */
const batchSize = 100

/**
 * Sets `is_public` of texts and the counters of titles and parts, some at a time. Until then, reads look at these members one by one
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
  for (const about of abouts) settled += await settleTextsOf(db, userId, about, signal)
  if (signal?.aborted) return settled
  await db.transaction().execute(async (trx) => {
    const locked = await store.lockForSettling(trx, userId, [])
    if (!locked) return
    for (const about of abouts)
      if ((await store.listUnsettledTexts(trx, userId, about, 0, 1)).length > 0) return
    await store.setSettled(trx, userId, locked.isPublic)
  })
  return settled
}

async function settleTextsOf(
  db: Db,
  userId: number,
  about: AboutColumn,
  signal?: AbortSignal,
): Promise<number> {
  let settled = 0
  for (let after = 0; ;) {
    if (signal?.aborted) return settled
    const texts = await store.listUnsettledTexts(db, userId, about, after, batchSize)
    if (texts.length === 0) return settled
    settled += await db.transaction().execute(async (trx) => {
      const titleIds = [...new Set(texts.map(({ title_id }) => title_id))]
      const locked = await store.lockForSettling(trx, userId, titleIds)
      if (!locked) return 0
      const titles = new Set(locked.titles)
      const ids = texts.filter(({ title_id }) => titles.has(title_id)).map(({ id }) => id)
      return store.settleTexts(trx, userId, about, { ids, isPublic: locked.isPublic })
    })
    after = texts.at(-1)!.id
  }
}
