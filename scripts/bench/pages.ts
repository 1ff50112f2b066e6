import { buildApp } from '#server/app.ts'
import { loadStarter } from '#server/starter/load.ts'
import { loadCommunity } from '#server/starter/community.ts'
import { builtWeb } from '#server/http/pages/web.ts'
import { openBench } from './bench.ts'
import { type Load, load, medianLoad } from './send-load.ts'

/**
 * Measures pages per second of Home and of a detail page, on the starter catalogue with the demo community: rendered for each request,
 * from the cache, and the app shell alone. Prints and returns the medians of the rounds. Needs a built client.
 */
export async function measurePages({ rounds, seconds }: { rounds: number; seconds: number }) {
  const { services, close } = await openBench()
  await loadStarter(services.db, new Date())
  await loadCommunity(services.db, new Date())
  const web = await builtWeb()
  const { db } = services
  const modes = {
    // Without a version of the database: no result of a query is kept either, as after a write.
    'rendered per request': { web, cacheBytes: 0, db: db.withoutPlugins() },
    cached: { web, cacheBytes: services.config.cacheBytes, db },
    'app shell': { web: { ...web, page: web.shell }, cacheBytes: 0, db },
  }

  const apps = await Promise.all(
    Object.entries(modes).map(async ([mode, { web, cacheBytes, db }]) => {
      const config = { ...services.config, cacheBytes }
      const app = await buildApp({ ...services, db, config }, { web })
      return { mode, app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
    }),
  )
  const pages = { Home: '/', detail: '/movies/1' }
  const headers = { accept: 'text/html', 'accept-encoding': 'br' }
  const loads = new Map<string, Load[]>()
  for (let round = 0; round < rounds; round++)
    for (const [page, path] of Object.entries(pages))
      for (const { mode, url } of apps) {
        const result = await load({ url, calls: [{ path, headers }], seconds: seconds })
        if (result.failed > 0) throw new Error(`${page}, ${mode}: ${result.failed} failed`)
        loads.set(`${page} ${mode}`, [...(loads.get(`${page} ${mode}`) ?? []), result])
      }

  const results = Object.keys(pages).flatMap((page) => {
    const of = (mode: string) => medianLoad(loads.get(`${page} ${mode}`)!)
    return Object.keys(modes).map((mode) => ({
      page,
      mode,
      'pages per second': Math.round(of(mode).perSecond),
      'CPU ms per page': Number(of(mode).cpuMs.toFixed(2)),
      '× app shell': Number((of(mode).cpuMs / of('app shell').cpuMs).toFixed(1)),
    }))
  })
  console.table(results)
  await Promise.all(apps.map(({ app }) => app.close()))
  await close()
  return results
}
