import type { FastifyBaseLogger } from 'fastify'
import { unverifiedDays } from '#shared/limits.ts'
import { openChangeSweep } from '#server/changes/sweep.ts'
import type { Db } from '#server/db/open.ts'
import type { PictureStorage } from '#server/uploads/pictures.ts'
import { removeDueAccounts } from './deletion.ts'
import { removeExpiredKeys } from '#server/http/idempotency.ts'
import { removeExpiredMail } from './mail-store.ts'
import { removeExpiredAccessTokens, removeExpiredSessions } from './sessions-store.ts'
import { removeUnverified } from './store.ts'

const firstDelayMs = 60_000
const intervalMs = 60 * 60_000
/** Small, so that requests run between batches. */
const batchSize = 100

/**
 * Removes accounts that were not verified within `unverifiedDays`, which frees their usernames and emails, and expired
 * sessions, tokens, email counts and idempotency keys. Returns the number of removed accounts.
 */
export async function removeStale(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  await removeExpiredMail(db, now)
  await removeExpiredSessions(db, now)
  await removeExpiredAccessTokens(db, now)
  await removeExpiredKeys(db, now, signal)
  const before = new Date(now.getTime() - unverifiedDays * 24 * 60 * 60_000)
  let removed = 0
  for (;;) {
    if (signal?.aborted) break
    const count = await db.transaction().execute((trx) => removeUnverified(trx, before, batchSize))
    removed += count
    if (count < batchSize) break
  }
  return removed
}

/**
 * Runs `removeStale`, `removeDueAccounts` and the sweep of the change log a minute after the start and every hour. `close` waits
 * for a run in progress, which stops after its current batch.
 */
export function startRemovingStale({
  db,
  storage,
  log,
}: {
  db: Db
  storage: PictureStorage
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
}): { close: () => Promise<void> } {
  const closing = new AbortController()
  const sweepChanges = openChangeSweep(db)
  let lastRun = Promise.resolve()
  const run = () => {
    lastRun = lastRun
      .then(() => removeStale(db, new Date(), closing.signal))
      .then((accounts) => {
        if (accounts > 0) log.info({ accounts }, 'removed unverified accounts')
      })
      .then(() => sweepChanges(new Date(), closing.signal))
      .catch((error: unknown) => log.error({ err: error }, 'removing stale accounts failed'))
      .then(() => removeDueAccounts(db, storage, new Date(), closing.signal))
      .then((accounts) => {
        if (accounts > 0) log.info({ accounts }, 'removed deleted accounts')
      })
      .catch((error: unknown) => log.error({ err: error }, 'removing deleted accounts failed'))
  }
  const first = setTimeout(run, firstDelayMs).unref()
  const timer = setInterval(run, intervalMs).unref()
  return {
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      closing.abort()
      await lastRun
    },
  }
}
