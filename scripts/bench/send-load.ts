import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export type LoadCall = {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
}
export type LoadPlan = {
  url: string
  /** Each connection starts at a different call, and waits for its response. */
  calls: LoadCall[]
  seconds: number
  connections?: number
  rate?: number
}

export type LoadResult = {
  responses: number
  perSecond: number
  p99Ms: number
  statuses: Record<string, number>
  unanswered: number
}
export type Load = LoadResult & {
  /** CPU time of this process per response. */
  cpuMs: number
  failed: number
}

/** A child process sends, so that `cpuMs`, the CPU time of this process, is the server's alone. `runner` runs the child (see `pinToOneCore`). */
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
  const succeeded = Object.entries(result.statuses)
    .filter(([status]) => status.startsWith('2') || status === '304')
    .reduce((sum, [, count]) => sum + count, 0)
  return {
    ...result,
    cpuMs: (user + system) / 1000 / result.responses,
    failed: result.unanswered + result.responses - succeeded,
  }
}

type Cell = { row: string; column: string; url: string; call: LoadCall }
/** `ratio`: to the first cell of the same row in the same round. */
type Sample = { row: string; column: string; cpuMs: number; ratio: number; perSecond: number }

/** A round to warm up, then `rounds`, each with all cells in turn. Throws if a call fails. Returns a function for the median of a cell. */
export async function measureTable(
  cells: readonly Cell[],
  { rounds, seconds, runner = [] }: { rounds: number; seconds: number; runner?: readonly string[] },
) {
  const samples: Sample[] = []
  for (let round = 0; round <= rounds; round++) {
    const first = new Map<string, number>()
    for (const { row, column, url, call } of cells) {
      const { cpuMs, perSecond, failed, responses } = await load({ url, calls: [call], seconds }, runner)
      if (failed > 0) throw new Error(`${call.path}: ${failed} of ${responses} failed`)
      if (!first.has(row)) first.set(row, cpuMs)
      if (round > 0) samples.push({ row, column, cpuMs, ratio: cpuMs / first.get(row)!, perSecond })
    }
  }
  const medianOf = (row: string, column: string, value: 'cpuMs' | 'ratio' | 'perSecond') =>
    median(
      samples
        .filter((sample) => sample.row === row && sample.column === column)
        .map((sample) => sample[value]),
    )
  return { samples, medianOf }
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
