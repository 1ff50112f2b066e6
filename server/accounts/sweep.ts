import type { FastifyBaseLogger } from 'fastify'
import { unverifiedDays } from '#shared/limits.ts'
import type { Db } from '#server/db/open.ts'
import { removeExpired, removeUnverified } from './store.ts'

const firstMs = 60_000
const everyMs = 60 * 60_000
/** Small, so that requests come in between. */
const batch = 100

/**
 * Removes accounts that were not verified in time, whose names and emails become free, and what has expired: sessions,
 * tokens, counts of mails. Returns the number of accounts.
 */
export async function removeStale(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  await removeExpired(db, now)
  const before = new Date(now.getTime() - unverifiedDays * 24 * 60 * 60_000)
  let removed = 0
  for (;;) {
    if (signal?.aborted) break
    const count = await db.transaction().execute((trx) => removeUnverified(trx, before, batch))
    removed += count
    if (count < batch) break
  }
  return removed
}

/** Does so a minute after the start and every hour; `close` waits for the round that is running. */
export function startRemovingStale({ db, log }: { db: Db; log: Pick<FastifyBaseLogger, 'info' | 'error'> }): {
  close: () => Promise<void>
} {
  const closing = new AbortController()
  let round = Promise.resolve()
  const run = () => {
    round = round
      .then(() => removeStale(db, new Date(), closing.signal))
      .then((accounts) => {
        if (accounts > 0) log.info({ accounts }, 'accounts that were never verified removed')
      })
      .catch((error: unknown) => log.error({ err: error }, 'removing stale accounts failed'))
  }
  const first = setTimeout(run, firstMs).unref()
  const timer = setInterval(run, everyMs).unref()
  return {
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      closing.abort()
      await round
    },
  }
}
