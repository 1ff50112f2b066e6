import { parseArgs } from 'node:util'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { openDestination, openLog } from '#server/process/log.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { describeMachine, openBench, pinToOneCore, writeResults } from './bench.ts'
import { type LoadCall, measureTable } from './send-load.ts'
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
    json: { type: 'string', default: 'dist/bench/http.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/http.ts [pages] [--reviews 100000] [--rounds 5] [--seconds 1] [--only text] [--json file]

Measures the CPU time of calls over HTTP against a bare Fastify route that returns the same bytes. Runs the server on
one core and a process that sends the calls on the others (if \`taskset\` is installed), at full speed, for each call in turn:
bare, then each way to make the call: as a visitor from the cache, as 304 and as after a write, and as a member. A round repeats
this. Prints the table of docs/performance.md: the medians of the ratios. All samples are in the JSON file. Runs on SQLite with a
synthetic dataset of that many reviews and with logging on. Exits with 1 if a goal is missed.
pages        measures rendered pages instead: rendered for each request, from the cache, and the app shell.
--only text  measures only the calls whose name contains the text.`)
  process.exit()
}
const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
if (positionals[0] === 'pages') {
  writeResults('dist/bench/pages.json', { results: await measurePages(options) })
  process.exit()
}

const runner = pinToOneCore()
const machine = describeMachine()
const log = openLog('info', openDestination('/dev/null'))
const { services, close } = await openBench()
const { db } = services
console.log(`Generating ${Number(values.reviews).toLocaleString('en')} reviews …`)
await generateSyntheticData(db, { reviews: Number(values.reviews), now: new Date() })
const headers = (await drawMixedLoad(db, 100)).find((call) => call.headers?.['authorization'])!.headers!

const apps: FastifyInstance[] = []
async function listen(app: FastifyInstance): Promise<string> {
  apps.push(app)
  return app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => 'listening' })
}
const start = async (overrides: Partial<typeof services>) =>
  listen(await buildApp({ ...services, ...overrides }, { web: noWeb, logger: log }))
const config = { ...services.config, cacheBytes: 0 }
const url = await start({ config })
// Without a version, no result of a query is kept, as after a write.
const changedUrl = await start({ config, db: db.withoutPlugins() })
const cachedUrl = await start({})

const id = 1
/** `goal`: the CPU time relative to the bare route, of a member’s call over REST and of a visitor’s after a write. */
type Read = { path: string; procedure: string; input: object; goal: number }
const reads: Record<string, Read> = {
  detail: { path: `/movies/${id}`, procedure: 'movies.byId', input: { id }, goal: 5 },
  histogram: {
    path: `/movies/${id}/rating-histogram`,
    procedure: 'movies.ratingHistogram',
    input: { id },
    goal: 4.5,
  },
  'reviews (20)': {
    path: `/reviews?movieId=${id}&limit=20`,
    procedure: 'reviews.list',
    input: { movieId: id, limit: 20 },
    goal: 8,
  },
  popular: { path: '/movies/popular', procedure: 'movies.popular', input: {}, goal: 5 },
  'items (20)': { path: '/items?limit=20', procedure: 'items.list', input: { limit: 20 }, goal: 6 },
  search: { path: '/movies/search?q=the', procedure: 'movies.search', input: { q: 'the' }, goal: 8 },
}
const names = Object.keys(reads).filter((name) => name.includes(values.only))

const bare = Fastify()
const tags = new Map<string, string>()
for (const name of names) {
  const response = await fetch(cachedUrl + reads[name]!.path)
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  tags.set(name, response.headers.get('etag') ?? '')
  const body = await response.text()
  bare.get(reads[name]!.path.split('?')[0]!, (_request, reply) => reply.type('application/json').send(body))
}
const bareUrl = await listen(bare)

const ways: Record<string, (read: Read, name: string) => { url: string; call: LoadCall }> = {
  bare: ({ path }) => ({ url: bareUrl, call: { path } }),
  'REST, cached': ({ path }) => ({ url: cachedUrl, call: { path } }),
  'REST, 304': ({ path }, name) => ({
    url: cachedUrl,
    call: { path, headers: { 'if-none-match': tags.get(name)! } },
  }),
  'REST, after a write': ({ path }) => ({ url: changedUrl, call: { path } }),
  'REST, member': ({ path }) => ({ url, call: { path, headers } }),
  'tRPC, member': ({ procedure, input }) => ({
    url,
    call: { path: `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, headers },
  }),
}
const cells = names.flatMap((row) =>
  Object.entries(ways).map(([column, callOf]) => ({ row, column, ...callOf(reads[row]!, row) })),
)
const { samples, medianOf } = await measureTable(cells, { ...options, runner })
const ratioOf = (name: string, way: string) => medianOf(name, way, 'ratio')
const columns = Object.keys(ways).slice(1)
const table = [
  ['call', 'bare, µs', ...columns],
  ['---', '---', ...columns.map(() => '---')],
  ...names.map((name) => [
    name,
    (1_000 * medianOf(name, 'bare', 'cpuMs')).toFixed(0),
    ...columns.map((way) => ratioOf(name, way).toFixed(1)),
  ]),
]
console.log(`${machine}\n\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`)
const missed = names.flatMap((name) => {
  const { goal } = reads[name]!
  // The cache serves these calls, so their goals are the same.
  const goals = { 'REST, cached': 2.5, 'REST, 304': 1.5, 'REST, after a write': goal, 'REST, member': goal }
  return Object.entries(goals)
    .filter(([way, most]) => ratioOf(name, way) > most)
    .map(([way, most]) => `${name}, ${way}: ${ratioOf(name, way).toFixed(1)} × the bare route, goal ${most}`)
})
for (const what of missed) console.log(`MISSED ${what}`)
if (missed.length > 0) process.exitCode = 1
writeResults(values.json, { machine, reviews: Number(values.reviews), samples, missed })
await Promise.all(apps.map((app) => app.close()))
await close()
