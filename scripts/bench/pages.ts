import { buildApp } from '#server/app.ts'
import { loadStarter } from '#server/titles/load-starter.ts'
import { loadCommunity } from '#server/demo/community.ts'
import { builtWeb } from '#server/http/pages/web.ts'
import { openBench } from './bench.ts'
import { measureTable } from './send-load.ts'

/** Rendered for each request, from the cache, and the app shell alone. Needs a built client. */
export async function measurePages(options: { rounds: number; seconds: number }) {
  const { services, close } = await openBench()
  await loadStarter(services.db, new Date())
  await loadCommunity(services.db, new Date())
  const web = await builtWeb()
  const modes = {
    'app shell': { web: { ...web, page: web.shell }, cacheBytes: 0, db: services.db },
    cached: { web, cacheBytes: services.config.cacheBytes, db: services.db },
    // Without a version, no result of a query is kept, as after a write.
    'rendered per request': { web, cacheBytes: 0, db: services.db.withoutPlugins() },
  }
  const apps = await Promise.all(
    Object.entries(modes).map(async ([column, { web, cacheBytes, db }]) => {
      const config = { ...services.config, cacheBytes }
      const app = await buildApp({ ...services, db, config }, { web })
      return { column, app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
    }),
  )
  const headers = { accept: 'text/html', 'accept-encoding': 'br' }
  const cells = Object.entries({ Home: '/', detail: '/movies/1' }).flatMap(([row, path]) =>
    apps.map(({ column, url }) => ({ row, column, url, call: { path, headers } })),
  )
  const { medianOf } = await measureTable(cells, options)
  const results = cells.map(({ row, column }) => ({
    page: row,
    mode: column,
    'pages per second': Math.round(medianOf(row, column, 'perSecond')),
    'CPU ms per page': Number(medianOf(row, column, 'cpuMs').toFixed(2)),
    '× app shell': Number(medianOf(row, column, 'ratio').toFixed(1)),
  }))
  console.table(results)
  await Promise.all(apps.map(({ app }) => app.close()))
  await close()
  return results
}
