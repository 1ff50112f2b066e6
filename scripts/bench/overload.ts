import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { memoryOf } from './bench.ts'
import { type LoadCall, load } from './send-load.ts'
import { fillWithMixedLoad } from './mixed-load.ts'

type Latencies = { count: number; medianMs: number; p99Ms: number }
type Overload = {
  capacity: number
  /** From 2,000 connections, each of which sends its next call as soon as it has a response. */
  offered: number
  served: number
  shed: number
  failed: number
  successes: Latencies
  refusals: Latencies & { withRetryAfter: number }
  /** From the end of the overload until calls succeed as fast as before. */
  normalAfterMs: number
  memoryMB: { before: number; most: number }
  /** Alone, and while 40 connections log in without pause. */
  reads: { alone: Latencies; besideLogins: Latencies; logins: number }
}

const probes = 8
const overloadConnections = 2_000
const overloadSecondsMin = 6
const loginConnections = 40
const recoveryMaxMs = 30_000

export async function overload({
  seconds,
  reviews,
}: {
  seconds: number
  reviews: number
}): Promise<Overload> {
  const { folder, remove } = aDataFolder()
  const reads = (await fillWithMixedLoad({ dataDir: folder }, reviews)).filter(({ method }) => !method)
  const server = await startProgram({ DATA_DIR: folder })
  const { url } = server
  const memory = () => memoryOf(server.child.pid)
  try {
    // Batches of 20 calls cost the server far more than the client, which runs on the same machine. A member makes them: a visitor’s would
    // come from the cache.
    const headers = reads.find((read) => read.headers?.['authorization'])!.headers!
    const calls = [1, 21, 41, 61, 81].map((first) => {
      const inputs = Array.from({ length: 20 }, (_, at) => ({ itemId: first + at }))
      const paths = inputs.map(() => 'reviews.list').join(',')
      return {
        path: `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}`,
        headers,
      }
    })
    await load({ url, calls, seconds: 1 })
    const full = await load({ url, calls, seconds })

    const before = memory()
    let most = before
    const memoryTimer = setInterval(() => (most = Math.max(most, memory())), 200)
    // The first calls of all connections take seconds, and shedding starts after them.
    const overloadSeconds = Math.max(seconds, overloadSecondsMin)
    let endedAt = 0
    const overloading = load({ url, calls, seconds: overloadSeconds, connections: overloadConnections })
    void overloading.finally(() => (endedAt = performance.now()))
    const probed = await probeDuring(overloading, url, reads)
    const { statuses, responses, unanswered } = await overloading
    await waitForRecovery(url, reads, full.p99Ms)
    const normalAfterMs = performance.now() - endedAt
    clearInterval(memoryTimer)

    // The kernel queues a new connection behind the ones that the overload has left.
    const [response] = await once(get(`${url}/healthz`, { agent: false }), 'response')
    await once(response.resume(), 'end')
    const alone = await probeDuring(wait(seconds * 1_000), url, reads)
    const loggingIn = load({ url, calls: [wrongLogin], seconds, connections: loginConnections })
    const besideLogins = await probeDuring(loggingIn, url, reads)

    const shed = statuses['503'] ?? 0
    const served = Object.entries(statuses)
      .filter(([status]) => status.startsWith('2'))
      .reduce((sum, [, count]) => sum + count, 0)
    const refused = probed.filter(({ status }) => status === 503)
    return {
      capacity: Math.round(full.responses / seconds),
      offered: Math.round(responses / overloadSeconds),
      served: Math.round(served / overloadSeconds),
      shed: Math.round(shed / overloadSeconds),
      failed: responses - served - shed + unanswered,
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
        logins: (await loggingIn).statuses['401'] ?? 0,
      },
    }
  } finally {
    await server.end('SIGKILL')
    remove()
  }
}

const wrongLogin: LoadCall = {
  method: 'POST',
  path: '/auth/login',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'nobody@example.org', password: 'not the right one' }),
}

type Probe = { status: number; ms: number; retryAfter: string | null }

async function probe(url: string, { path, headers = {} }: LoadCall): Promise<Probe> {
  const startedAt = performance.now()
  const response = await fetch(url + path, { headers })
  await response.arrayBuffer()
  const ms = performance.now() - startedAt
  return { status: response.status, ms, retryAfter: response.headers.get('retry-after') }
}

/** As another user sees it: a few clients each send one read after the other. */
async function probeDuring(running: Promise<unknown>, url: string, reads: LoadCall[]): Promise<Probe[]> {
  const state = { isOver: false }
  void running.finally(() => (state.isOver = true))
  const probed: Probe[] = []
  const probing = Array.from({ length: probes }, async (_, at) => {
    for (let next = at; !state.isOver; next += probes) {
      probed.push(await probe(url, reads[next % reads.length]!))
      await wait(10)
    }
  })
  await Promise.all(probing)
  return probed
}

/** Until 50 calls in a row succeed and the second slowest is faster than the p99 at full speed, or `recoveryMaxMs`. */
async function waitForRecovery(url: string, reads: LoadCall[], p99Ms: number): Promise<void> {
  const until = performance.now() + recoveryMaxMs
  while (performance.now() < until) {
    const times: number[] = []
    for (const read of reads.slice(0, 50)) {
      const { status, ms } = await probe(url, read)
      if (status !== 200) break
      times.push(ms)
    }
    if (times.length === 50 && times.toSorted((a, b) => b - a)[1]! < Math.max(p99Ms, 50)) return
  }
}

function latenciesOf(probed: Probe[]): Latencies {
  const times = probed.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return { count: probed.length, medianMs: at(0.5), p99Ms: at(0.99) }
}
