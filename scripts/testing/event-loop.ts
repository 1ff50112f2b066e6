import { subscribe } from 'node:diagnostics_channel'
import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** On a machine that runs `yardstick` in `yardstickMs`. */
export const blockedMaxMs = 50
const yardstickMs = 2.4

/** A turn of the event loop: when it began and ended, its CPU time, and how much of the CPU time counts, all in ms. */
export type Turn = { from: number; to: number; cpuMs: number; ms: number }

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
const measuredPages = 128
/**
 * Returns how long this machine takes now to give a process a new page of memory: under 0.001 ms on most machines, on some virtual ones 0.01
 * alone and several times as long beside busy processes.
 */
function newPageMs(): number {
  const measure = () => {
    const byteLength = measuredPages * pageBytes
    // V8 asks the system for the memory of a buffer that can grow. Others may get memory that was used before.
    const memory = new Uint8Array(new ArrayBuffer(byteLength, { maxByteLength: byteLength }))
    const [before, startedAt] = [newPages(), performance.now()]
    for (let at = 0; at < memory.length; at += pageBytes) memory[at] = 1
    return (performance.now() - startedAt) / Math.max(measuredPages, newPages() - before)
  }
  return [measure(), measure(), measure()].sort((a, b) => a - b)[1]!
}
const newPages = () => process.resourceUsage().minorPageFault

type Collection = { from: number; to: number }
/** Returns how much of a turn was not the collection of garbage. Other programs take the same share of both. */
function withoutCollections({ from, to, ms }: Omit<Turn, 'cpuMs'>, collections: Collection[]): number {
  const shareOf = (one: Collection) =>
    Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)) / (to - from)
  return collections.reduce((left, one) => left - shareOf(one) * ms, ms)
}

/**
 * Measures the turns of the event loop until `end`, which returns the longer ones (5 ms and more). Their `ms` are CPU time of this thread,
 * which other processes do not affect, without what is not the server’s work:
 * - collections of garbage: the tests of a process share its heap, so one test pays for the garbage of others;
 * - new pages of memory: a process takes these while it grows, whatever it does.
 *
 * Linux may count CPU time in ticks of 4 ms, but a turn takes no longer than the time on the clock.
 */
export function watchHolds(): { end: () => Promise<Turn[]> } {
  const turns: (Turn & { pages: number })[] = []
  const collections: Collection[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, to: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  const now = () => ({ at: performance.now(), cpuMs: threadCpuMs() - ownMs, ownMs, pages: newPages() })
  let last = now()
  let begun = uncountedBegun
  let wasUncounted = uncounted > 0
  const measure = () => {
    const next = now()
    const wallMs = next.at - last.at - (next.ownMs - last.ownMs)
    const cpuMs = next.cpuMs - last.cpuMs
    const ms = Math.min(cpuMs, wallMs)
    if (!wasUncounted && uncountedBegun === begun && ms >= 5)
      turns.push({ from: next.at - wallMs, to: next.at, cpuMs, ms, pages: next.pages - last.pages })
    wasUncounted = uncounted > 0
    begun = uncountedBegun
    last = next
  }
  // setImmediate would keep the processor busy while the work waits for a database.
  const timer = setInterval(measure, 1)
  return {
    async end() {
      clearInterval(timer)
      measure()
      // A server that never gets ready does not end the watch of later tests.
      uncounted = 0
      // Then the collections of the last turns have been reported.
      await setImmediate()
      await setImmediate()
      observer.disconnect()
      if (turns.length === 0) return []
      const pageMs = newPageMs()
      return turns.map(({ pages, ...turn }) => ({
        ...turn,
        ms: withoutCollections({ ...turn, ms: Math.max(0, turn.ms - pages * pageMs) }, collections),
      }))
    },
  }
}

/** Returns the longest turn, in ms, that counts. */
export async function blockedMs(work: () => Promise<unknown>): Promise<number> {
  const { end } = watchHolds()
  try {
    await work()
  } catch (error) {
    await end()
    throw error
  }
  return (await end()).reduce((longest, { ms }) => Math.max(longest, ms), 0)
}

/** Repeats `work` up to three times to rule out other programs. The limit is scaled by the duration of a fixed computation. */
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
