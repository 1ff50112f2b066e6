import { parseArgs } from 'node:util'
import { writeResults } from './bench.ts'
import { capacity } from './capacity.ts'
import { overload } from './overload.ts'
import { soak } from './soak.ts'

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
    soak: () => soak({ minutes, rate, reviews }),
    async overload() {
      const result = await overload({ seconds, reviews })
      console.log(result)
      return result
    },
    capacity: () => capacity({ reviews, rounds, seconds }),
  }
  const mode = positionals[0] ?? ''
  if (values.help || !modes[mode]) return console.log(help)
  const result = (await modes[mode]()) as { missed?: string[] }
  for (const what of result.missed ?? []) console.log(`MISSED ${what}`)
  writeResults(values.json ?? `dist/bench/${mode}.json`, result)
  process.exitCode = result.missed?.length ? 1 : 0
}

await main()
