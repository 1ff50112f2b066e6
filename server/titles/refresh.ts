import { setImmediate } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import type { Db } from '#server/db/open.ts'
import { listExternalIds } from './external-ids-store.ts'
import { saveParts } from './parts.ts'
import { findEpisodeSource } from './parts-store.ts'
import { listUnchecked, markChecked } from './refresh-store.ts'
import type { Sources } from './sources/source.ts'
import { findLastTitleId, lockTitle } from './store.ts'

const everyMs = 24 * 3_600_000
/** The sources answer one call a second: a run takes about a minute. */
const showsPerRun = 20
const runMaxMs = 90_000
const titlesPerSlice = 2_000
const slicesPerRun = 50

/** The episodes of shows that members watch, or want to, each once a day. While a source fails, its shows wait for a later run. */
export function openRefresh(db: Db, { episodes: sources }: Pick<Sources, 'episodes'>) {
  const run = openRounds(db, { everyMs, perRun: showsPerRun, listDue: listUnchecked })
  return async (now: Date, signal: AbortSignal): Promise<{ shows: number }> => {
    if (sources.length === 0) return { shows: 0 }
    const shows = await run(now, signal, async (id) => {
      if (await refreshEpisodes(db, sources, id, now)) await markChecked(db, id, now.toISOString())
      return true
    })
    return { shows }
  }
}

type Slice = { after: number; upTo: number; before: string }

/**
 * Runs over all titles, in slices: each continues where the last one stopped. `listDue` returns the titles of a slice that were last
 * refreshed before a time; `refresh` returns false to end the run. A run returns how many titles it refreshed.
 */
export function openRounds(
  db: Db,
  {
    everyMs,
    perRun,
    listDue,
  }: { everyMs: number; perRun: number; listDue: (db: Db, slice: Slice) => Promise<number[]> },
) {
  let after = 0
  return async (
    now: Date,
    signal: AbortSignal,
    refresh: (id: number) => Promise<boolean>,
  ): Promise<number> => {
    const began = performance.now()
    const before = new Date(now.getTime() - everyMs).toISOString()
    const last = await findLastTitleId(db)
    let count = 0
    for (let slices = 0; slices < slicesPerRun; slices++) {
      const upTo = after + titlesPerSlice
      for (const id of await listDue(db, { after, upTo, before })) {
        if (signal.aborted || count >= perRun || performance.now() - began > runMaxMs) return count
        after = id
        if (!(await refresh(id))) return count
        count++
      }
      after = upTo >= last ? 0 : upTo
      if (after === 0) break
      await setImmediate()
    }
    return count
  }
}

/** Asks the sources until one has the episodes. Returns false if a source was down. */
async function refreshEpisodes(
  db: Db,
  sources: Sources['episodes'],
  titleId: number,
  now: Date,
): Promise<boolean> {
  const ids = await listExternalIds(db, titleId)
  const current = (await findEpisodeSource(db, titleId))?.source
  for (const source of sources) {
    let found
    try {
      found = await source.findEpisodes(ids)
    } catch (error) {
      // The next source would number the episodes in its own way.
      return error instanceof TRPCError && error.code === 'BAD_GATEWAY'
    }
    if (found) {
      const parts = found
      await db.transaction().execute(async (trx) => {
        const title = await lockTitle(trx, titleId)
        if (title?.kind === 'tvShow') await saveParts(trx, title, parts, source.name, { isChosen: true, now })
      })
      return true
    }
    // It has removed the show, or all episodes by mistake.
    if (source.name === current) return true
  }
  return true
}
