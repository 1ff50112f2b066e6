import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { busy } from '#server/calls/errors.ts'
import { negotiate } from '#server/http/negotiate.ts'
import { pageKey } from '#server/http/pages/pages.ts'
import { pageCookieReader } from '#server/http/pages/page-cookie.ts'
import { isFile } from './rate-limit.ts'
import type { ResponseCache } from '#server/http/doors/response-cache.ts'
import type { Web } from '#server/http/pages/web.ts'
import { anonymousBytesOf } from '#server/process/memory.ts'
import { begin, waitedMs } from '#server/db/slices.ts'

/** Above this delay (ms) of the event loop or of work that waits for its next slice (`waitedMs`), requests wait too long. */
const delayMaxMs = 500
/** The share of requests that is always admitted. */
const admittedMin = 0.25
const sampleMs = 250
/** Requests are refused once the delay has lasted this long; one long pause (loading code, a garbage collection) is over by then. */
const overloadedAfterMs = 1_000
/** Longer delays count as this one: the process was suspended, or the delay is unknown and `Infinity`. */
const delayKnownMaxMs = 10_000
/**
 * With fewer requests in progress, refusing some does not make the others faster: another program uses the processor, or one call
 * takes long.
 */
const inProgressMin = 25
/** The share of the heap limit above which requests are refused. */
const heapShareMax = 0.9
/** The share of the memory that the process may use above which requests are refused. */
const memoryShareMax = 0.9
/**
 * The memory that the process may take beside the heap and the cache. The budgets of connections and the idle process take half of
 * it.
 */
const outsideHeapBytesMax = 1024 ** 3

/**
 * Returns the number of bytes of memory above which a process refuses requests: a share of the memory of the container or machine per
 * worker, at most `outsideHeapBytesMax` above the maximum of its heap and its cache, because other programs run on the machine too.
 */
export function memoryBytesMax(
  { workers, cacheBytes }: Pick<Config, 'workers' | 'cacheBytes'>,
  // Without a limit of the container, `constrainedMemory` is 0 or a number above all memory.
  available = Math.min(process.constrainedMemory() || Infinity, totalmem()),
  heapBytesMax = getHeapStatistics().heap_size_limit,
): number {
  return Math.min(
    (available * memoryShareMax) / Math.max(1, workers),
    heapBytesMax + cacheBytes + outsideHeapBytesMax,
  )
}

// Other systems than Linux do not report mapped files separately.
const memoryBytes = () =>
  process.platform === 'linux' ? anonymousBytesOf('self') : process.memoryUsage.rss()

type Options = {
  cache: Pick<ResponseCache, 'has'>
  web: Pick<Web, 'urlOf'>
  config: Pick<Config, 'workers' | 'cacheBytes' | 'publicUrl'>
}

/**
 * Load shedding: under overload, a part of the requests is refused with 503, so that the others are served in time. The part grows
 * with the delay; refusing all or none would leave the server idle every other second. Above `bytesMax` of memory, three quarters are
 * refused; not all, because V8 and malloc return free memory late. Files, health checks and cached responses are exempt.
 */
export async function registerLoadShedding(
  app: FastifyInstance,
  { cache, web, config }: Options,
  bytesMax = memoryBytesMax(config),
): Promise<void> {
  const readPageCookie = pageCookieReader(config)
  let since = 0
  let last = -Infinity
  /**
   * Returns for how long (ms) the server has been overloaded without a calm moment. A delayed event loop receives no requests, so a
   * gap between requests is calm only if it is longer than the delay.
   */
  const overloadedFor = (delayMs: number) => {
    const now = performance.now()
    if (now - last > overloadedAfterMs + Math.min(delayMs, delayKnownMaxMs)) since = now
    last = now
    return now - since
  }
  let inProgress = 0
  app.addHook('onRequest', (_request, { raw }, done) => {
    inProgress++
    raw.once('close', () => inProgress--)
    done()
  })
  const isCached = (request: FastifyRequest) => {
    const isVisitorsPage = () =>
      negotiate(request).representation === 'page' && readPageCookie(request) === undefined
    const key =
      request.routeOptions.config?.cacheKey?.(request) ??
      (isVisitorsPage() ? pageKey(web, request) : undefined)
    return key !== undefined && cache.has(key)
  }
  const isExempt = (request: FastifyRequest) =>
    isFile(request) || request.routeOptions.url === '/readyz' || isCached(request)
  let isMemoryFull = false
  let sliceDelayMs = 0
  await app.register(underPressure, {
    maxEventLoopDelay: delayMaxMs,
    // Short: over a second, the pauses between bursts would hide how long the bursts waited.
    sampleInterval: sampleMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * heapShareMax,
    async healthCheck() {
      isMemoryFull = memoryBytes() > bytesMax
      sliceDelayMs = waitedMs()
      return !isMemoryFull && sliceDelayMs <= delayMaxMs
    },
    healthCheckInterval: sampleMs,
    async pressureHandler(request, _reply, type, loopDelayMs = Infinity) {
      if (isExempt(request)) return
      const isDelay = type !== 'heapUsedBytes' && !isMemoryFull
      const delayMs = type === 'eventLoopDelay' ? loopDelayMs : sliceDelayMs
      if (isDelay && overloadedFor(delayMs) < overloadedAfterMs) return
      if (type !== 'heapUsedBytes') {
        if (inProgress < inProgressMin) return
        const admitted = isDelay ? Math.max(delayMaxMs / delayMs, admittedMin) : admittedMin
        if (Math.random() < admitted) return
      }
      throw busy()
    },
  })
  // Admitted requests begin in the order in which they come: if all began at once, all would take as long as the last one.
  app.addHook('onRequest', async (request) => {
    const later = isExempt(request) ? undefined : begin()
    if (!later) return
    await later
    // Its client has not waited.
    if (request.raw.socket.destroyed) throw busy()
  })
}
