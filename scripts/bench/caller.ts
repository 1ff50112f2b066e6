import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { createHistogram, performance } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call, Found, LoadPlan } from './load.ts'

// The process that makes the calls of a load: reads the plan, writes what it found.

type Client = { setRequests: (requests: object[]) => void }
type AutocannonResult = {
  requests: { total: number; average: number }
  latency: { p50: number; p99: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}
// It comes without types.
const autocannon = createRequire(import.meta.url)('autocannon') as (
  options: object,
) => Promise<AutocannonResult>

const giveUpMs = 30_000
const plan = (await json(process.stdin)) as LoadPlan
const found = plan.rate === undefined ? await asFastAsAnswered(plan) : await atRate(plan, plan.rate)
process.stdout.write(JSON.stringify(found))

async function asFastAsAnswered({ url, calls, seconds, connections = 10 }: LoadPlan): Promise<Found> {
  let clients = 0
  const { requests, latency, errors, statusCodeStats } = await autocannon({
    url,
    duration: seconds,
    connections,
    timeout: giveUpMs / 1_000,
    requests: calls,
    setupClient(client: Client) {
      const from = Math.floor((clients++ * calls.length) / connections)
      client.setRequests([...calls.slice(from), ...calls.slice(0, from)])
    },
  })
  return {
    answers: requests.total,
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
 * Calls that come evenly, whether those before are answered or not, as people's do; autocannon sends what a second holds
 * as fast as it can and waits for the next. A call takes from when it was due, so that one that had to wait counts as slow.
 */
async function atRate({ url, calls, seconds, connections }: LoadPlan, rate: number): Promise<Found> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections ?? 100 })
  const times = createHistogram()
  const statuses: Record<string, number> = {}
  let unanswered = 0
  const onTheWay = new Set<object>()
  const startedAt = performance.now()
  const make = ({ method, path, headers, body }: Call, dueAt: number) => {
    let status: number | undefined
    const call = request(url + path, {
      agent,
      method: method ?? 'GET',
      headers: headers ?? {},
      timeout: giveUpMs,
    })
    onTheWay.add(call)
    call.once('response', (answer) => {
      status = answer.statusCode!
      answer.resume()
    })
    call.once('timeout', () => call.destroy())
    call.once('error', () => {})
    call.once('close', () => {
      onTheWay.delete(call)
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
  while (onTheWay.size > 0) await wait(1)
  const tookMs = performance.now() - startedAt
  agent.destroy()
  return {
    answers: times.count,
    perSecond: (1_000 * times.count) / tookMs,
    medianMs: times.percentile(50) / 1_000,
    p99Ms: times.percentile(99) / 1_000,
    statuses,
    unanswered,
  }
}
