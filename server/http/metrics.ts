import cluster from 'node:cluster'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import Fastify, { type FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { measureOutbox } from '#server/accounts/store.ts'
import { isStream } from '#server/process/log.ts'
import type { Services } from '#server/trpc/context.ts'
import type { ResponseCache } from './response-cache.ts'

export type Metrics = {
  /** Measures the requests of an app and its cache. */
  measure: (app: FastifyInstance, cache: Pick<ResponseCache, 'counts'>) => void
  /** The metrics in Prometheus's text format. */
  text: () => Promise<string>
}

const pauseResolutionMs = 10

/** Metrics of this process, labelled with route patterns and never with ids. */
export function openMetrics({ db, live }: Pick<Services, 'db' | 'live'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  // The other metrics matter most while the database is down.
  const outbox = () => measureOutbox(db).catch(() => ({ waiting: NaN, oldestAt: null }))
  void new Gauge({
    name: 'medley_outbox_mails',
    help: 'Emails in the outbox that are not sent yet.',
    aggregator: 'max',
    registers,
    async collect() {
      this.set((await outbox()).waiting)
    },
  })
  void new Gauge({
    name: 'medley_outbox_oldest_seconds',
    help: 'Age of the oldest email in the outbox; 0 if it is empty.',
    aggregator: 'max',
    registers,
    async collect() {
      const { oldestAt } = await outbox()
      this.set(oldestAt === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestAt)) / 1000)
    },
  })
  void new Gauge({
    name: 'medley_live_streams',
    help: 'Open live streams.',
    registers,
    collect() {
      this.set(live.count())
    },
  })
  // prom-client averages its `nodejs_eventloop_lag_max_seconds` over workers, which hides one that hung.
  const pauses = monitorEventLoopDelay({ resolution: pauseResolutionMs })
  pauses.enable()
  void new Gauge({
    name: 'medley_event_loop_pause_max_seconds',
    help: 'Longest time that the event loop was blocked since the last scrape.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(Math.max(0, pauses.max / 1e9 - pauseResolutionMs / 1e3))
      pauses.reset()
    },
  })
  if (cluster.isWorker) {
    // The primary process collects from all workers.
    AggregatorRegistry.setRegistries([registry])
    void new AggregatorRegistry()
  }
  return {
    measure(app, { counts }) {
      void new Counter({
        name: 'medley_visitor_responses_total',
        help: 'Responses to visitors that were in the cache (hit), or had to be computed (miss).',
        labelNames: ['result'],
        registers,
        collect() {
          this.reset()
          this.inc({ result: 'hit' }, counts.hits)
          this.inc({ result: 'miss' }, counts.misses)
        },
      })
      app.addHook('onResponse', async (request, reply) => {
        if (isStream(reply.getHeader('content-type'))) return
        const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
        const route = isPage ? 'page' : patternOf(request.routeOptions.url)
        const labels = { method: request.method, route, status: reply.statusCode }
        durations.observe(labels, reply.elapsedTime / 1000)
      })
    },
    text: () => registry.metrics(),
  }
}

/** Metrics of all workers, for the process that started them. */
export function collectFromWorkers(): Pick<Metrics, 'text'> {
  const aggregator = new AggregatorRegistry()
  return { text: () => aggregator.clusterMetrics() }
}

/**
 * Serves `/metrics` on a separate port: to hide it on the public port, a proxy would have to know every spelling of the path.
 * Resolves when the server listens.
 */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text'>,
  { port, host }: { port: number; host: string },
): Promise<FastifyInstance> {
  const app = Fastify({ requestTimeout: 10_000, connectionTimeout: 30_000, forceCloseConnections: true })
  app.get('/metrics', async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics.text()),
  )
  await app.listen({ port, host, listenTextResolver: () => 'metrics listening' })
  return app
}

/** Returns the route label. The built client has a route per file, whose names change with every build. */
function patternOf(url: string | undefined): string {
  if (url === undefined) return 'none'
  return url.startsWith('/assets/') ? '/assets/*' : url
}
