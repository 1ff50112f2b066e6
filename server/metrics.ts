import cluster from 'node:cluster'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { measureOutbox } from '#server/accounts/store.ts'
import { isStream } from './log.ts'
import type { Services } from './trpc.ts'
import { askForMetrics } from './workers.ts'

/** `/metrics` in Prometheus's text format: numbers about the process, by route patterns and never by ids. */
export async function registerMetrics(app: FastifyInstance, { db, live }: Services): Promise<void> {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until an answer was sent, by the route’s pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  app.addHook('onResponse', async (request, reply) => {
    if (isStream(reply.getHeader('content-type'))) return
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    const route = isPage ? 'page' : patternOf(request.routeOptions.url)
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })

  // Without its database the process is worth looking at all the more.
  const outbox = () => measureOutbox(db).catch(() => ({ waiting: NaN, oldestAt: null }))
  void new Gauge({
    name: 'medley_outbox_mails',
    help: 'Mails that are not sent yet.',
    aggregator: 'max',
    registers,
    async collect() {
      this.set((await outbox()).waiting)
    },
  })
  void new Gauge({
    name: 'medley_outbox_oldest_seconds',
    help: 'Age of the mail that waits longest; 0 where none waits.',
    aggregator: 'max',
    registers,
    async collect() {
      const { oldestAt } = await outbox()
      this.set(oldestAt === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestAt)) / 1000)
    },
  })
  void new Gauge({
    name: 'medley_live_streams',
    help: 'Pages that are told of changes as they happen.',
    registers,
    collect() {
      this.set(live.count())
    },
  })
  if (cluster.isWorker) {
    // Whichever of them is asked answers for all.
    AggregatorRegistry.setRegistries([registry])
    void new AggregatorRegistry()
  }
  app.get('/metrics', async (_request, reply) =>
    reply
      .type(registry.contentType)
      .send(cluster.isWorker ? await askForMetrics() : await registry.metrics()),
  )
}

/** The built client has a route for each file, under names that change with every build. */
function patternOf(url: string | undefined): string {
  if (url === undefined) return 'none'
  return url.startsWith('/assets/') ? '/assets/*' : url
}
