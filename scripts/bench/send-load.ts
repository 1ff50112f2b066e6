import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

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
