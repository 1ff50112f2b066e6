import PQueue from 'p-queue'
import { busy } from '#server/trpc/errors.ts'

/**
 * Returns a function that runs work with at most `concurrency` running at the same time. Work is rejected with
 * SERVICE_UNAVAILABLE, without being run, if `queueMax` others are waiting or if it has waited for `waitMaxMs`.
 */
export function openConcurrencyLimit({
  concurrency,
  waitMaxMs,
  queueMax = Infinity,
}: {
  concurrency: number
  waitMaxMs: number
  queueMax?: number
}) {
  const queue = new PQueue({ concurrency })
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size >= queueMax) throw busy()
    const waitedTooLong = new AbortController()
    const timer = setTimeout(() => waitedTooLong.abort(busy()), waitMaxMs)
    try {
      return await queue.add(
        () => {
          clearTimeout(timer)
          return work()
        },
        { signal: waitedTooLong.signal },
      )
    } finally {
      clearTimeout(timer)
    }
  }
}
