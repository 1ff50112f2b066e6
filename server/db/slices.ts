// Not the global one, which tests replace by one that stands still.
import { setImmediate } from 'node:timers'

/** How long work goes on in one turn of the event loop before what else waits has its turn. */
const sliceMs = 5
/**
 * Slices that the same work takes in a row, in turns of their own, before other work. Most requests need no more, so they end in the
 * order in which they came: if all had single slices, all of many would take as long as the last one.
 */
const slicesInARow = 10
/** Short work for which a turn has room, at most. */
const perTurnMax = 16
/** How often new work begins although other work has not ended. Under overload, most of it waits until others have ended. */
const beginEveryMs = 50

type Work = { slicesLeft: number }
type Waiting = { work: Work; since: number; goOn: () => void }

type Slices = {
  /**
   * To be called between units of work. Returns undefined, or if the work of all callers has taken `sliceMs` of this turn of the event
   * loop, a promise for a later turn. At least one of those who wait goes on in every turn.
   */
  pause: () => Promise<void> | undefined
  /** To be called before a request. Returns a promise if others wait. */
  begin: () => Promise<void> | undefined
  /** Returns how long the one has waited that came first. */
  waitedMs: () => number
}

export function openSlices(): Slices {
  /** When the slice began. Undefined until the first call of a turn. */
  let beganAt: number | undefined
  /** What runs, if it had waited. */
  let current: Work | undefined
  /** Work that has slices left. */
  const again: Waiting[] = []
  const waiting: Waiting[] = []
  const beginning: Waiting[] = []
  let begunAt = -Infinity
  /** Calls of `goOn` that are due in the next turn. */
  let due = 0

  function isOver(): boolean {
    const now = performance.now()
    if (beganAt !== undefined) return now - beganAt > sliceMs
    beganAt = now
    // Before all that wait for the next turn.
    setImmediate(endTurn)
    return false
  }
  const countWaiting = () => again.length + waiting.length + beginning.length
  function endTurn(): void {
    beganAt = undefined
    // Others may use up the next slice before the first one that waits is called.
    if (countWaiting() > 0) goOn()
  }
  /** What one does runs before the next one is called. */
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
      // Ticks run when all microtasks have: what runs then is not what has waited.
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
 * Lets requests run if work has taken this turn of the event loop for too long. Queries call it, so only loops without queries must,
 * and work of more than some milliseconds between two queries. On SQLite, waiting for a query alone lets nothing else run.
 */
export const { pause, begin, waitedMs } = openSlices()
