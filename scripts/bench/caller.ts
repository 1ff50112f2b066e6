import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import type { LoadPlan } from './load.ts'

// The process that makes the calls of a load: reads the plan, writes what autocannon found.

type Client = { setRequests: (requests: object[]) => void }
// It comes without types.
const autocannon = createRequire(import.meta.url)('autocannon') as (options: object) => Promise<object>

const { url, calls, seconds, connections = 10, rate } = (await json(process.stdin)) as LoadPlan
let clients = 0
const result = await autocannon({
  url,
  duration: seconds,
  connections,
  timeout: 30,
  ...(rate && { overallRate: rate }),
  requests: calls,
  setupClient(client: Client) {
    const from = Math.floor((clients++ * calls.length) / connections)
    client.setRequests([...calls.slice(from), ...calls.slice(0, from)])
  },
})
process.stdout.write(JSON.stringify(result))
