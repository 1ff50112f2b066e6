import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** On a machine that runs `yardstick` in `yardstickMs`. */
export const blockedMaxMs = 50
const yardstickMs = 2.4

/** A time on the clock, how much of it this thread used, and how much of that counts. */
export type Turn = { from: number; to: number; cpuMs: number; ms: number }
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

let ownMs = 0
/** Runs heavy work of a test itself within a turn of the server. Its time is not counted, the rest of the turn is. */
export function uncountedWork<T>(work: () => T): T {
  const startedMs = threadCpuMs()
  try {
    return work()
  } finally {
    ownMs += threadCpuMs() - startedMs
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

const pageBytes = 4_096
let pageMs: number | undefined
/** Returns how long this machine takes to give a process a new page of memory: under 0.001 ms on most machines, above 0.01 on some virtual ones. */
function newPageMs(): number {
  const measure = () => {
    const memory = Buffer.allocUnsafeSlow(512 * pageBytes)
    const [before, startedAt] = [newPages(), performance.now()]
    for (let at = 0; at < memory.length; at += pageBytes) memory[at] = 1
    return (performance.now() - startedAt) / Math.max(512, newPages() - before)
  }
  return (pageMs ??= Math.min(measure(), measure(), measure()))
}
const newPages = () => process.resourceUsage().minorPageFault

/**
 * `ms` is CPU time of this thread, which other processes do not affect, without the time that new pages of memory took: a process takes
 * these while it grows, whatever it does. Linux may count CPU time in ticks of 4 ms, but a hold takes no longer than the time on the clock.
 */
export function watchHolds(): { end: () => Holds } {
  const longest: Holds = { wallMs: 0, cpuMs: 0, ms: 0, long: [] }
  const pageMs = newPageMs()
  const now = () => ({ at: performance.now(), cpuMs: threadCpuMs() - ownMs, ownMs, pages: newPages() })
  let last = now()
  let begun = uncountedBegun
  let wasUncounted = uncounted > 0
  const measure = () => {
    const next = now()
    const wallMs = next.at - last.at - (next.ownMs - last.ownMs)
    const cpuMs = next.cpuMs - last.cpuMs
    const ms = Math.max(0, Math.min(cpuMs, wallMs) - (next.pages - last.pages) * pageMs)
    const held = { wallMs, cpuMs, ms }
    if (!wasUncounted && uncountedBegun === begun) {
      if (ms > blockedMaxMs) longest.long.push({ from: next.at - wallMs, to: next.at, cpuMs, ms })
      for (const key of ['wallMs', 'cpuMs', 'ms'] as const) longest[key] = Math.max(longest[key], held[key])
    }
    wasUncounted = uncounted > 0
    begun = uncountedBegun
    last = next
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
