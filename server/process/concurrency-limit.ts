import { busy } from '#server/calls/errors.ts'
import { openTurns } from './turns.ts'

type Waiting = { owners: readonly string[]; weight: number; start: () => void; refuse: () => void }

/**
 * Owners have their turns (see `openTurns`); work without owners runs in order. Work with a larger `weight` makes what comes after it
 * wait too. Rejects with SERVICE_UNAVAILABLE after `waitMaxMs`, or if `queueMax` others wait: then the last one of the owner with the most
 * work waiting.
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
  const turns = openTurns()
  const waiting = new Set<Waiting>()
  let running = 0

  function startNext(): void {
    // Also if none can start: an owner that comes now is before those whose work is running.
    const next = turns.next(waiting)
    if (!next || running + next.weight > concurrency) return
    next.start()
    startNext()
  }

  return async <T>(work: () => Promise<T>, owners: readonly string[] = [], weight = 1): Promise<T> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        waiting.delete(one)
      }
      const one: Waiting = {
        owners,
        weight,
        start() {
          leave()
          running += weight
          const end = turns.begin(one)
          const hasEnded = () => {
            end()
            running -= weight
            startNext()
          }
          const done = (async () => work())()
          done.then(hasEnded, hasEnded)
          resolve(done)
        },
        refuse() {
          leave()
          reject(busy())
          startNext()
        },
      }
      const timer = setTimeout(one.refuse, waitMaxMs)
      waiting.add(one)
      startNext()
      if (waiting.size > queueMax) turns.excess(waiting)?.refuse()
    })
}
