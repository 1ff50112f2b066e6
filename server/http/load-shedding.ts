import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { busy } from '#server/trpc/errors.ts'
import { negotiate } from './negotiate.ts'
import { pageKey } from './pages.ts'
import { isFile } from './rate-limit.ts'
import type { ResponseCache } from './response-cache.ts'

/** Above this event loop delay (ms), requests wait too long. */
const delayMaxMs = 500
/** The share of requests that is always admitted. */
const admittedMin = 0.25
const sampleMs = 250
/** Requests are refused once the delay has lasted this long; one long pause (loading code, a garbage collection) is over by then. */
const overloadedAfterMs = 1_000
/** A longer delay is taken for this one: the process was suspended, or the delay is unknown and `Infinity`. */
const delayKnownMaxMs = 10_000
/**
 * With fewer requests in progress, refusing some of them makes no other faster: the processor is busy with another program, or one
 * call takes long.
 */
const inProgressMin = 25
/** The share of the heap limit above which requests are refused. */
const heapShareMax = 0.9

/**
 * Load shedding: under overload, a part of the requests is refused with 503, so that the others are served in time. The
 * part grows with the delay; refusing all or none would leave the server idle every other second. Files, health checks and
 * responses in the cache are exempt.
 */
export async function registerLoadShedding(
  app: FastifyInstance,
  cache: Pick<ResponseCache, 'has'>,
): Promise<void> {
  let since = 0
  let last = -Infinity
  /**
   * For how long (ms) requests have met an overloaded server without a calm moment in between. While the event loop is delayed, it
   * meets none: a gap between requests is calm only if it is longer than the delay.
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
    const key =
      request.routeOptions.config?.cacheKey?.(request) ??
      (negotiate(request).representation === 'page' ? pageKey(request) : undefined)
    return key !== undefined && cache.has(key)
  }
  await app.register(underPressure, {
    maxEventLoopDelay: delayMaxMs,
    // Short: over a second, the pauses between bursts would hide how long the bursts waited.
    sampleInterval: sampleMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * heapShareMax,
    async pressureHandler(request, _reply, type, delayMs = Infinity) {
      if (isFile(request) || request.routeOptions.url === '/readyz') return
      const isDelay = type === 'eventLoopDelay'
      if (isDelay && (overloadedFor(delayMs) < overloadedAfterMs || inProgress < inProgressMin)) return
      if (isCached(request)) return
      if (isDelay && Math.random() < Math.max(delayMaxMs / delayMs, admittedMin)) return
      throw busy()
    },
  })
}
