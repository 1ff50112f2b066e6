import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const autocannon = createRequire(import.meta.url).resolve('autocannon')
const run = promisify(execFile)

/** What a load found: answers a second, milliseconds at the median and the 99th percentile, and this process's CPU. */
export type Load = { perSecond: number; cpuMs: number; medianMs: number; p99Ms: number; failed: number }

/**
 * Asks a server in this process for an address, again and again, from a process of its own (so that `cpuMs`, the CPU of this
 * process for an answer, is the server's). `failed` counts answers that were none of 2xx, and calls without one.
 */
export async function load(
  url: string,
  {
    headers = {},
    seconds,
    connections = 10,
  }: { headers?: Record<string, string>; seconds: number; connections?: number },
): Promise<Load> {
  const before = process.cpuUsage()
  const { stdout } = await run(
    process.execPath,
    [
      autocannon,
      '--json',
      `--connections=${connections}`,
      `--duration=${seconds}`,
      ...Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
      url,
    ],
    { maxBuffer: 1 << 26 },
  )
  const { user, system } = process.cpuUsage(before)
  const { requests, latency, non2xx, errors } = JSON.parse(stdout)
  return {
    perSecond: requests.average,
    cpuMs: (user + system) / 1000 / requests.total,
    medianMs: latency.p50,
    p99Ms: latency.p99,
    failed: non2xx + errors,
  }
}
