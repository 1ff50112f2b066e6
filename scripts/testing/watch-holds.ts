import { afterEach, beforeEach } from 'vitest'
import { blockedMaxMs, slowness, takeUnwatched, type Turn, watchHolds } from './event-loop.ts'

/**
 * Finds the tests of the server during which the event loop was held so long that nothing else was served, with the limit of the tests that
 * measure one call. Work of a test itself that may take longer is wrapped in `withoutWatch`, or is in a file with
 * `beforeEach(leaveUnwatched)`. confirm-holds.ts runs the file of such a test again, alone, where the test fails if it holds the event loop again.
 */

/** The names of the tests that fail if they hold the event loop: those that held it in a run before. */
const failing = JSON.parse(process.env['FAILS_HOLDS'] ?? '[]') as string[]

/** Returns how many times longer a turn took because of other programs. The processor’s caches are theirs too, so its work took longer. */
const contentionOf = ({ from, to, cpuMs }: Turn) => (to - from) / cpuMs

let holds: ReturnType<typeof watchHolds> | undefined
beforeEach(() => {
  holds = watchHolds()
})
afterEach(async ({ task }) => {
  const turns = await holds!.end()
  if (takeUnwatched() || !/[\\/]server[\\/]/.test(task.file.filepath)) return
  const long = turns.filter(({ ms }) => ms > blockedMaxMs)
  if (long.length === 0) return
  const now = slowness()
  for (const turn of long) {
    const limitMs = blockedMaxMs * Math.max(now, contentionOf(turn))
    if (turn.ms <= limitMs) continue
    task.meta.held = `The event loop was held for ${Math.round(turn.ms)} ms of CPU time, longer than ${Math.round(limitMs)} ms.`
    if (failing.includes(task.fullTestName)) throw new Error(task.meta.held)
  }
})
