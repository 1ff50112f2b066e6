/** No request may keep the others waiting for longer, on a machine that takes `yardstickMs` for the yardstick. */
const heldMax = 50
const yardstickMs = 2.4

/** Runs `work` and returns for how long the event loop was held at most meanwhile (ms). */
export async function heldFor(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let isRunning = true
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (isRunning) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isRunning = false
  look()
  return longest
}

/**
 * Whether `work`, which held the event loop for `ms`, does so each time: three runs tell it from a garbage collection or
 * from other programs. The bound grows with the time of a fixed computation, taken right then.
 */
export async function isHeldTooLong(ms: number, work: () => Promise<unknown>): Promise<boolean> {
  if (ms <= heldMax) return false
  let bound = heldMax * slowness()
  for (let run = 0; ms > bound && run < 3; run++) {
    ms = Math.min(ms, await heldFor(work))
    bound = Math.max(bound, heldMax * slowness())
  }
  return ms > bound
}

/** How many times slower this machine is now than the one that the bound was set on; 1 on a faster one. */
export function slowness(): number {
  return Math.max(1, Math.min(yardstick(), yardstick(), yardstick()) / yardstickMs)
}

/** The milliseconds that a fixed computation takes: 10,000 short strings are normalized, split and joined. */
function yardstick(): number {
  const began = performance.now()
  let length = 0
  for (let index = 0; index < 10_000; index++) length += `a\u0301 ${index}`.normalize('NFC').split(' ').length
  if (length !== 20_000) throw new Error('The yardstick measures something else.')
  return performance.now() - began
}
