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
  /** Made one after the other, by each connection from another one on. */
  calls: Call[]
  seconds: number
  /** 10 by default. */
  connections?: number
  /** Calls a second of all connections together; as many as are answered by default. */
  rate?: number
}

/** What a load found: answers a second, milliseconds at the median and the 99th percentile, and this process's CPU. */
export type Load = {
  answers: number
  perSecond: number
  cpuMs: number
  medianMs: number
  p99Ms: number
  /** Answers that were none of 2xx, and calls without one. */
  failed: number
  /** How many answers had which status. */
  statuses: Record<string, number>
  /** Calls without an answer. */
  unanswered: number
}

/**
 * Makes calls to a server, from a process of its own: so `cpuMs`, the CPU of this process for an answer, is the server's
 * where that runs in this process.
 */
export async function load(plan: LoadPlan): Promise<Load> {
  const before = process.cpuUsage()
  const caller = spawn(process.execPath, [fileURLToPath(new URL('caller.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  caller.stdin.end(JSON.stringify(plan))
  const answer = await text(caller.stdout)
  if (answer === '') throw new Error('The load did not come to its end.')
  const { user, system } = process.cpuUsage(before)
  const { requests, latency, non2xx, errors, statusCodeStats } = JSON.parse(answer)
  return {
    answers: requests.total,
    perSecond: requests.average,
    cpuMs: (user + system) / 1000 / requests.total,
    medianMs: latency.p50,
    p99Ms: latency.p99,
    failed: non2xx + errors,
    statuses: Object.fromEntries(
      Object.entries(statusCodeStats as Record<string, { count: number }>).map(([status, { count }]) => [
        status,
        count,
      ]),
    ),
    unanswered: errors,
  }
}

/** Of several of the same load, the one with the median CPU. */
export function medianLoad(loads: readonly Load[]): Load {
  return loads.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(loads.length / 2)]!
}
