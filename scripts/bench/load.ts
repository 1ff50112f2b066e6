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
  /** 10 by default, and no more than 100 with a `rate`. */
  connections?: number
  /** Calls a second, evenly; by default each connection makes its next one when it has its answer. */
  rate?: number
}

/** What a load found: answers a second, and milliseconds at the median and the 99th percentile. */
export type Found = {
  answers: number
  perSecond: number
  medianMs: number
  p99Ms: number
  /** How many answers had which status. */
  statuses: Record<string, number>
  /** Calls without an answer. */
  unanswered: number
}
export type Load = Found & {
  /** This process's CPU for an answer. */
  cpuMs: number
  /** Answers that were none of 2xx, and calls without one. */
  failed: number
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
  const found = JSON.parse(answer) as Found
  const refused = Object.entries(found.statuses).filter(([status]) => !status.startsWith('2'))
  return {
    ...found,
    cpuMs: (user + system) / 1000 / found.answers,
    failed: found.unanswered + refused.reduce((all, [, count]) => all + count, 0),
  }
}

/** Of several of the same load, the one with the median CPU. */
export function medianLoad(loads: readonly Load[]): Load {
  return loads.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(loads.length / 2)]!
}
