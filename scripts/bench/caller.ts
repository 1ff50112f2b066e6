import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { createHistogram, performance } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call, LoadPlan, LoadResult } from './send-load.ts'

// The child process of send-load.ts: reads a LoadPlan from stdin, sends the calls, writes a LoadResult to stdout.

type Client = { setRequests: (requests: object[]) => void }
type AutocannonResult = {
  requests: { total: number; average: number }
  latency: { p50: number; p99: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}
// autocannon has no types.
const autocannon = createRequire(import.meta.url)('autocannon') as (
  options: object,
) => Promise<AutocannonResult>

const timeoutMs = 30_000
const plan = (await json(process.stdin)) as LoadPlan
const result = plan.rate === undefined ? await atFullSpeed(plan) : await atRate(plan, plan.rate)
process.stdout.write(JSON.stringify(result))

/** Closed loop: each connection sends its next call when it has the response to the last. */
async function atFullSpeed({ url, calls, seconds, connections = 10 }: LoadPlan): Promise<LoadResult> {
  let clients = 0
  const { requests, latency, errors, statusCodeStats } = await autocannon({
    url,
    duration: seconds,
    connections,
    timeout: timeoutMs / 1_000,
    requests: calls,
    setupClient(client: Client) {
      const from = Math.floor((clients++ * calls.length) / connections)
      client.setRequests([...calls.slice(from), ...calls.slice(0, from)])
    },
  })
  return {
    responses: requests.total,
    perSecond: requests.average,
    medianMs: latency.p50,
    p99Ms: latency.p99,
    statuses: Object.fromEntries(
      Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]),
    ),
    unanswered: errors,
  }
}

/**
 * Open loop: sends calls at even intervals, whether or not earlier ones have a response, as independent users do.
 * autocannon instead sends each second's calls in one burst. Latency is measured from the time a call was due, which avoids
 * coordinated omission: a call that had to wait for a connection counts as slow.
 */
async function atRate({ url, calls, seconds, connections }: LoadPlan, rate: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections ?? 100 })
  const times = createHistogram()
  const statuses: Record<string, number> = {}
  let unanswered = 0
  const inFlight = new Set<object>()
  const startedAt = performance.now()
  const make = ({ method, path, headers, body }: Call, dueAt: number) => {
    let status: number | undefined
    const call = request(url + path, {
      agent,
      method: method ?? 'GET',
      headers: headers ?? {},
      timeout: timeoutMs,
    })
    inFlight.add(call)
    call.once('response', (response) => {
      status = response.statusCode!
      response.resume()
    })
    call.once('timeout', () => call.destroy())
    call.once('error', () => {})
    call.once('close', () => {
      inFlight.delete(call)
      if (status === undefined) {
        unanswered++
        return
      }
      statuses[status] = (statuses[status] ?? 0) + 1
      times.record(Math.max(1, Math.round(1_000 * (performance.now() - dueAt))))
    })
    call.end(body)
  }
  for (let made = 0; made < seconds * rate;) {
    const due = Math.min(seconds * rate, ((performance.now() - startedAt) * rate) / 1_000)
    for (; made < due; made++) make(calls[made % calls.length]!, startedAt + (1_000 * made) / rate)
    await wait(1)
  }
  while (inFlight.size > 0) await wait(1)
  const tookMs = performance.now() - startedAt
  agent.destroy()
  return {
    responses: times.count,
    perSecond: (1_000 * times.count) / tookMs,
    medianMs: times.percentile(50) / 1_000,
    p99Ms: times.percentile(99) / 1_000,
    statuses,
    unanswered,
  }
}
