import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach } from 'vitest'
import { blockedMaxMs, slowness, takeUnwatched, type Turn, watchHolds } from './event-loop.ts'

/**
 * Finds the tests of the server during which the event loop was held so long that nothing else was served, with the limit of the tests that
 * measure one call. Work of a test itself that may take longer is wrapped in `withoutWatch`, or is in a file with
 * `beforeEach(leaveUnwatched)`. confirm-holds.ts runs the file of such a test again, alone; then the test fails.
 */

/** When garbage was collected. It is not counted: the tests of a process share its heap, so one test pays for the garbage of others. */
let collections: Pick<Turn, 'from' | 'to'>[] = []
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    collections.push({ from: startTime, to: startTime + duration })
})
observer.observe({ entryTypes: ['gc'] })
/** Returns how much of a turn was not the collection of garbage. Other programs take the same share of both. */
function workOf({ from, to, ms }: Turn): number {
  const shareOf = (one: (typeof collections)[0]) =>
    Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)) / (to - from)
  return collections.reduce((left, one) => left - shareOf(one) * ms, ms)
}
/** Returns how many times longer a turn took because of other programs. The processor’s caches are theirs too, so its work took longer. */
const contentionOf = ({ from, to, cpuMs }: Turn) => (to - from) / cpuMs

let holds: ReturnType<typeof watchHolds> | undefined
beforeEach(() => {
  collections = []
  holds = watchHolds()
})
afterEach(async ({ task }) => {
  const { long } = holds!.end()
  if (takeUnwatched() || long.length === 0 || !/[\\/]server[\\/]/.test(task.file.filepath)) return
  // Then the collections of the last turns have been reported.
  await setImmediate()
  await setImmediate()
  const now = slowness()
  for (const turn of long) {
    const ms = workOf(turn)
    const limitMs = blockedMaxMs * Math.max(now, contentionOf(turn))
    if (ms <= limitMs) continue
    task.meta.held = `The event loop was held for ${Math.round(ms)} ms of CPU time, longer than ${Math.round(limitMs)} ms.`
    if (process.env['FAILS_HOLDS']) throw new Error(task.meta.held)
  }
})
