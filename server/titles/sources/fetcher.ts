import { TRPCError } from '@trpc/server'
import { BrokenCircuitError, CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import type { Dispatcher } from 'undici'
import type { Config } from '#server/config.ts'
import { openOutgoing } from '#server/process/outgoing.ts'
import { t } from '#shared/domain/message.ts'

/**
 * With the wait in the queue. Slightly less than the 5 seconds of a search or sync: a retry must not be coalesced with a call that is about
 * to time out.
 */
const timeoutMs = 4_800
/** Nearly all for the wait in the queue, since the request has `timeoutMs` as well. */
const importTimeoutMs = 180_000
/** Leaves time for the fallback. */
const connectTimeoutMs = 2_000
const cacheForMs = 60_000
const breakForMs = 10_000
const retryAfterMax = 3600

const failuresMax = 5
const redirectsMax = 3
const bodyBytesMax = 2 * 1024 * 1024
const cacheBytesMax = 16 * 1024 * 1024

export type FetcherOptions = {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Open Library refuses calls without the instance and a contact address. */
  userAgent: string
  proxy?: Config['proxy']
}

export type HostOptions = {
  name: string
  baseUrl: string
  perSecond: number
  concurrency: number
  /** On top of `perSecond`, so that imports take nothing from searches and syncs; one call at a time. Default: 1. */
  importsPerSecond?: number
  headers?: Record<string, string>
  /** All other redirects are refused. */
  redirectsTo?: RegExp
}

export type Priority = 'search' | 'sync' | 'import'

export type HostCall = {
  path: string
  /**
   * Searches overtake queued syncs, and one connection is reserved for them. Imports wait for minutes in a queue of their own; their
   * responses are not cached.
   */
  priority: Priority
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string
  accepts?: readonly number[]
  isCached?: false
}

/** Parsed JSON; undefined if a response with an accepted error status is not JSON. */
export type JsonResponse = { status: number; body: unknown }

/**
 * 2xx responses that `read` accepts are cached for a minute; concurrent equal calls are coalesced. Throws SERVICE_UNAVAILABLE if the host
 * is unreachable, slow, rate limited or behind an open circuit breaker, BAD_GATEWAY if it refuses the call or sends an invalid response,
 * and errors of `read`. A `RetryAfterError` is the cause if the host asked to wait.
 */
export type HostClient = <T>(call: HostCall, read: (response: JsonResponse) => T) => Promise<T>
export type Fetcher = (options: HostOptions) => HostClient

class RetryAfterError extends Error {
  override name = 'RetryAfterError'
  retryAfterMs: number

  constructor(retryAfterMs: number) {
    super(`Retry after ${retryAfterMs} ms.`)
    this.retryAfterMs = retryAfterMs
  }
}

/** Limits and the circuit breaker live in a `HostClient`: a process must create only one per host. */
export function openFetcher({ log, userAgent, proxy }: FetcherOptions): Fetcher {
  const cache = new LRUCache<string, JsonResponse & { bytes: number }>({
    max: 1000,
    maxSize: cacheBytesMax,
    sizeCalculation: ({ bytes }) => bytes + 500,
    ttl: cacheForMs,
  })
  const inFlight = new Map<string, Promise<JsonResponse & { bytes: number }>>()

  return ({
    name,
    baseUrl,
    perSecond,
    concurrency,
    importsPerSecond = 1,
    headers: ownHeaders,
    redirectsTo,
  }) => {
    const base = new URL(baseUrl)
    const basePath = base.pathname.replace(/\/$/, '')
    let agent: Dispatcher | undefined
    const queue = new PQueue({ concurrency, interval: 1_000, intervalCap: perSecond, strict: true })
    /** A bulkhead in front of `queue`: syncs that hang leave a connection for searches. */
    const syncQueue = new PQueue({ concurrency: Math.max(1, concurrency - 1) })
    const importQueue = new PQueue({
      concurrency: 1,
      interval: 1_000,
      intervalCap: importsPerSecond,
      strict: true,
    })
    const breaker = circuitBreaker(
      handleWhen((error) => !rateLimitErrors.has(error as Error)),
      { halfOpenAfter: breakForMs, breaker: new ConsecutiveBreaker(failuresMax) },
    )
    let openUntil = 0
    breaker.onBreak(() => {
      openUntil = Date.now() + breakForMs
      log.warn({ source: name, seconds: breakForMs / 1_000 }, 'circuit breaker of external source opened')
    })
    breaker.onReset(() => log.info({ source: name }, 'circuit breaker of external source closed'))

    const fail = (code: 'SERVICE_UNAVAILABLE' | 'BAD_GATEWAY', message: string, cause?: unknown) =>
      new TRPCError({ code, message, cause })

    let pausedUntil = 0
    let resume: NodeJS.Timeout | undefined
    const rateLimited = () => {
      const retryAfterMs = pausedUntil - Date.now()
      return fail(
        'SERVICE_UNAVAILABLE',
        t`${name} is rate limited.`,
        retryAfterMs > 0 ? new RetryAfterError(retryAfterMs) : undefined,
      )
    }

    /** At least one second. Returns the time in ms. */
    function pause(retryAfter: string | undefined): number {
      const seconds = Math.min(retryAfterMax, Math.max(1, parseRetryAfter(retryAfter)))
      pausedUntil = Math.max(pausedUntil, Date.now() + seconds * 1_000)
      queue.pause()
      importQueue.pause()
      clearTimeout(resume)
      resume = setTimeout(() => {
        queue.start()
        importQueue.start()
      }, pausedUntil - Date.now())
      resume.unref()
      log.warn({ source: name, seconds }, 'calls to external source paused until Retry-After')
      return seconds * 1_000
    }

    async function send(url: URL, { headers, body, accepts = [] }: HostCall, signal: AbortSignal) {
      const began = Date.now()
      const failed = (error: TRPCError, status?: number) => {
        // Neither the query nor the headers: they contain search terms and secrets.
        log.warn(
          { source: name, path: url.pathname, status, ms: Date.now() - began, reason: error.message },
          'call to external source failed',
        )
        return error
      }
      // undici is a tenth of the server’s source text.
      const { errors } = await import('undici')
      agent ??= await openOutgoing(proxy, {
        connections: concurrency + 1,
        allowH2: false,
        maxResponseSize: bodyBytesMax,
        connect: { timeout: connectTimeoutMs },
      })
      const request = agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', 'user-agent': userAgent, ...ownHeaders, ...headers },
        body: body ?? null,
        signal,
      })
      const response = await unlessAborted(request, signal).catch((error: Error) => {
        if (signal.aborted) throw failed(fail('SERVICE_UNAVAILABLE', t`${name} timed out.`))
        const isInvalid =
          error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
        throw failed(
          isInvalid
            ? fail('BAD_GATEWAY', t`${name} did not send valid HTTP.`)
            : fail('SERVICE_UNAVAILABLE', t`${name} is unreachable.`, error),
        )
      })
      const { statusCode: status } = response
      const text = await response.body.text().catch((error: Error) => {
        if (signal.aborted) throw failed(fail('SERVICE_UNAVAILABLE', t`${name} timed out.`), status)
        if (!hasCode(error, 'UND_ERR_RES_EXCEEDED_MAX_SIZE'))
          throw failed(fail('BAD_GATEWAY', t`${name} closed the connection mid-response.`), status)
        const tooLarge = fail('BAD_GATEWAY', t`${name} sent a response that is too large.`)
        tooLargeErrors.add(tooLarge)
        throw failed(tooLarge, status)
      })
      const header = (key: string) => [response.headers[key]].flat()[0]
      const isOk = status >= 200 && status < 300
      if (isOk || accepts.includes(status)) {
        const parsed = parseJson(text)
        if (isOk && !parsed) throw failed(fail('BAD_GATEWAY', t`${name} did not send valid JSON.`), status)
        return { status, body: parsed?.value, bytes: text.length, location: undefined }
      }
      if (status >= 300 && status < 400)
        return { status, body: undefined, bytes: 0, location: header('location') ?? '' }
      const asksToWait = status === 429 || (status === 503 && header('retry-after') !== undefined)
      const cause = asksToWait ? new RetryAfterError(pause(header('retry-after'))) : undefined
      if (status === 429) {
        const error = fail('SERVICE_UNAVAILABLE', t`${name} returned 429 Too Many Requests.`, cause)
        rateLimitErrors.add(error)
        throw error
      }
      throw failed(
        fail(
          status >= 500 ? 'SERVICE_UNAVAILABLE' : 'BAD_GATEWAY',
          t`${name} returned status ${status}.`,
          cause,
        ),
        status,
      )
    }

    async function attempt(url: URL, call: HostCall, deadline: number, signal: AbortSignal) {
      const { priority } = call
      const isImport = priority === 'import'
      const waiting = priority === 'search' ? queue.sizeBy({ priority: 1 }) : syncQueue.size
      if (breaker.state === CircuitState.Open && Date.now() < openUntil) {
        throw fail('SERVICE_UNAVAILABLE', t`${name} has an open circuit breaker.`, new BrokenCircuitError())
      }
      // Fails fast: the call could not start before its deadline.
      if (pausedUntil >= deadline || (!isImport && waiting >= (timeoutMs / 1_000) * perSecond))
        throw rateLimited()
      const run = () => {
        // It would probably time out, and the circuit breaker would blame the host for the queue.
        if (deadline - Date.now() < 1_000) throw rateLimited()
        return breaker.execute(() => send(url, call, signal), signal)
      }
      const runImport = () => {
        if (deadline - Date.now() < timeoutMs) throw rateLimited()
        const limit = AbortSignal.timeout(timeoutMs)
        return breaker.execute(() => send(url, call, limit), limit)
      }
      try {
        if (isImport) return await importQueue.add(runImport, { signal })
        return await (priority === 'search'
          ? queue.add(run, { priority: 1, signal })
          : syncQueue.add(() => queue.add(run, { priority: 0, signal }), { signal }))
      } catch (error) {
        if (error instanceof TRPCError) throw error
        if (isImport && signal.aborted) throw rateLimited()
        throw fail(
          'SERVICE_UNAVAILABLE',
          signal.aborted ? t`${name} timed out.` : t`${name} has an open circuit breaker.`,
          error,
        )
      }
    }

    /** Retries a GET once if its connection drops within the first second. */
    async function fetchResponse(call: HostCall): Promise<JsonResponse & { bytes: number }> {
      const isImport = call.priority === 'import'
      const began = Date.now()
      const limitMs = isImport ? importTimeoutMs : timeoutMs
      const deadline = began + limitMs
      const signal = AbortSignal.timeout(limitMs)
      const url = new URL(`${base.origin}${basePath}${call.path}`)
      if (url.origin !== base.origin || !url.pathname.startsWith(basePath)) {
        throw fail('BAD_GATEWAY', t`${name} was called outside its base URL.`)
      }
      if (call.query) url.search = new URLSearchParams(call.query).toString()
      for (let hops = 0, target = url; ; hops++) {
        const response = await attempt(target, call, deadline, signal).catch((error: unknown) => {
          const isQuick = isImport || Date.now() - began < 1_000
          if (call.body === undefined && isQuick && isDroppedConnection(error))
            return attempt(target, call, deadline, signal)
          throw error
        })
        if (response.location === undefined) return response
        const next = URL.parse(response.location, target)
        const isAllowed =
          next?.origin === base.origin &&
          next.pathname.startsWith(`${basePath}/`) &&
          redirectsTo?.test(next.pathname.slice(basePath.length))
        if (!isAllowed || call.body !== undefined || hops === redirectsMax) {
          log.warn(
            { source: name, path: target.pathname, status: response.status, to: next?.host },
            'redirect from external source refused',
          )
          throw fail('BAD_GATEWAY', t`${name} sent a redirect that is not allowed.`)
        }
        target = next
      }
    }

    return async (call, read) => {
      // A search must not wait for an import that makes the same call, nor lose its cached responses to imports.
      if (call.isCached === false || call.priority === 'import') return read(await fetchResponse(call))
      const key = JSON.stringify([base.href, call.path, call.query, call.body])
      const cached = cache.get(key)
      if (cached) return read(cached)
      const pending = inFlight.get(key) ?? fetchResponse(call).finally(() => inFlight.delete(key))
      inFlight.set(key, pending)
      const response = await pending
      const value = read(response)
      // Shared by coalesced calls but not cached.
      if (response.status < 300) cache.set(key, response)
      return value
    }
  }
}

/** undici does not end a request that is aborted while it waits for a connection. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const listening = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { signal: listening.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    listening.abort()
  }
}

/** The host is healthy, so the circuit breaker does not count them. */
const rateLimitErrors = new WeakSet<Error>()

const tooLargeErrors = new WeakSet<object>()

/** Whether the response was too large: a call for less can succeed. */
export function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && tooLargeErrors.has(error)
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  // The proxy does not connect to the host, or closes the connection.
  'UND_ERR_ABORTED',
  'UND_ERR_PRX_CONN',
])

/** Unreachable, or behind its open circuit breaker. */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof TRPCError ? error.cause : undefined
  return cause instanceof BrokenCircuitError || (hasCode(cause) && unreachableCodes.has(cause.code))
}

/** Often a keep-alive connection that the host has timed out. */
function isDroppedConnection(error: unknown): boolean {
  return error instanceof TRPCError && hasCode(error.cause) && !isUnreachable(error)
}

function hasCode(error: unknown, code?: string): error is Error & { code: string } {
  const given = (error as { code?: unknown } | undefined)?.code
  return error instanceof Error && typeof given === 'string' && (code === undefined || given === code)
}

/** A number or a date; 0 if it is missing or invalid. */
function parseRetryAfter(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0
  const seconds = /^\s*\d+\s*$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 0 : seconds
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
