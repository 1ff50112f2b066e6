import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** On a machine that runs `yardstick` in `yardstickMs`. */
export const blockedMaxMs = 50
const yardstickMs = 2.4

/** A time on the clock, and how much of it this thread used. */
export type Turn = { from: number; to: number; ms: number }
/**
 * The longest times (ms) that the event loop was held: on the clock, by this thread, and the longest of both for the same turns. `long` are
 * the turns longer than `blockedMaxMs`.
 */
export type Holds = { wallMs: number; cpuMs: number; ms: number; long: Turn[] }

let uncounted = 0
let uncountedBegun = 0

/** For heavy work of a test itself, or work that the server does in another process: `watchHolds` does not count its turns of the event loop. */
export async function withoutWatch<T>(work: () => T | Promise<T>): Promise<T> {
  uncounted++
  uncountedBegun++
  try {
    return await work()
  } finally {
    uncounted = Math.max(0, uncounted - 1)
  }
}

let isUnwatched = false
/** For files whose tests all do heavy work themselves, or measure what is held: `beforeEach(leaveUnwatched)`. `blockedMs` still measures. */
export function leaveUnwatched(): void {
  isUnwatched = true
}
/** Returns whether the current test is left unwatched. The next one is not. */
export function takeUnwatched(): boolean {
  const was = isUnwatched
  isUnwatched = false
  return was
}

// The start of a server takes long, once.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  const isReady = new Promise<void>((resolve) => {
    fastify.addHook('onReady', (done) => {
      resolve()
      done()
    })
  })
  void withoutWatch(() => isReady)
})

/**
 * `ms` is CPU time of this thread, which other processes do not affect. Linux may count it in ticks of 4 ms, but a hold takes no longer
 * than the time on the clock.
 */
export function watchHolds(): { end: () => Holds } {
  const longest: Holds = { wallMs: 0, cpuMs: 0, ms: 0, long: [] }
  let last = threadCpuMs()
  let lastAt = performance.now()
  let begun = uncountedBegun
  let wasUncounted = uncounted > 0
  const measure = () => {
    const [now, nowAt] = [threadCpuMs(), performance.now()]
    const [cpuMs, wallMs] = [now - last, nowAt - lastAt]
    const held = { wallMs, cpuMs, ms: Math.min(cpuMs, wallMs) }
    if (!wasUncounted && uncountedBegun === begun) {
      if (held.ms > blockedMaxMs) longest.long.push({ from: lastAt, to: nowAt, ms: held.ms })
      for (const key of ['wallMs', 'cpuMs', 'ms'] as const) longest[key] = Math.max(longest[key], held[key])
    }
    wasUncounted = uncounted > 0
    begun = uncountedBegun
    ;[last, lastAt] = [now, nowAt]
  }
  // setImmediate would keep the processor busy while the work waits for a database.
  const timer = setInterval(measure, 1)
  return {
    end() {
      clearInterval(timer)
      measure()
      // A server that never gets ready does not end the watch of later tests.
      uncounted = 0
      return longest
    },
  }
}

export async function blockedMs(work: () => Promise<unknown>): Promise<number> {
  const { end } = watchHolds()
  try {
    await work()
  } catch (error) {
    end()
    throw error
  }
  return end().ms
}

/** Repeats `work` up to three times to rule out garbage collection and other programs. The limit is scaled by the duration of a fixed computation. */
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

export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Compared with the machine that the limit was set on; at least 1. */
export function slowness(): number {
  return Math.max(1, Math.min(yardstick(), yardstick(), yardstick()) / yardstickMs)
}

function yardstick(): number {
  const startedAt = performance.now()
  let length = 0
  for (let index = 0; index < 10_000; index++) length += `a\u0301 ${index}`.normalize('NFC').split(' ').length
  if (length !== 20_000) throw new Error('The yardstick computes a wrong result.')
  return performance.now() - startedAt
}
