import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { requestsPerConnectionMax } from '#server/http/limits/connections.ts'
import type { LoadPlan, LoadResult } from './send-load.ts'

// The child process of send-load.ts: reads a LoadPlan from stdin, sends the calls, writes a LoadResult to stdout.

type Client = { setRequests: (requests: object[]) => void }
type AutocannonResult = {
  requests: { total: number; average: number }
  latency: { p99: number }
  errors: number
  statusCodeStats: Record<string, { count: number }>
}
// autocannon has no types.
const autocannon = createRequire(import.meta.url)('autocannon') as (
  options: object,
) => Promise<AutocannonResult>

const { url, calls, seconds, connections = 10, rate } = (await json(process.stdin)) as LoadPlan
let clients = 0
const { requests, latency, errors, statusCodeStats } = await autocannon({
  url,
  duration: seconds,
  connections,
  overallRate: rate,
  timeout: 30,
  // It ignores that the server closes a connection after so many requests.
  reconnectRate: requestsPerConnectionMax,
  requests: calls,
  setupClient(client: Client) {
    const from = Math.floor((clients++ * calls.length) / connections)
    client.setRequests([...calls.slice(from), ...calls.slice(0, from)])
  },
})
const result: LoadResult = {
  responses: requests.total,
  perSecond: requests.average,
  p99Ms: latency.p99,
  statuses: Object.fromEntries(Object.entries(statusCodeStats).map(([status, { count }]) => [status, count])),
  unanswered: errors,
}
process.stdout.write(JSON.stringify(result))
