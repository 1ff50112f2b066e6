import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { buildApp } from '#server/app.ts'
import { openDestination, openLog } from '#server/process/log.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { describeMachine, openBench, pinToOneCore, writeResults } from './bench.ts'
import { type Call, load } from './send-load.ts'
import { measurePages } from './pages.ts'
import { drawMixedLoad } from './mixed-load.ts'
import { generateSyntheticData } from './synthetic-data.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    reviews: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean' },
    json: { type: 'string', default: 'dist/bench/http.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/http.ts [pages] [--reviews 100000] [--rounds 5] [--seconds 1] [--only text] [--write] [--json file]

Measures the CPU time of calls over HTTP against that of a bare Fastify route that returns the same bytes. Runs the server on
one core and a process that sends the calls on the others (if \`taskset\` is installed), at full speed, for each call in turn:
bare, then each way to make the call: as a visitor from the cache, as 304 and as after a write, and as a member. A round repeats this. Prints the median of the ratios, and the lowest and the highest.
Runs on SQLite with a synthetic dataset of that many reviews and with logging on. Exits with 1 if a goal is missed.
pages        measures rendered pages instead: rendered for each request, from the cache, and the app shell.
--only text  measures only the calls whose name contains the text.
--write      also writes the table into docs/performance.md, with the name and the speed of the machine.`)
  process.exit()
}
if (positionals[0] === 'pages') {
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
  writeResults('dist/bench/pages.json', { results: await measurePages(options) })
  process.exit()
}

/** CPU time relative to the bare route: of a visitor's call that the cache serves; of a member's call over REST, and a visitor's after a write. */
const cachedGoals = { 'REST, cached': 2.5, 'REST, 304': 1.5 }
const computedGoals: Record<string, number> = {
  detail: 5,
  histogram: 4.5,
  'reviews (20)': 8,
  popular: 5,
  'items (20)': 6,
  search: 8,
}

const caller = pinToOneCore()
const machine = describeMachine()
const log = openLog('info', openDestination('/dev/null'))
const { services, close } = await openBench()
const { db } = services
const now = new Date()
console.log(`Generating ${Number(values.reviews).toLocaleString('en')} reviews …`)
await generateSyntheticData(db, { reviews: Number(values.reviews), now })
// Logs members in.
const headers = (await drawMixedLoad(db, { calls: 100, seed: 1, now })).find(
  (call) => call.headers?.['authorization'],
)!.headers!

const listenOptions = { port: 0, host: '127.0.0.1', listenTextResolver: () => 'listening' }
const uncached = { ...services, config: { ...services.config, cacheBytes: 0 } }
const app = await buildApp(uncached, { web: noWeb, logger: log })
const url = await app.listen(listenOptions)
// The same database without a version: no result of a query is kept either, as after a write.
const changedApp = await buildApp({ ...uncached, db: db.withoutPlugins() }, { web: noWeb, logger: log })
const changedUrl = await changedApp.listen(listenOptions)
const cachedApp = await buildApp(services, { web: noWeb, logger: log })
const cachedUrl = await cachedApp.listen(listenOptions)
const bare = Fastify()
const { id } = await db
  .selectFrom('media')
  .select('id')
  .where('kind', '=', 'movie')
  .orderBy('id')
  .limit(1)
  .executeTakeFirstOrThrow()

type Read = { path: string; procedure: string; input: object }
const reads: Record<string, Read> = {
  detail: { path: `/movies/${id}`, procedure: 'movies.byId', input: { id } },
  histogram: {
    path: `/movies/${id}/rating-histogram`,
    procedure: 'movies.ratingHistogram',
    input: { id },
  },
  'reviews (20)': {
    path: `/reviews?movieId=${id}&limit=20`,
    procedure: 'reviews.list',
    input: { movieId: id, limit: 20 },
  },
  popular: { path: '/movies/popular', procedure: 'movies.popular', input: {} },
  'items (20)': { path: '/items?limit=20', procedure: 'items.list', input: { limit: 20 } },
  search: { path: '/movies/search?q=the', procedure: 'movies.search', input: { q: 'the' } },
}

/** The ways to make a call, which are the columns of the table. */
const ways: Record<string, (read: Read, name: string) => Call> = {
  'REST, cached': ({ path }) => ({ path }),
  'REST, 304': ({ path }, name) => ({ path, headers: { 'if-none-match': tags.get(name)! } }),
  'REST, after a write': ({ path }) => ({ path }),
  'REST, member': ({ path }) => ({ path, headers }),
  'tRPC, member': ({ procedure, input }) => ({
    path: `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
    headers,
  }),
}

/** The tag of each response in the cache. */
const tags = new Map<string, string>()
/** The server of each way; `url` computes each response. */
const urls: Record<string, string> = {
  'REST, cached': cachedUrl,
  'REST, 304': cachedUrl,
  'REST, after a write': changedUrl,
}
const names = Object.keys(reads).filter((name) => name.includes(values.only))
const bareOf = (name: string) => `/${Object.keys(reads).indexOf(name)}`
for (const name of names) {
  const response = await fetch(cachedUrl + reads[name]!.path)
  tags.set(name, response.headers.get('etag') ?? '')
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  const body = await response.text()
  bare.get(bareOf(name), (_request, reply) => reply.type('application/json').send(body))
}
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' })

/** Returns the microseconds of CPU time of one call. */
async function measure(at: string, call: Call, seconds: number): Promise<number> {
  const { cpuMs, failed, responses } = await load({ url: at, calls: [call], seconds }, caller)
  if (failed > 0) throw new Error(`${call.path}: ${failed} of ${responses} failed`)
  return 1_000 * cpuMs
}

type Sample = { name: string; way: string; us: number; ratio: number }
const samples: Sample[] = []
const rounds = Number(values.rounds)
// The first round is the warm-up.
for (let round = 0; round <= rounds; round++)
  for (const name of names) {
    const bareUs = await measure(bareUrl, { path: bareOf(name) }, Number(values.seconds))
    const measured = [{ name, way: 'bare', us: bareUs, ratio: 1 }]
    for (const [way, callOf] of Object.entries(ways)) {
      const us = await measure(urls[way] ?? url, callOf(reads[name]!, name), Number(values.seconds))
      measured.push({ name, way, us, ratio: us / bareUs })
    }
    if (round > 0) samples.push(...measured)
  }

const valuesOf = (name: string, way: string, value: 'us' | 'ratio') =>
  samples
    .filter((sample) => sample.name === name && sample.way === way)
    .map((sample) => sample[value])
    .sort((a, b) => a - b)
const median = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)]!
const rows = names.map((name) => ({
  call: name,
  'bare, µs': median(valuesOf(name, 'bare', 'us')).toFixed(0),
  ...Object.fromEntries(
    Object.keys(ways).map((way) => {
      const ratios = valuesOf(name, way, 'ratio')
      return [way, `${median(ratios).toFixed(1)} (${ratios[0]!.toFixed(1)}–${ratios.at(-1)!.toFixed(1)})`]
    }),
  ),
}))
console.log(machine)
console.table(rows)
const missed = names.flatMap((name) => {
  const goal = computedGoals[name]!
  const goals = { ...cachedGoals, 'REST, after a write': goal, 'REST, member': goal }
  return Object.entries(goals).flatMap(([way, goal]) => {
    const ratio = median(valuesOf(name, way, 'ratio'))
    return ratio > goal ? [`${name}, ${way}: ${ratio.toFixed(1)} × the bare route, goal ${goal}`] : []
  })
})
for (const what of missed) console.log(`MISSED ${what}`)
if (missed.length > 0) process.exitCode = 1
writeResults(values.json, { machine, reviews: Number(values.reviews), samples, missed })
if (values.write) writeTable()
await Promise.all([app.close(), cachedApp.close(), changedApp.close(), bare.close()])
await close()

/** Replaces the table between the markers in docs/performance.md. */
function writeTable(): void {
  const file = new URL('../../docs/performance.md', import.meta.url)
  const columns = Object.keys(rows[0]!)
  const table = [
    columns,
    columns.map(() => '---'),
    // Only the medians.
    ...rows.map((row) =>
      columns.map((column) => (row as Record<string, string>)[column]!.replace(/ \(.*–.*/, '')),
    ),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  const text = `<!-- http.ts -->\n\n${machine}\n\n${table.join('\n')}\n\n<!-- /http.ts -->`
  const document = readFileSync(file, 'utf8')
  const replaced = document.replace(/<!-- http\.ts -->[^]*<!-- \/http\.ts -->/, () => text)
  if (!replaced.includes(text)) throw new Error('docs/performance.md has no markers for the table.')
  writeFileSync(file, replaced)
}
