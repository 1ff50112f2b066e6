import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { memoryOf } from './bench.ts'
import { fillWithMixedLoad } from './mixed-load.ts'
import { load, median } from './send-load.ts'

const everyMs = 5_000
/** The last third of the run, compared with the second. In the first, caches fill. */
const growthMax = { 'memory MB': 5, files: 5 }
type What = keyof typeof growthMax

/** `missed` lists failed calls, warnings in the log, and what grows. Needs /proc (Linux). */
export async function soak({ minutes, rate, reviews }: { minutes: number; rate: number; reviews: number }) {
  const { folder, remove } = aDataFolder()
  const calls = await fillWithMixedLoad({ dataDir: folder }, reviews)
  const server = await startProgram({ DATA_DIR: folder })
  const loading = load({ url: server.url, calls, seconds: minutes * 60, rate })
  let isOver = false
  void loading.finally(() => (isOver = true))

  const samples: Record<What, number>[] = []
  for (;;) {
    await Promise.race([wait(everyMs), loading])
    if (isOver) break
    const files = readdirSync(`/proc/${server.child.pid}/fd`).length
    samples.push({ 'memory MB': memoryOf(server.child.pid), files })
  }
  const { responses, failed } = await loading
  await server.end()
  remove()

  const third = Math.floor(samples.length / 3)
  const growth = (Object.keys(growthMax) as What[]).map((what) => {
    const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map((part) =>
      part.map((one) => one[what]).sort((a, b) => a - b),
    ) as [number[], number[]]
    const lowest = Math.round(Math.min(middle[0]!, last[0]!))
    const highest = Math.round(Math.max(middle.at(-1)!, last.at(-1)!))
    return { what, lowest, highest, growth: Number((median(last) - median(middle)).toFixed(1)) }
  })
  console.table(growth)
  console.log({ minutes, responses, failed })
  const logLines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  for (const line of logLines.slice(0, 10)) console.log(line)
  const missed = [
    ...(failed > 0 ? [`${failed} calls failed`] : []),
    ...(logLines.length > 0 ? [`${logLines.length} warnings or errors in the log`] : []),
    ...growth.filter((one) => one.growth > growthMax[one.what]).map(({ what }) => `${what} grows`),
  ]
  return { growth, responses, failed, missed, samples }
}
