import { createWriteStream } from 'node:fs'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'
import { buildApp } from '#server/app.ts'
import { openLog } from '#server/log.ts'
import { noWeb } from '#server/web.ts'
import { openBench, writeResults } from './bench.ts'
import { type Call, type Load, load, medianLoad } from './load.ts'
import { drawDay } from './mixed-day.ts'
import { makeWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    reviews: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'string', default: 'dist/bench/doors.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/doors.ts [--reviews 100000] [--rounds 3] [--seconds 4] [--json file]

What a call costs over HTTP, at the REST door and at the typed one, beside a bare Fastify route that returns the same bytes,
in turn: at full speed, and at the same rate for all (\`calm\`), since a route that is never idle has its connections ready
and wakes nobody. Then a mixed day (95 % reads, 5 % writes) at full speed and at 60 % of what that reached. On SQLite, in a
world of so many reviews, with the log on, calls made by a process of their own. Ends with 1 where a goal is missed.`)
  process.exit()
}

/** CPU of a call against that of the bare route; the mixed day's slowest of a hundred, in milliseconds. */
const goals = { REST: 4, typed: 5, mixedP99Ms: 50 }
/** Calls a second that every route here can answer. */
const calmRate = 1_000

const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const log = openLog('info', createWriteStream('/dev/null'))
const { services, close } = await openBench()
const { db } = services
const now = new Date()
console.log(`Making a world of ${Number(values.reviews).toLocaleString('en')} reviews …`)
await makeWorld(db, { reviews: Number(values.reviews), now })
const day = await drawDay(db, { calls: 5_000, seed: 1, now })

const app = await buildApp(services, { web: noWeb, logger: log })
const url = await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => 'listening' })

const { id } = await db
  .selectFrom('media')
  .select('id')
  .where('kind', '=', 'movie')
  .orderBy('id')
  .limit(1)
  .executeTakeFirstOrThrow()
const headers = day.find((call) => call.headers?.['authorization'])!.headers!
const typed = (path: string, input: object) =>
  `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
const reads: Record<string, { REST: Call; typed: Call }> = {
  detail: { REST: { path: `/movies/${id}` }, typed: { path: typed('movies.byId', { id }) } },
  histogram: {
    REST: { path: `/movies/${id}/rating-histogram` },
    typed: { path: typed('movies.ratingHistogram', { id }) },
  },
  reviews: {
    REST: { path: `/reviews?movieId=${id}` },
    typed: { path: typed('reviews.list', { movieId: id }) },
  },
  popular: { REST: { path: '/movies/popular' }, typed: { path: typed('movies.popular', {}) } },
  suggestions: {
    REST: { path: '/movies/search?q=the' },
    typed: { path: typed('movies.search', { q: 'the' }) },
  },
  'For You': {
    REST: { path: '/movies/for-you', headers },
    typed: { path: typed('movies.forYou', {}), headers },
  },
}

// The bare routes: the same bytes, and nothing else.
const bareOf = (name: string) => `/${name.replaceAll(' ', '-').toLowerCase()}`
const bare = Fastify()
for (const [name, { REST }] of Object.entries(reads)) {
  const answer = await fetch(url + REST.path, { headers: REST.headers ?? {} })
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
  const body = await answer.text()
  bare.get(bareOf(name), (_request, reply) => reply.type('application/json').send(body))
}
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' })

const seen = new Map<string, Load[]>()
const measure = async (key: string, at: string, call: Call) => {
  for (const [way, plan] of [
    ['full', {}],
    ['calm', { rate: calmRate }],
  ] as const) {
    const found = await load({ url: at, calls: [call], seconds, ...plan })
    if (found.failed > 0) throw new Error(`${key}: ${found.failed} of ${found.answers} failed`)
    seen.set(`${key} ${way}`, [...(seen.get(`${key} ${way}`) ?? []), found])
  }
}
for (let round = 0; round < rounds; round++)
  for (const [name, { REST, typed: typedCall }] of Object.entries(reads)) {
    await measure(`${name} bare`, bareUrl, { path: bareOf(name) })
    await measure(`${name} REST`, url, REST)
    await measure(`${name} typed`, url, typedCall)
  }

const results = Object.keys(reads).flatMap((name) => {
  const of = (door: string, way: 'full' | 'calm') => medianLoad(seen.get(`${name} ${door} ${way}`)!)
  return (['bare', 'REST', 'typed'] as const).map((door) => {
    const found = of(door, 'full')
    const calm = of(door, 'calm')
    return {
      call: name,
      door,
      'CPU µs': Math.round(1000 * found.cpuMs),
      '× bare': Number((found.cpuMs / of('bare', 'full').cpuMs).toFixed(2)),
      'calm CPU µs': Math.round(1000 * calm.cpuMs),
      'calm × bare': Number((calm.cpuMs / of('bare', 'calm').cpuMs).toFixed(2)),
      'a second': Math.round(found.perSecond),
      'p99 ms': found.p99Ms,
    }
  })
})
console.table(results)

const full = await load({ url, calls: day, seconds: 3 * seconds })
const rate = Math.round(0.6 * full.perSecond)
const calm = await load({ url, calls: day, seconds: 3 * seconds, rate })
const mixed = { 'full speed': full, '60 % of it': calm }
console.table(
  Object.fromEntries(
    Object.entries(mixed).map(([way, { perSecond, cpuMs, medianMs, p99Ms, failed }]) => [
      way,
      {
        'a second': Math.round(perSecond),
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
    .filter(({ call, door, '× bare': times }) => call === 'detail' && door !== 'bare' && times > goals[door])
    .map(({ call, door, '× bare': times }) => `${call} at ${door}: ${times} times the bare route`),
  ...(calm.p99Ms > goals.mixedP99Ms ? [`mixed day: p99 ${calm.p99Ms} ms`] : []),
  ...(full.failed + calm.failed > 0 ? [`mixed day: ${full.failed + calm.failed} failed`] : []),
]
for (const what of missed) console.log(`MISSED ${what}`)
if (missed.length > 0) process.exitCode = 1
writeResults(values.json, { reviews: Number(values.reviews), results, mixed, missed })
await Promise.all([app.close(), bare.close()])
await close()
