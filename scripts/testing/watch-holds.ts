import { afterEach, beforeEach } from 'vitest'
import { blockedMaxMs, slowness, watchHolds } from './event-loop.ts'

/**
 * Ten times the limit of the tests that measure one call (`isBlockedTooLong`): this one also counts the test, code that runs for the first
 * time and garbage collection, and cannot measure again. Wrap longer work in `withoutWatch`.
 */
const maxMs = 10 * blockedMaxMs

let holds: ReturnType<typeof watchHolds> | undefined
beforeEach(() => void (holds = watchHolds()))
afterEach(({ task }) => {
  const { ms } = holds!.end()
  if (ms <= maxMs || !/[\\/]server[\\/]/.test(task.file.filepath)) return
  const limitMs = maxMs * slowness()
  if (ms > limitMs)
    throw new Error(
      `The event loop was held for ${Math.round(ms)} ms of CPU time, longer than ${Math.round(limitMs)} ms (scripts/testing/watch-holds.ts).`,
    )
})
