// Not the global one, which tests replace by one that stands still.
import { setImmediate } from 'node:timers'

/** How long work goes on in one turn of the event loop before what else waits has its turn. */
const sliceMs = 5

/**
 * Returns a function to call between units of work. It returns undefined, or if the work of its callers has taken `sliceMs` of this turn
 * of the event loop, a promise for a later turn. Those who wait go on in the order in which they came, each for a slice; at least one
 * in every turn. `waitedMs` returns how long the first of them has waited.
 */
export function openSlices(): { pause: () => Promise<void> | undefined; waitedMs: () => number } {
  /** When the slice began. Undefined until the first call of a turn. */
  let beganAt: number | undefined
  const waiting: { since: number; goOn: () => void }[] = []

  function isOver(): boolean {
    const now = performance.now()
    if (beganAt !== undefined) return now - beganAt > sliceMs
    beganAt = now
    // Before all that wait for the next turn.
    setImmediate(endTurn)
    return false
  }
  function endTurn(): void {
    beganAt = undefined
    // Others may use up the next slice before the first one that waits is called.
    if (waiting.length > 0) goOn()
  }
  function goOn(): void {
    if (waiting.length === 0) return
    // What one does runs before the next one is called.
    if (isOver()) setImmediate(goOn)
    else waiting.shift()!.goOn()
  }

  return {
    pause() {
      if (!isOver()) return undefined
      return new Promise((resolve) => {
        waiting.push({ since: performance.now(), goOn: resolve })
        setImmediate(goOn)
      })
    },
    waitedMs: () => (waiting.length > 0 ? performance.now() - waiting[0]!.since : 0),
  }
}

/**
 * Lets requests run if work has taken this turn of the event loop for too long. Queries call it, so only loops without queries must,
 * and work of more than some milliseconds between two queries. On SQLite, waiting for a query alone lets nothing else run.
 */
export const { pause, waitedMs } = openSlices()
