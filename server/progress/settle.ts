import { latestDay } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { clockIn } from '#server/titles/airing.ts'
import { findTimeZone } from './episodes-store.ts'
import { lockPasses, settlePasses, type Viewing } from './passes.ts'
import { listDue } from './passes-store.ts'

const passesPerRun = 1_000

export async function findViewing(db: Db, userId: number, titleId: number, now: Date): Promise<Viewing> {
  return { userId, titleId, clock: clockIn(await findTimeZone(db, userId), now) }
}

/** The diary of a show follows from its plays, which other entries can end. */
export async function settleShow(trx: Db, userId: number, titleId: number, now: Date, isUndo = false) {
  const viewing = await findViewing(trx, userId, titleId, now)
  await lockPasses(trx, viewing)
  await settlePasses(trx, viewing, isUndo)
}

/** For members whose shows have a new season or other episodes. Returns how many passes it looked at. */
export async function settleDue(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const due = await listDue(db, latestDay(now), passesPerRun)
  for (const { user_id: userId, media_id: titleId } of due) {
    if (signal?.aborted) break
    await db.transaction().execute((trx) => settleShow(trx, userId, titleId, now))
  }
  return due.length
}
