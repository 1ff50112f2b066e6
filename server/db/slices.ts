// Tests replace the global one by one that stands still.
import { setImmediate } from 'node:timers'

/** Of one turn of the event loop. */
const sliceMs = 5
/**
 * In turns of their own. Most requests need no more, so they end in the order in which they came; single slices would make all of many take
 * as long as the last one.
 */
const slicesInARow = 10
const perTurnMax = 16
/** New work begins although other work has not ended; under overload, most of it waits. */
const beginEveryMs = 50

type Work = { slicesLeft: number }
type Waiting = { work: Work; since: number; goOn: () => void }

type Slices = {
  /** Between units of work: a promise for a later turn if all work has taken `sliceMs` of this one. At least one waiter goes on in every turn. */
  pause: () => Promise<void> | undefined
  /** Before a request: a promise if others wait. */
  begin: () => Promise<void> | undefined
  /** Of the one that came first. */
  waitedMs: () => number
}

export function openSlices(): Slices {
  let beganAt: number | undefined
  let current: Work | undefined
  const again: Waiting[] = []
  const waiting: Waiting[] = []
  const beginning: Waiting[] = []
  let begunAt = -Infinity
  let due = 0

  function isOver(): boolean {
    const now = performance.now()
    if (beganAt !== undefined) return now - beganAt > sliceMs
    beganAt = now
    setImmediate(endTurn)
    return false
  }
  const countWaiting = () => again.length + waiting.length + beginning.length
  function endTurn(): void {
    beganAt = undefined
    if (countWaiting() > 0) goOn()
  }
  function plan(): void {
    if (due >= Math.min(perTurnMax, countWaiting())) return
    due++
    setImmediate(() => {
      due--
      goOn()
    })
  }
  function goOn(): void {
    const next = isOver() ? undefined : takeNext()
    if (next) {
      const { work } = next
      work.slicesLeft--
      current = work
      next.goOn()
      // Ticks run when all microtasks have: what runs then has not waited.
      queueMicrotask(() => process.nextTick(() => (current = undefined)))
    }
    plan()
  }
  function takeNext(): Waiting | undefined {
    const isTurnOfNew = performance.now() - begunAt >= beginEveryMs
    return (isTurnOfNew ? takeNew() : undefined) ?? takeBegun() ?? takeNew()
  }
  function takeNew(): Waiting | undefined {
    const next = beginning.shift()
    if (!next) return undefined
    begunAt = performance.now()
    next.work.slicesLeft = slicesInARow
    return next
  }
  function takeBegun(): Waiting | undefined {
    for (let next = again.shift(); next; next = again.shift()) {
      if (next.work.slicesLeft > 0) return next
      waiting.push(next)
    }
    const next = waiting.shift()
    if (next) next.work.slicesLeft = slicesInARow
    return next
  }
  function wait(queue: Waiting[], work: Work): Promise<void> {
    return new Promise((resolve) => {
      queue.push({ work, since: performance.now(), goOn: resolve })
      plan()
    })
  }

  return {
    pause() {
      if (!isOver()) return undefined
      const work = current ?? { slicesLeft: 0 }
      return wait(work.slicesLeft > 0 ? again : waiting, work)
    },
    begin: () => (isOver() || countWaiting() > 0 ? wait(beginning, { slicesLeft: 0 }) : undefined),
    waitedMs() {
      const since = Math.min(waiting[0]?.since ?? Infinity, beginning[0]?.since ?? Infinity)
      return Math.max(0, performance.now() - since)
    },
  }
}

/**
 * Queries call `pause`, so only loops without queries must, and work of more than some milliseconds between two queries. On SQLite, waiting
 * for a query lets nothing else run.
 */
export const { pause, begin, waitedMs } = openSlices()
