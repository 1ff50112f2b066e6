import type { FastifyBaseLogger } from 'fastify'

/** Work that is repeated in the background, such as the removal of expired rows. */
export type Job = {
  /** For the log: “remove unverified accounts”. */
  name: string
  everyMs: number
  /** Stops after its current batch once `signal` is aborted. May return how many rows or files it changed, which is logged. */
  run: (now: Date, signal: AbortSignal) => Promise<Record<string, number> | void>
}

/**
 * Repeats a removal of at most `limit` rows until it removes fewer, or until `signal` aborts, so that requests run between the
 * batches. Returns how many were removed.
 */
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
 * Runs each job a minute after the start and then at its interval, one job at a time. A run that fails is logged; the job runs
 * again at its next time. `close` waits for the run in progress.
 */
export function startJobs(
  jobs: readonly Job[],
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
): { close: () => Promise<void> } {
  const closing = new AbortController()
  let lastRun = Promise.resolve()
  const enqueue = ({ name, run }: Job) => {
    lastRun = lastRun
      .then(async () => {
        if (closing.signal.aborted) return
        const counts = (await run(new Date(), closing.signal)) ?? {}
        if (Object.values(counts).some((count) => count > 0)) log.info({ job: name, ...counts }, 'job done')
      })
      .catch((error: unknown) => log.error({ err: error, job: name }, 'job failed'))
  }
  const first = setTimeout(() => jobs.forEach(enqueue), firstDelayMs).unref()
  const timers = jobs.map((job) => setInterval(enqueue, job.everyMs, job).unref())
  return {
    async close() {
      clearTimeout(first)
      timers.forEach((timer) => clearInterval(timer))
      closing.abort()
      await lastRun
    },
  }
}
