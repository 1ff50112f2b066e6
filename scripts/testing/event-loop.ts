/** The longest time that a request may block the event loop by default, on a machine that runs `yardstick` in `yardstickMs`. */
const blockedMaxMs = 50
const yardstickMs = 2.4

/**
 * Runs `work` and returns the longest time (ms) that it blocked the event loop, as CPU time of this thread, which other processes
 * of a busy machine do not affect. Linux may count that in ticks of 4 ms, but a pause takes no longer than the time on the clock.
 */
export async function blockedMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = threadCpuMs()
  let lastAt = performance.now()
  const measure = () => {
    const now = threadCpuMs()
    longest = Math.max(longest, Math.min(now - last, performance.now() - lastAt))
    last = now
    lastAt = performance.now()
  }
  // Not setImmediate, which would keep the processor busy while the work waits for a database.
  const timer = setInterval(measure, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  measure()
  return longest
}

/**
 * Returns whether `work`, which blocked the event loop for `ms`, exceeds the limit. Repeats it up to three times to rule out
 * garbage collection and other programs. The limit is scaled by the duration of a fixed computation, measured each time.
 */
export async function isBlockedTooLong(
  ms: number,
  work: () => Promise<unknown>,
  maxMs = blockedMaxMs,
): Promise<boolean> {
  if (ms <= maxMs) return false
  let limitMs = maxMs * slowness()
  for (let run = 0; ms > limitMs && run < 3; run++) {
    ms = Math.min(ms, await blockedMs(work))
    limitMs = Math.max(limitMs, maxMs * slowness())
  }
  return ms > limitMs
}

/** Returns the CPU time (ms) of this thread so far, which other processes of a busy machine do not affect. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Returns how many times slower this machine currently is than the one that the limit was set on; at least 1. */
export function slowness(): number {
  return Math.max(1, Math.min(yardstick(), yardstick(), yardstick()) / yardstickMs)
}

/** Returns the duration (ms) of a fixed computation: normalizes and splits 10,000 short strings. */
function yardstick(): number {
  const startedAt = performance.now()
  let length = 0
  for (let index = 0; index < 10_000; index++) length += `a\u0301 ${index}`.normalize('NFC').split(' ').length
  if (length !== 20_000) throw new Error('The yardstick computes a wrong result.')
  return performance.now() - startedAt
}
