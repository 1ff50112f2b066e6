import { parseArgs } from 'node:util'
import { buildApp } from '#server/app.ts'
import { loadStarter } from '#server/starter/load.ts'
import { loadCommunity } from '#server/starter/community.ts'
import { builtWeb } from '#server/web.ts'
import { openBench, writeResults } from './bench.ts'
import { type Load, load, medianLoad } from './load.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    json: { type: 'string', default: 'dist/bench/pages.json' },
  },
})
if (values.help) {
  console.log(`npm exec -- node scripts/bench/pages.ts [--rounds 3] [--seconds 3] [--json dist/bench/pages.json]

Pages per second of Home and of a title, on the starter catalogue with the demo community: rendered for each reader,
rendered and shared for five seconds, and the plain page beside them, in turn. Medians of the rounds; needs a built client.`)
  process.exit()
}

const { services, close } = await openBench()
await loadStarter(services.db, new Date())
await loadCommunity(services.db, new Date())
const web = await builtWeb()
const ways = {
  'for each reader': { ...web, freshMs: 0 },
  shared: web,
  'plain page': { ...web, page: web.shell },
}

const apps = await Promise.all(
  Object.entries(ways).map(async ([way, its]) => {
    const app = await buildApp(services, { web: its })
    return { way, app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
  }),
)
const pages = { Home: '/', detail: '/movies/1' }
const headers = { accept: 'text/html', 'accept-encoding': 'br' }
const seen = new Map<string, Load[]>()
for (let round = 0; round < Number(values.rounds); round++)
  for (const [page, path] of Object.entries(pages))
    for (const { way, url } of apps) {
      const found = await load({ url, calls: [{ path, headers }], seconds: Number(values.seconds) })
      if (found.failed > 0) throw new Error(`${way} of ${page}: ${found.failed} failed`)
      seen.set(`${page} ${way}`, [...(seen.get(`${page} ${way}`) ?? []), found])
    }

const results = Object.keys(pages).flatMap((page) => {
  const of = (way: string) => medianLoad(seen.get(`${page} ${way}`)!)
  return Object.keys(ways).map((way) => ({
    page,
    way,
    'pages per second': Math.round(of(way).perSecond),
    'CPU ms per page': Number(of(way).cpuMs.toFixed(2)),
    'CPU beside the plain page': Number((of(way).cpuMs / of('plain page').cpuMs).toFixed(1)),
  }))
})
console.table(results)
writeResults(values.json, { results })
await Promise.all(apps.map(({ app }) => app.close()))
await close()
