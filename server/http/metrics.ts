import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { queueNames } from '#server/process/queue-names.ts'
import { measureQueues, type QueueMeasures } from '#server/db/tasks.ts'
import { countMembers } from '#server/accounts/store.ts'
import type { Config } from '#server/config.ts'
import { measurePool } from '#server/db/open.ts'
import { countImportStates } from '#server/imports/store.ts'
import { isStream } from '#server/process/log.ts'
import type { Services } from '#server/calls/context.ts'
import { busyRetrySeconds } from './errors.ts'
import type { ResponseCache } from '#server/http/doors/response-cache.ts'
import { importStates } from '#shared/domain/import-states.ts'
import packageJson from '../../package.json' with { type: 'json' }

export type Metrics = {
  measure: (app: FastifyInstance, cache: Pick<ResponseCache, 'counts'>) => void
  text: () => Promise<string>
}

const pauseResolutionMs = 10
const memberCountMs = 60_000

/** Labelled with route patterns, never with ids. */
export function openMetrics({
  db,
  live,
  config: { dataDir },
}: Pick<Services, 'db' | 'live'> & { config: Pick<Config, 'dataDir'> }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  // Gauges with names of counters.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${name}_total`)

  // Buckets for each route would make up most of a scrape.
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time of pages, calls of the API, calls of the web app, and files.',
    labelNames: ['kind'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Responses by route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Counter({
    name: 'http_request_seconds_total',
    help: 'Sum of the response times by route pattern.',
    labelNames: ['method', 'route'],
    registers,
  })
  new Gauge({
    name: 'medley_build_info',
    help: 'Always 1, with the version of Medley and of Node.',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    registers,
  }).set({ version: packageJson.version, node: process.versions.node }, 1)
  const addGauge = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    read: () => Promise<Record<string, number> | undefined> | Record<string, number> | undefined,
    aggregator: 'max' | 'sum' = 'max',
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      aggregator,
      registers,
      async collect() {
        this.reset()
        for (const [key, value] of Object.entries((await read()) ?? {}))
          this.set({ [label]: key } as Record<Label, string>, value)
      },
    })
  addGauge(
    'medley_database_connections',
    'Connections to Postgres, and calls that wait for one.',
    'state',
    () => measurePool(db),
    'sum',
  )
  addGauge('medley_members', 'Accounts, without the demo community.', 'state', openMemberCount(db))
  void new Gauge({
    name: 'medley_disk_free_bytes',
    help: 'Free space on the disk of DATA_DIR.',
    aggregator: 'max',
    registers,
    async collect() {
      const disk = await statfs(dataDir).catch(() => undefined)
      this.set(disk ? disk.bavail * disk.bsize : NaN)
    },
  })
  /** With `isMail`, of the emails only and without a label. */
  const addQueueGauge = (
    name: string,
    help: string,
    valueOf: (measured: Partial<QueueMeasures>) => number,
    isMail = false,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: isMail ? [] : ['queue'],
      aggregator: 'max',
      registers,
      async collect() {
        // The other metrics are needed most while the database is down.
        const measured = await measureQueues(db).catch(() => undefined)
        for (const queue of isMail ? (['mail'] as const) : queueNames) {
          const ofQueue = measured?.find((one) => one.queue === queue) ?? {}
          this.set(isMail ? {} : { queue }, measured ? valueOf(ofQueue) : NaN)
        }
      },
    })
  const waiting = ({ waiting = 0 }: Partial<QueueMeasures>) => waiting
  const ageSeconds = ({ oldestAt }: Partial<QueueMeasures>) =>
    oldestAt ? Math.max(0, Date.now() - Date.parse(oldestAt)) / 1000 : 0
  addQueueGauge('medley_queue_tasks', 'Tasks that wait or run.', waiting)
  addQueueGauge('medley_queue_oldest_seconds', 'For how long the oldest of them has been due.', ageSeconds)
  addQueueGauge('medley_queue_failing', 'Those whose last attempt failed.', ({ failing = 0 }) => failing)
  addQueueGauge('medley_queue_given_up', 'Tasks that were given up.', ({ givenUp = 0 }) => givenUp)
  addQueueGauge('medley_outbox_mails', 'Emails that are not sent yet.', waiting, true)
  addQueueGauge('medley_outbox_oldest_seconds', 'Age of the oldest of them.', ageSeconds, true)
  addGauge('medley_imports', 'Imports by state.', 'state', async () => {
    const rows = await countImportStates(db).catch(() => undefined)
    const countOf = (state: string) => (rows ? (rows.find((row) => row.state === state)?.count ?? 0) : NaN)
    return Object.fromEntries(importStates.map((state) => [state, countOf(state)]))
  })
  void new Gauge({
    name: 'medley_live_streams',
    help: 'Open live streams.',
    registers,
    collect() {
      this.set(live.count())
    },
  })
  // prom-client averages over workers, which hides one that hung.
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
    process.on('message', async ({ collectId }: CollectRequest) => {
      if (collectId === undefined) return
      const values = await registry.getMetricsAsJSON().catch(() => undefined)
      // The channel may be closed meanwhile.
      if (values) process.send?.({ collectId, values } satisfies CollectResponse, undefined, {}, () => {})
    })
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
        const { method } = request
        durations.observe({ kind: kindOf(route) }, reply.elapsedTime / 1000)
        requests.inc({ method, route, status: reply.statusCode })
        seconds.inc({ method, route }, reply.elapsedTime / 1000)
      })
    },
    text: () => registry.metrics(),
  }
}

/** At most once a minute, because it reads all members. */
function openMemberCount(db: Services['db']): () => Promise<Record<string, number>> {
  let counted: { at: number; result: Promise<Record<string, number>> } | undefined
  return () => {
    if (!counted || performance.now() - counted.at > memberCountMs) {
      const result = countMembers(db).catch(() => ({ verified: NaN, unverified: NaN }))
      counted = { at: performance.now(), result }
    }
    return counted.result
  }
}

/** Other messages have no `collectId`. */
type CollectRequest = { collectId?: number }
type CollectResponse = CollectRequest & { values: object[] }
/** Shorter than the ten seconds that Prometheus waits by default. */
const collectTimeoutMs = 5_000
let lastCollectId = 0

/**
 * Call it before workers start; a worker is included once it listens. prom-client’s `clusterMetrics` also waits for workers that are
 * starting or have exited, and then fails.
 */
export function collectFromWorkers(): Pick<Metrics, 'text'> {
  const serving = new Set<Worker>()
  cluster.on('listening', (worker) => serving.add(worker))
  for (const event of ['disconnect', 'exit'] as const) cluster.on(event, (worker) => serving.delete(worker))
  return {
    async text() {
      const collected = await Promise.all([...serving].map(collectFrom))
      return AggregatorRegistry.aggregate(collected).metrics()
    },
  }
}

/** None if it exits. Rejects if it does not respond: its counters must not fall to 0. */
async function collectFrom(worker: Worker): Promise<object[]> {
  const collectId = ++lastCollectId
  const ended = new AbortController()
  const { signal } = ended
  try {
    return await new Promise<object[]>((resolve, reject) => {
      const readResponse = (message: CollectResponse) => {
        if (message.collectId === collectId) resolve(message.values)
      }
      worker.on('message', readResponse)
      signal.addEventListener('abort', () => worker.off('message', readResponse))
      once(worker, 'disconnect', { signal }).then(
        () => resolve([]),
        () => {},
      )
      wait(collectTimeoutMs, undefined, { signal, ref: false }).then(
        () => reject(new Error('A worker does not respond.')),
        () => {},
      )
      worker.send({ collectId } satisfies CollectRequest, () => {})
    })
  } finally {
    ended.abort()
  }
}

/** On the public port, a proxy that hides it would have to know every spelling of the path. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text'>,
  { port, host }: { port: number; host: string },
): Promise<FastifyInstance> {
  const app = Fastify({ requestTimeout: 10_000, connectionTimeout: 30_000, forceCloseConnections: true })
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.text().catch(() => undefined)
    if (text === undefined) return reply.status(503).header('retry-after', busyRetrySeconds).send()
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(text)
  })
  await app.listen({ port, host, listenTextResolver: () => 'metrics listening' })
  return app
}

/** The built client has a route per file, whose names change with every build. */
function patternOf(url: string | undefined): string {
  if (url === undefined) return 'none'
  return url.startsWith('/assets/') ? '/assets/*' : url
}

function kindOf(route: string): 'page' | 'trpc' | 'file' | 'api' {
  if (route === 'page') return 'page'
  if (route.startsWith('/trpc/')) return 'trpc'
  return /^\/(assets|uploads|starter)\//.test(route) ? 'file' : 'api'
}
