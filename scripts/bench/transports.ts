import { createWriteStream } from 'node:fs'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { buildApp } from '#server/app.ts'
import { openLog } from '#server/process/log.ts'
import { noWeb } from '#server/http/web.ts'
import { openBench, writeResults } from './bench.ts'
import { type Call, type Load, load, medianLoad } from './load.ts'
import { drawMixedLoad } from './mixed-load.ts'
import { generateSyntheticData } from './synthetic-data.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    reviews: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'string', default: 'dist/bench/transports.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/transports.ts [--reviews 100000] [--rounds 3] [--seconds 4] [--json file]

Measures the cost of a call over HTTP on both transports, REST and tRPC, against a bare Fastify route that returns the same
bytes, without the cache of visitors’ responses, from the cache, and as 304: at full speed, and at the same fixed rate for all, since at full speed a fast route is never idle and saves the cost
of waking up. Then a mixed load (95 % reads, 5 % writes) at full speed and at 60 % of the throughput reached. Runs on SQLite
with a synthetic dataset of that many reviews and with logging on; a child process sends the calls. Exits with 1 if a goal
is missed.`)
  process.exit()
}

/** CPU time of a call relative to the bare route, and the p99 of the mixed load. */
const goals = { REST: 4, tRPC: 5, mixedP99Ms: 50 }
/** Calls per second; every route measured here sustains it. */
const fixedRate = 1_000

const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const log = openLog('info', createWriteStream('/dev/null'))
const { services, close } = await openBench()
const { db } = services
const now = new Date()
console.log(`Generating ${Number(values.reviews).toLocaleString('en')} reviews …`)
await generateSyntheticData(db, { reviews: Number(values.reviews), now })
const day = await drawMixedLoad(db, { calls: 5_000, seed: 1, now })

const listenOptions = { port: 0, host: '127.0.0.1', listenTextResolver: () => 'listening' }
const app = await buildApp(
  { ...services, config: { ...services.config, cacheBytes: 0 } },
  { web: noWeb, logger: log },
)
const url = await app.listen(listenOptions)
const cached = await buildApp(services, { web: noWeb, logger: log })
const cachedUrl = await cached.listen(listenOptions)

const { id } = await db
  .selectFrom('media')
  .select('id')
  .where('kind', '=', 'movie')
  .orderBy('id')
  .limit(1)
  .executeTakeFirstOrThrow()
const headers = day.find((call) => call.headers?.['authorization'])!.headers!
const trpcPath = (path: string, input: object) =>
  `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
const reads: Record<string, { REST: Call; tRPC: Call }> = {
  detail: { REST: { path: `/movies/${id}` }, tRPC: { path: trpcPath('movies.byId', { id }) } },
  histogram: {
    REST: { path: `/movies/${id}/rating-histogram` },
    tRPC: { path: trpcPath('movies.ratingHistogram', { id }) },
  },
  reviews: {
    REST: { path: `/reviews?movieId=${id}` },
    tRPC: { path: trpcPath('reviews.list', { movieId: id }) },
  },
  popular: { REST: { path: '/movies/popular' }, tRPC: { path: trpcPath('movies.popular', {}) } },
  suggestions: {
    REST: { path: '/movies/search?q=the' },
    tRPC: { path: trpcPath('movies.search', { q: 'the' }) },
  },
  'For You': {
    REST: { path: '/movies/for-you', headers },
    tRPC: { path: trpcPath('movies.forYou', {}), headers },
  },
}

// The bare routes return the same bytes and do nothing else.
const bareOf = (name: string) => `/${name.replaceAll(' ', '-').toLowerCase()}`
const bare = Fastify()
const tags = new Map<string, string>()
for (const [name, { REST }] of Object.entries(reads)) {
  const response = await fetch(url + REST.path, { headers: REST.headers ?? {} })
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  const body = await response.text()
  const etag = response.headers.get('etag')
  if (etag !== null) tags.set(name, etag)
  bare.get(bareOf(name), (_request, reply) => reply.type('application/json').send(body))
}
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' })

const loads = new Map<string, Load[]>()
const measure = async (key: string, at: string, call: Call) => {
  for (const [pace, plan] of [
    ['full speed', {}],
    ['fixed rate', { rate: fixedRate }],
  ] as const) {
    const result = await load({ url: at, calls: [call], seconds, ...plan })
    if (result.failed > 0) throw new Error(`${key}: ${result.failed} of ${result.responses} failed`)
    loads.set(`${key} ${pace}`, [...(loads.get(`${key} ${pace}`) ?? []), result])
  }
}
for (let round = 0; round < rounds; round++)
  for (const [name, { REST, tRPC }] of Object.entries(reads)) {
    await measure(`${name} bare`, bareUrl, { path: bareOf(name) })
    await measure(`${name} REST`, url, REST)
    await measure(`${name} tRPC`, url, tRPC)
    const etag = tags.get(name)
    if (etag === undefined) continue
    await measure(`${name} REST, cached`, cachedUrl, REST)
    await measure(`${name} tRPC, cached`, cachedUrl, tRPC)
    await measure(`${name} REST, 304`, cachedUrl, { ...REST, headers: { 'if-none-match': etag } })
  }

const results = Object.keys(reads).flatMap((name) => {
  const of = (transport: string, pace: 'full speed' | 'fixed rate') =>
    medianLoad(loads.get(`${name} ${transport} ${pace}`)!)
  const transports = ['bare', 'REST', 'tRPC', 'REST, cached', 'tRPC, cached', 'REST, 304'] as const
  return transports.flatMap((transport) => {
    if (!loads.has(`${name} ${transport} full speed`)) return []
    const full = of(transport, 'full speed')
    const paced = of(transport, 'fixed rate')
    return {
      call: name,
      transport,
      'CPU µs': Math.round(1000 * full.cpuMs),
      '× bare': Number((full.cpuMs / of('bare', 'full speed').cpuMs).toFixed(2)),
      'CPU µs, fixed rate': Math.round(1000 * paced.cpuMs),
      '× bare, fixed rate': Number((paced.cpuMs / of('bare', 'fixed rate').cpuMs).toFixed(2)),
      'per second': Math.round(full.perSecond),
      'p99 ms': full.p99Ms,
    }
  })
})
console.table(results)

const full = await load({ url: cachedUrl, calls: day, seconds: 3 * seconds })
const rate = Math.round(0.6 * full.perSecond)
const paced = await load({ url: cachedUrl, calls: day, seconds: 3 * seconds, rate })
const mixed = { 'full speed': full, '60 % of it': paced }
console.table(
  Object.fromEntries(
    Object.entries(mixed).map(([pace, { perSecond, cpuMs, medianMs, p99Ms, failed }]) => [
      pace,
      {
        'per second': Math.round(perSecond),
        'CPU µs': Math.round(1000 * cpuMs),
        'median ms': medianMs,
        'p99 ms': p99Ms,
        failed,
      },
    ]),
  ),
)

const missed = [
  ...results
    .filter(
      ({ call, transport, '× bare': times }) =>
        call === 'detail' && transport in goals && times > goals[transport as 'REST' | 'tRPC'],
    )
    .map(({ call, transport, '× bare': times }) => `${call} over ${transport}: ${times} × the bare route`),
  ...(paced.p99Ms > goals.mixedP99Ms ? [`mixed load: p99 ${paced.p99Ms} ms`] : []),
  ...(full.failed + paced.failed > 0 ? [`mixed load: ${full.failed + paced.failed} failed`] : []),
]
for (const what of missed) console.log(`MISSED ${what}`)
if (missed.length > 0) process.exitCode = 1
writeResults(values.json, { reviews: Number(values.reviews), results, mixed, missed })
await Promise.all([app.close(), cached.close(), bare.close()])
await close()
