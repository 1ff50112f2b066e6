import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { busy } from '#server/calls/errors.ts'
import { negotiate } from '#server/http/negotiate.ts'
import { pageKey } from '#server/http/pages/pages.ts'
import { cookieReader } from '#server/http/pages/page-cookie.ts'
import { isFile } from './rate-limit.ts'
import type { ResponseCache } from '#server/http/doors/response-cache.ts'
import type { Web } from '#server/http/pages/web.ts'
import { anonymousBytesOf } from '#server/process/memory.ts'
import { begin, waitedMs } from '#server/db/slices.ts'

/** In ms, of the event loop or of work that waits for its next slice (`waitedMs`). */
const delayMaxMs = 500
const admittedMin = 0.25
const sampleMs = 250
/** A single long pause (loading code, a garbage collection) is over by then. */
const overloadedAfterMs = 1_000
/** A longer delay means that the process was suspended, or that the delay is unknown (`Infinity`). */
const delayKnownMaxMs = 10_000
/** With fewer, refusing some does not make the others faster: another program uses the processor, or one call takes long. */
const inProgressMin = 25
const heapShareMax = 0.9
const memoryShareMax = 0.9
/** The budgets of connections and the idle process take half of it. */
const outsideHeapBytesMax = 1024 ** 3

/**
 * A share of the memory of the container or machine per worker, at most `outsideHeapBytesMax` above heap and cache, because other programs
 * run on the machine too.
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
 * A part is refused with 503, which grows with the delay; refusing all or none would leave the server idle every other second. Above
 * `bytesMax` not all, because V8 and malloc return free memory late. Files, health checks and cached responses are exempt.
 */
export async function registerLoadShedding(
  app: FastifyInstance,
  { cache, web, config }: Options,
  bytesMax = memoryBytesMax(config),
): Promise<void> {
  const readPageCookie = cookieReader(config, 'medley-pages')
  let since = 0
  let last = -Infinity
  /** In ms, without a calm moment. A delayed event loop receives no requests, so a gap is calm only if it is longer than the delay. */
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
    // Over a second, the pauses between bursts would hide how long the bursts waited.
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
  // In order: if all began at once, all would take as long as the last one.
  app.addHook('onRequest', async (request) => {
    const later = isExempt(request) ? undefined : begin()
    if (!later) return
    await later
    // Its client has not waited.
    if (request.raw.socket.destroyed) throw busy()
  })
}
