import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeResults } from './bench.ts'

export type Call = {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
}
export type LoadPlan = {
  url: string
  /** Sent one after the other; each connection starts at a different one. */
  calls: Call[]
  seconds: number
  /** Default: 10, or 100 with a `rate`. */
  connections?: number
  /** Calls per second, evenly spaced (open loop). By default each connection waits for its response (closed loop). */
  rate?: number
}

/** The result of a load, as the client sees it. */
export type LoadResult = {
  responses: number
  perSecond: number
  medianMs: number
  p99Ms: number
  /** The number of responses by status. */
  statuses: Record<string, number>
  /** Calls without a response: connection errors and timeouts. */
  unanswered: number
}
export type Load = LoadResult & {
  /** CPU time of this process per response. */
  cpuMs: number
  /** Responses other than 2xx and 304, and calls without a response. */
  failed: number
}

/**
 * Sends calls to a server from a child process, so that `cpuMs`, the CPU time of this process per response, is the server's
 * alone if the server runs in this process. `runner` is a command that runs the child process (see `pinToOneCore`).
 */
export async function load(plan: LoadPlan, runner: readonly string[] = []): Promise<Load> {
  const before = process.cpuUsage()
  const [command, ...options] = [
    ...runner,
    process.execPath,
    fileURLToPath(new URL('caller.ts', import.meta.url)),
  ]
  const caller = spawn(command!, options, { stdio: ['pipe', 'pipe', 'inherit'] })
  caller.stdin.end(JSON.stringify(plan))
  const output = await text(caller.stdout)
  if (output === '') throw new Error('The load process ended without a result.')
  const { user, system } = process.cpuUsage(before)
  const result = JSON.parse(output) as LoadResult
  const refused = Object.entries(result.statuses).filter(
    ([status]) => !status.startsWith('2') && status !== '304',
  )
  return {
    ...result,
    cpuMs: (user + system) / 1000 / result.responses,
    failed: result.unanswered + refused.reduce((all, [, count]) => all + count, 0),
  }
}

/** Returns the load with the median CPU time per response. */
export function medianLoad(loads: readonly Load[]): Load {
  return loads.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(loads.length / 2)]!
}

const help = `npm exec -- node scripts/bench/load.ts soak|overload|capacity [options]

Sends the mixed day (95 % reads, 5 % writes) to the real server, on synthetic data. Exits with 1 if a goal is missed.

  soak      at a fixed rate: memory and open files stay flat, no call fails and the log has no warning
  overload  from 10 connections, then from 2,000: throughput, refusals, latencies, recovery, memory; then reads beside logins
  capacity  on each setup in turn: the figures of the capacity plan in docs/performance.md

  --reviews 20000   size of the dataset
  --seconds 5       of each load of overload and capacity
  --rounds 3        of capacity
  --minutes 15      of soak
  --rate 150        calls per second of soak
  --json file       default: dist/bench/<mode>.json`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      reviews: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '15' },
      rate: { type: 'string', default: '150' },
      json: { type: 'string' },
    },
  })
  const [reviews, seconds, rounds, minutes, rate] = (
    ['reviews', 'seconds', 'rounds', 'minutes', 'rate'] as const
  ).map((name) => Number(values[name])) as [number, number, number, number, number]
  const modes: Record<string, () => Promise<object>> = {
    soak: async () => (await import('./soak.ts')).soak({ minutes, rate, reviews }),
    async overload() {
      const { overload, printOverload } = await import('./overload.ts')
      const result = await overload({ seconds, reviews })
      printOverload(result)
      return result
    },
    capacity: async () => (await import('./capacity.ts')).capacity({ reviews, rounds, seconds }),
  }
  const mode = positionals[0] ?? ''
  if (values.help || !modes[mode]) return console.log(help)
  const result = (await modes[mode]()) as { missed?: string[] }
  for (const what of result.missed ?? []) console.log(`MISSED ${what}`)
  writeResults(values.json ?? `dist/bench/${mode}.json`, result)
  process.exitCode = result.missed?.length ? 1 : 0
}

// Not awaited: the modes import this module.
if (import.meta.main) void main()
