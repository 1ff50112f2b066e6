import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#scripts/testing/postgres.ts'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'
import { memoryOf, openBench } from './bench.ts'
import { load } from './send-load.ts'
import { drawMixedLoad } from './mixed-load.ts'
import { generateSyntheticData } from './synthetic-data.ts'

const everyMs = 5_000
/** Per minute. Growth whose 95 % lower bound is above this is a leak. */
const slopesMax = { 'memory MB': 1, 'heap MB': 1, files: 1 }

type Sample = { minute: number } & Record<keyof typeof slopesMax, number>
/**
 * Sends the mixed load at a fixed rate (calls per second) to the real server and samples its memory and open files every five
 * seconds. Prints their growth: the least-squares slope over the last two thirds of the run (caches fill in the first), with its
 * 95 % confidence interval. `missed` lists failed calls, warnings in the log, and what grows. Needs /proc (Linux).
 */
export async function soak({ minutes, rate, reviews }: { minutes: number; rate: number; reviews: number }) {
  const { folder, remove } = aDataFolder()
  const { services, close } = await openBench({ dataDir: folder })
  const { db } = services
  const now = new Date()
  await generateSyntheticData(db, { reviews, now })
  const calls = await drawMixedLoad(db, { calls: 5_000, seed: 1, now })
  await close()

  const metricsPort = await freePort()
  const server = await startProgram({ DATA_DIR: folder, METRICS_PORT: String(metricsPort) })
  const seconds = minutes * 60
  const loading = load({ url: server.url, calls, seconds, rate })
  const state = { isOver: false }
  void loading.finally(() => (state.isOver = true))

  const samples: Sample[] = []
  const startedAt = performance.now()
  while (!state.isOver) {
    await Promise.race([wait(everyMs), loading])
    if (!state.isOver) samples.push(await sample(server, metricsPort, startedAt))
  }
  const { responses, failed, medianMs, p99Ms } = await loading
  await server.end()
  remove()

  const counted = samples.slice(Math.floor(samples.length / 3))
  const growth = Object.fromEntries(
    (Object.keys(slopesMax) as (keyof typeof slopesMax)[]).map((what) => {
      const { slope, margin } = slopeOf(counted.map((one) => [one.minute, one[what]]))
      const numbers = counted.map((one) => one[what])
      return [
        what,
        {
          lowest: Math.round(Math.min(...numbers)),
          highest: Math.round(Math.max(...numbers)),
          'per minute': Number(slope.toFixed(3)),
          '± (95 %)': Number(margin.toFixed(3)),
        },
      ]
    }),
  )
  console.table(growth)
  console.log({ minutes, responses, failed, medianMs, p99Ms })
  const logLines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  for (const line of logLines.slice(0, 10)) console.log(line)
  const missed = [
    ...(failed > 0 ? [`${failed} calls failed`] : []),
    ...(logLines.length > 0 ? [`${logLines.length} warnings or errors in the log`] : []),
    ...Object.entries(slopesMax)
      .filter(([what, max]) => growth[what]!['per minute'] - growth[what]!['± (95 %)'] > max)
      .map(([what]) => `${what} grows`),
  ]
  return { growth, responses, failed, medianMs, p99Ms, missed, samples }
}

async function sample({ child: { pid } }: Program, metricsPort: number, startedAt: number): Promise<Sample> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const heap = /^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)![1]
  return {
    minute: (performance.now() - startedAt) / 60_000,
    'memory MB': memoryOf(pid),
    'heap MB': Number(heap) / 2 ** 20,
    files: readdirSync(`/proc/${pid}/fd`).length,
  }
}

/** Returns the least-squares slope and the half-width of its 95 % confidence interval (normal approximation). */
function slopeOf(points: [number, number][]): { slope: number; margin: number } {
  const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))]
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  const slope = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread
  const rest = points.reduce((sum, [at, value]) => sum + (value - y - slope * (at - x)) ** 2, 0)
  return { slope, margin: 1.96 * Math.sqrt(rest / (points.length - 2) / spread) }
}
