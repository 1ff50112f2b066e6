import type { Db } from '#server/db/open.ts'
import { findStated, findStatus, listEpisodes, listPlayed } from './episodes-store.ts'
import { clockIn, isWaitingFor, withAired } from './rules.ts'

/** Returns whether a member waits for a season of a show: reads the episodes once for all members. */
export async function openWaiting(db: Db, show: { id: number; season: number }, now: Date) {
  const episodes = withAired(await listEpisodes(db, show.id), clockIn('UTC', now))
  return async (trx: Db, userId: number): Promise<boolean> => {
    const status = (await findStatus(trx, userId, show.id))?.status ?? null
    const stated = (await findStated(trx, userId, show.id))?.stated ?? null
    return isWaitingFor(show.season, episodes, await listPlayed(trx, userId, show.id), { status, stated })
  }
}
