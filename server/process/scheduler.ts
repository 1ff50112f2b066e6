import { toRow } from '#server/db/tasks.ts'
import { openQueue, type Queue, type QueueOptions } from './queue.ts'

export type Job = {
  /** For the log: “remove unverified accounts”. */
  name: string
  everyMs: number
  /** Stops after its current batch once `signal` is aborted. Returned numbers are logged. */
  run: (now: Date, signal: AbortSignal) => Promise<Record<string, number> | void>
}

/** Calls it until it removes fewer than `limit`, so that requests run between the batches. Returns how many rows it removed. */
export async function removeInBatches(
  remove: (limit: number) => Promise<number>,
  limit: number,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  for (;;) {
    if (signal?.aborted) return removed
    const count = await remove(limit)
    removed += count
    if (count < limit) return removed
  }
}

const firstDelayMs = 60_000

/**
 * One at a time; first a minute after the first start. Of several processes on one database, one runs a job. A failed run is retried; one
 * that `close` interrupts is resumed by the next start.
 */
export async function startJobs(jobs: readonly Job[], options: QueueOptions): Promise<Queue> {
  const { db, log, now = () => new Date() } = options
  const fromNow = (ms: number) => new Date(now().getTime() + ms)
  await db
    .insertInto('tasks')
    .values(jobs.map(({ name }) => toRow({ queue: 'jobs', key: name }, fromNow(firstDelayMs))))
    .onConflict((conflict) => conflict.columns(['queue', 'key']).doNothing())
    .execute()
  return openQueue({
    ...options,
    name: 'jobs',
    async run({ key }, _waiting, signal) {
      const job = jobs.find(({ name }) => name === key)
      // Of an earlier version of Medley.
      if (!job) return undefined
      const counts = (await job.run(now(), signal)) ?? {}
      if (Object.values(counts).some((count) => count > 0)) log.info({ job: key, ...counts }, 'job done')
      return { dueAt: fromNow(signal.aborted ? 0 : job.everyMs) }
    },
  })
}
