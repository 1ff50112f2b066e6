import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { memoryOf, openBench } from './bench.ts'
import { load } from './send-load.ts'
import { drawMixedLoad } from './mixed-load.ts'
import { generateSyntheticData } from './synthetic-data.ts'

/** Latencies of one sort of responses, as a few sequential probes measured them. */
type Latencies = { count: number; medianMs: number; p99Ms: number }
export type Overload = {
  /** Responses per second at full speed, from ten connections. */
  capacity: number
  /** Calls per second from 2,000 connections, each of which sends its next call as soon as it has a response. */
  offered: number
  /** Of those, the calls per second with a 2xx response. */
  served: number
  /** Of those, the calls per second refused with 503: load shedding. */
  shed: number
  /** Calls with neither a 2xx nor a 503 response, or with none. */
  failed: number
  successes: Latencies
  refusals: Latencies & { withRetryAfter: number }
  /** Recovery time: from the end of the overload until calls succeed as fast as before. */
  normalAfterMs: number
  /** Anonymous memory before the overload, and its maximum. */
  memoryMB: { before: number; most: number }
  /** Reads alone, and while 40 connections log in without pause. */
  reads: { alone: Latencies; besideLogins: Latencies; logins: number }
}

const probes = 8
const overloadConnections = 2_000
const overloadSecondsMin = 6
const loginConnections = 40
const recoveryMaxMs = 30_000

/** Measures the real server under several times its capacity, and while many clients log in. */
export async function overload({
  seconds,
  reviews,
}: {
  seconds: number
  reviews: number
}): Promise<Overload> {
  const { folder, remove } = aDataFolder()
  const { services, close } = await openBench({ dataDir: folder })
  const { db } = services
  const now = new Date()
  await generateSyntheticData(db, { reviews, now })
  const day = await drawMixedLoad(db, { calls: 500, seed: 1, now })
  const titles = await db.selectFrom('media').select('id').orderBy('id').limit(100).execute()
  await close()
  const server = await startProgram({ DATA_DIR: folder })
  const { url } = server
  const memory = () => memoryOf(server.child.pid)
  try {
    const reads = day.filter(({ method }) => method === undefined)
    // Batches of 20 calls cost the server far more than the client, which runs on the same machine. A member makes them: those of
    // visitors would come from the cache.
    const headers = reads.find((read) => read.headers?.['authorization'])!.headers!
    const calls = [0, 20, 40, 60, 80].map((from) => {
      const inputs = titles.slice(from, from + 20).map(({ id }) => ({ itemId: id }))
      const paths = inputs.map(() => 'reviews.list').join(',')
      return {
        path: `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}`,
        headers,
      }
    })
    // Warm-up.
    await load({ url, calls, seconds: 1 })
    const full = await load({ url, calls, seconds, connections: 10 })
    const capacity = full.responses / seconds

    const before = memory()
    let most = before
    const probing = startProbes(url, reads)
    const memoryTimer = setInterval(() => (most = Math.max(most, memory())), 200)
    // The first calls of all connections take seconds, and shedding starts after them.
    const overloadSeconds = Math.max(seconds, overloadSecondsMin)
    const overloaded = await load({
      url,
      calls,
      seconds: overloadSeconds,
      connections: overloadConnections,
    })
    const endedAt = performance.now()
    const probed = await probing.end()
    await waitForRecovery(url, reads, full.p99Ms)
    const normalAfterMs = performance.now() - endedAt
    clearInterval(memoryTimer)

    await untilConnected(url)
    const alone = await probeFor(url, reads, seconds)
    const logins = startLogins(url)
    await logins.first
    const besideLogins = await probeFor(url, reads, seconds)

    const served = sum(overloaded.statuses, (status) => status.startsWith('2'))
    const refused = probed.filter(({ status }) => status === 503)
    return {
      capacity: Math.round(capacity),
      offered: Math.round(overloaded.responses / overloadSeconds),
      served: Math.round(served / overloadSeconds),
      shed: Math.round((overloaded.statuses['503'] ?? 0) / overloadSeconds),
      failed: overloaded.responses - served - (overloaded.statuses['503'] ?? 0) + overloaded.unanswered,
      successes: latenciesOf(probed.filter(({ status }) => status === 200)),
      refusals: {
        ...latenciesOf(refused),
        withRetryAfter: refused.filter(({ retryAfter }) => Number(retryAfter) > 0).length,
      },
      normalAfterMs: Math.round(normalAfterMs),
      memoryMB: { before: Math.round(before), most: Math.round(most) },
      reads: {
        alone: latenciesOf(alone),
        besideLogins: latenciesOf(besideLogins),
        logins: await logins.end(),
      },
    }
  } finally {
    await server.end('SIGKILL')
    remove()
  }
}

type Probe = { status: number; ms: number; retryAfter: string | null }
type Read = { path: string; headers?: Record<string, string> }

/**
 * Starts a few clients in this process, each sending one read after the other. They measure latency as another user sees it
 * while the load runs.
 */
function startProbes(url: string, reads: Read[]): { end: () => Promise<Probe[]> } {
  const state = { isOver: false }
  const probed: Probe[] = []
  const probing = Array.from({ length: probes }, async (_, at) => {
    for (let next = at; !state.isOver; next += probes) {
      const { path, headers = {} } = reads[next % reads.length]!
      const startedAt = performance.now()
      const response = await fetch(url + path, { headers })
      await response.arrayBuffer()
      const ms = performance.now() - startedAt
      probed.push({ status: response.status, ms, retryAfter: response.headers.get('retry-after') })
      await wait(10)
    }
  })
  return {
    async end() {
      state.isOver = true
      await Promise.all(probing)
      return probed
    },
  }
}

/** Starts 40 clients, each sending one wrong login after the other. `first` resolves when one of them was processed. */
function startLogins(url: string): { first: Promise<void>; end: () => Promise<number> } {
  const first = Promise.withResolvers<void>()
  const state = { isOver: false, processed: 0 }
  const loggingIn = Array.from({ length: loginConnections }, async () => {
    while (!state.isOver) {
      const response = await fetch(`${url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.org', password: 'not the right one' }),
      })
      await response.arrayBuffer()
      if (response.status !== 401) continue
      state.processed++
      first.resolve()
    }
  })
  return {
    first: first.promise,
    async end() {
      state.isOver = true
      const { processed } = state
      await Promise.all(loggingIn)
      return processed
    },
  }
}

async function probeFor(url: string, reads: Read[], seconds: number): Promise<Probe[]> {
  const probing = startProbes(url, reads)
  await wait(seconds * 1000)
  return probing.end()
}

/**
 * Resolves when 50 calls in a row succeed and the second slowest is faster than the p99 at full speed; gives up after
 * `recoveryMaxMs`.
 */
async function waitForRecovery(url: string, reads: Read[], p99Ms: number): Promise<void> {
  const until = performance.now() + recoveryMaxMs
  while (performance.now() < until) {
    const times: number[] = []
    for (const { path, headers = {} } of reads.slice(0, 50)) {
      const startedAt = performance.now()
      const response = await fetch(url + path, { headers })
      await response.arrayBuffer()
      if (!response.ok) break
      times.push(performance.now() - startedAt)
    }
    if (times.length === 50 && times.toSorted((a, b) => b - a)[1]! < Math.max(p99Ms, 50)) return
  }
}

/**
 * Resolves when the server accepts a new connection. The kernel queues it behind those that the overload has left, whose
 * requests are still processed.
 */
async function untilConnected(url: string): Promise<void> {
  const request = get(`${url}/healthz`, { agent: false })
  const [response] = await once(request, 'response')
  await once(response.resume(), 'end')
}

function latenciesOf(probed: Probe[]): Latencies {
  const times = probed.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return { count: probed.length, medianMs: at(0.5), p99Ms: at(0.99) }
}

function sum(statuses: Record<string, number>, counts: (status: string) => boolean): number {
  return Object.entries(statuses).reduce((all, [status, count]) => (counts(status) ? all + count : all), 0)
}

/** Prints what `overload` measured. */
export function printOverload({ successes, refusals, reads, memoryMB, ...figures }: Overload): void {
  console.table(figures)
  console.table({
    'served under overload': successes,
    'refused under overload': refusals,
    'reads alone': reads.alone,
    'reads during logins': reads.besideLogins,
  })
  console.log({ memoryMB, logins: reads.logins })
}
