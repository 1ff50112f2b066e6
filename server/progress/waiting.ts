import type { Db } from '#server/db/open.ts'
import { clockIn, withAired } from '#server/titles/airing.ts'
import { findStatement, listEpisodes, listPlayed } from './episodes-store.ts'
import { isWaitingFor } from './rules.ts'

/** Returns whether a member waits for a season of a show: reads the episodes once for all members. */
export async function openWaiting(db: Db, show: { id: number; season: number }, now: Date) {
  const episodes = withAired(await listEpisodes(db, show.id), clockIn('UTC', now))
  return async (trx: Db, userId: number): Promise<boolean> => {
    const statement = await findStatement(trx, userId, show.id)
    return isWaitingFor(show.season, episodes, await listPlayed(trx, userId, show.id), statement)
  }
}
