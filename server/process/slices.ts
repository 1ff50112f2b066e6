import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longer work is split. */
const sliceMs = 3

/** Returns a function that is called between units of work, and lets requests run once a slice of work is over. */
export function inSlices(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < sliceMs) return
    await nextTurn()
    startedAt = performance.now()
  }
}
