import { latestDay } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { findTimeZone } from './episodes-store.ts'
import { lockPasses, settlePasses } from './passes.ts'
import { listDue } from './passes-store.ts'
import { clockIn } from './rules.ts'

const passesPerRun = 1_000

/** For members whose shows have a new season or other episodes. Returns how many passes it looked at. */
export async function settleDue(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const due = await listDue(db, latestDay(now), passesPerRun)
  for (const { user_id: userId, media_id: titleId } of due) {
    if (signal?.aborted) break
    await db.transaction().execute(async (trx) => {
      const viewing = { userId, titleId, clock: clockIn(await findTimeZone(trx, userId), now) }
      await lockPasses(trx, viewing)
      await settlePasses(trx, viewing)
    })
  }
  return due.length
}
