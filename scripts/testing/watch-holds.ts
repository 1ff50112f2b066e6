import { afterEach, beforeEach } from 'vitest'
import { blockedMaxMs, slowness, watchHolds } from './event-loop.ts'

/**
 * Fails a test of the server during which the event loop was held so long that nothing else was served. The limit is ten times the limit of
 * the tests that measure one call (`isBlockedTooLong`), because this one also counts what the test does, code that runs for the first time
 * and the collection of garbage, and cannot measure again. Work that may take longer is wrapped in `withoutWatch`, or is in a file with `beforeEach(leaveUnwatched)`.
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
