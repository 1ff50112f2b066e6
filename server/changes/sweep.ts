import { changesMax } from '#shared/domain/limits.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { retentionMs } from './rules.ts'
import { removeInBatches } from '#server/process/scheduler.ts'
import { findPositionBefore, listAfterId, removeOld, removeUpTo } from './store.ts'

const batchSize = 1_000
/** The time of a change is the time of its write, which a long transaction commits later. */
const slackMs = dayMs

/** After 90 days, or beyond `max` of a member and area. */
export function openChangeSweep(
  db: Db,
  max: number = changesMax,
): (now: Date, signal?: AbortSignal) => Promise<void> {
  /** Only new changes can exceed the maximum. */
  let checkedId = 0
  return async (now, signal) => {
    const before = new Date(now.getTime() - retentionMs - slackMs)
    await removeInBatches((limit) => removeOld(db, before, limit), batchSize, signal)
    const checked = new Set<string>()
    for (;;) {
      const rows = await listAfterId(db, checkedId, batchSize)
      for (const { user_id, area } of rows) {
        if (signal?.aborted) return
        const key = `${user_id} ${area}`
        if (checked.has(key)) continue
        checked.add(key)
        const last = await findPositionBefore(db, user_id, area, max)
        if (last)
          await removeInBatches((limit) => removeUpTo(db, user_id, area, last, limit), batchSize, signal)
      }
      if (rows.length === 0) return
      checkedId = rows.at(-1)!.id
    }
  }
}
