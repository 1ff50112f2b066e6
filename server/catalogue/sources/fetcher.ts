import { TRPCError } from '@trpc/server'
import { BrokenCircuitError, CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { Agent, errors } from 'undici'

// Seconds; what a second is stands in `FetcherOptions`, so that no test waits for long.

/** A little less than the five that a whole search or sync may take: who tries again must not join a call that is about to end. */
const timeout = 4.8
/** A host that cannot be reached at all is known to be so before the time is up, and something else can answer. */
const connectTimeout = 2
/** How long an answer is good for. */
const freshFor = 60
/** How long a host that failed again and again is left alone. */
const breakFor = 10
/** Nobody is left alone for longer, whatever its Retry-After says. */
const pauseMax = 3600

const failuresMax = 5
const redirectsMax = 3
const bodyBytesMax = 2 * 1024 * 1024
const cacheBytesMax = 16 * 1024 * 1024

export type FetcherOptions = {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Names us and says where a complaint reaches somebody; Open Library refuses calls that do not. */
  userAgent: string
  /** Milliseconds that a second takes. All durations are counted in it, the ones that a host names as well. */
  second?: number
}

export type HostOptions = {
  /** Shown in log lines and messages. */
  name: string
  /** Calls go to addresses below this one, and nowhere else. */
  baseUrl: string
  /** At most so many calls begin in any second… */
  perSecond: number
  /** …and so many are open at once. */
  concurrency: number
  /** Sent with every call. */
  headers?: Record<string, string>
  /** Paths below the base that a redirect may lead to. Without it, as with any other address, a redirect is refused. */
  redirectsTo?: RegExp
}

export type Call = {
  path: string
  /** A search never waits for a sync: it goes first, and one connection is kept free for it. */
  urgency: 'search' | 'sync'
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Makes it a POST. */
  body?: string
  /** Statuses besides 2xx that are an answer. */
  accepts?: readonly number[]
  /** For what must be new each time. */
  isKept?: false
}

/** `body` is what the JSON says; undefined where an accepted status came with something else. */
export type Answer = { status: number; body: unknown }

/**
 * Calls a host: within its limits, five seconds for all of it, waiting included. Throws SERVICE_UNAVAILABLE where the
 * host is down, slow, overrun or left alone for a while, BAD_GATEWAY where it refuses or answers nonsense, and whatever
 * `read` throws. A good answer that `read` made sense of is kept for a minute.
 */
export type Host = <T>(call: Call, read: (answer: Answer) => T) => Promise<T>
export type Fetcher = (options: HostOptions) => Host

/** The one door to the outside. Everything that one process asks of a host must go through one `Host` of one fetcher. */
export function openFetcher({ log, userAgent, second = 1000 }: FetcherOptions): Fetcher {
  const kept = new LRUCache<string, Answer & { bytes: number }>({
    max: 1000,
    maxSize: cacheBytesMax,
    sizeCalculation: ({ bytes }) => bytes + 500,
    ttl: freshFor * second,
  })
  /** Callers of the same thing wait for one call. */
  const flights = new Map<string, Promise<Answer & { bytes: number }>>()

  return ({ name, baseUrl, perSecond, concurrency, headers: ownHeaders, redirectsTo }) => {
    const base = new URL(baseUrl)
    const basePath = base.pathname.replace(/\/$/, '')
    const agent = new Agent({
      connections: concurrency,
      allowH2: false,
      maxResponseSize: bodyBytesMax,
      connect: { timeout: connectTimeout * second },
    })
    const queue = new PQueue({ concurrency, interval: second, intervalCap: perSecond, strict: true })
    const syncs = new PQueue({ concurrency: Math.max(1, concurrency - 1) })
    const breaker = circuitBreaker(
      handleWhen((error) => !pauses.has(error as Error)),
      { halfOpenAfter: breakFor * second, breaker: new ConsecutiveBreaker(failuresMax) },
    )
    let openUntil = 0
    breaker.onBreak(() => {
      openUntil = Date.now() + breakFor * second
      log.warn({ source: name, seconds: breakFor }, 'outside source is left alone for a while')
    })
    breaker.onReset(() => log.info({ source: name }, 'outside source answers again'))

    const fail = (code: 'SERVICE_UNAVAILABLE' | 'BAD_GATEWAY', what: string, cause?: unknown) =>
      new TRPCError({ code, message: `${name} ${what}.`, cause })

    let pausedUntil = 0
    let resume: NodeJS.Timeout | undefined
    /** Nothing is sent to the host for as long as it asked for, one second at least. */
    function pause(retryAfter: string | undefined): void {
      const seconds = Math.min(pauseMax, Math.max(1, secondsOf(retryAfter)))
      pausedUntil = Math.max(pausedUntil, Date.now() + seconds * second)
      queue.pause()
      clearTimeout(resume)
      resume = setTimeout(() => queue.start(), pausedUntil - Date.now())
      resume.unref()
      log.warn({ source: name, seconds }, 'outside source asks for a pause')
    }

    /** One request and its whole answer, without redirects. */
    async function send(url: URL, { headers, body, accepts = [] }: Call, signal: AbortSignal) {
      const began = Date.now()
      const failed = (error: TRPCError, status?: number) => {
        // Neither the query nor a header: they hold what somebody searched for, and secrets.
        log.warn(
          { source: name, path: url.pathname, status, ms: Date.now() - began, reason: error.message },
          'outside source failed',
        )
        return error
      }
      const response = await agent
        .request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: body === undefined ? 'GET' : 'POST',
          headers: { accept: 'application/json', 'user-agent': userAgent, ...ownHeaders, ...headers },
          body: body ?? null,
          signal,
        })
        .catch((error: Error) => {
          if (signal.aborted) throw failed(fail('SERVICE_UNAVAILABLE', 'took too long'))
          const isNonsense =
            error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
          throw failed(
            isNonsense
              ? fail('BAD_GATEWAY', 'does not speak HTTP')
              : fail('SERVICE_UNAVAILABLE', 'cannot be reached', error),
          )
        })
      const { statusCode: status } = response
      const text = await response.body.text().catch((error: Error) => {
        if (signal.aborted) throw failed(fail('SERVICE_UNAVAILABLE', 'took too long'), status)
        const what = hasCode(error, 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
          ? 'sent too much'
          : 'broke off its answer'
        throw failed(fail('BAD_GATEWAY', what), status)
      })
      const header = (key: string) => [response.headers[key]].flat()[0]
      const isGood = status >= 200 && status < 300
      if (isGood || accepts.includes(status)) {
        const parsed = parseJson(text)
        if (isGood && !parsed) throw failed(fail('BAD_GATEWAY', 'answered something that is no JSON'), status)
        return { status, body: parsed?.value, bytes: text.length, location: undefined }
      }
      if (status >= 300 && status < 400)
        return { status, body: undefined, bytes: 0, location: header('location') ?? '' }
      if (status === 429 || (status === 503 && header('retry-after') !== undefined))
        pause(header('retry-after'))
      if (status === 429) {
        const error = fail('SERVICE_UNAVAILABLE', 'asks for a pause')
        pauses.add(error)
        throw error
      }
      throw failed(
        fail(status >= 500 ? 'SERVICE_UNAVAILABLE' : 'BAD_GATEWAY', `answered with status ${status}`),
        status,
      )
    }

    /** Waits for its turn, then sends. */
    async function attempt(url: URL, call: Call, deadline: number, signal: AbortSignal) {
      const { urgency } = call
      const waiting = urgency === 'search' ? queue.sizeBy({ priority: 1 }) : syncs.size
      if (breaker.state === CircuitState.Open && Date.now() < openUntil) {
        throw fail('SERVICE_UNAVAILABLE', 'is left alone for a while', new BrokenCircuitError())
      }
      if (pausedUntil >= deadline || waiting >= timeout * perSecond)
        throw fail('SERVICE_UNAVAILABLE', 'is overrun')
      const run = () => {
        // With less than a second left it would fail for having waited, and count against the host.
        if (deadline - Date.now() < second) throw fail('SERVICE_UNAVAILABLE', 'is overrun')
        return breaker.execute(() => send(url, call, signal), signal)
      }
      try {
        return await (urgency === 'search'
          ? queue.add(run, { priority: 1, signal })
          : syncs.add(() => queue.add(run, { priority: 0, signal }), { signal }))
      } catch (error) {
        if (error instanceof TRPCError) throw error
        throw fail(
          'SERVICE_UNAVAILABLE',
          signal.aborted ? 'took too long' : 'is left alone for a while',
          error,
        )
      }
    }

    /** With redirects, and one more try of a GET that the network failed at once. */
    async function ask(call: Call): Promise<Answer & { bytes: number }> {
      const began = Date.now()
      const deadline = began + timeout * second
      const signal = AbortSignal.timeout(timeout * second)
      const url = new URL(`${base.origin}${basePath}${call.path}`)
      if (url.origin !== base.origin || !url.pathname.startsWith(basePath)) {
        throw fail('BAD_GATEWAY', 'is asked at its own address only')
      }
      if (call.query) url.search = new URLSearchParams(call.query).toString()
      for (let hops = 0, target = url; ; hops++) {
        const answer = await attempt(target, call, deadline, signal).catch((error: unknown) => {
          const isQuick = Date.now() - began < second
          if (call.body === undefined && isQuick && isDropped(error))
            return attempt(target, call, deadline, signal)
          throw error
        })
        if (answer.location === undefined) return answer
        const next = URL.parse(answer.location, target)
        const isAllowed =
          next?.origin === base.origin &&
          next.pathname.startsWith(`${basePath}/`) &&
          redirectsTo?.test(next.pathname.slice(basePath.length))
        if (!isAllowed || call.body !== undefined || hops === redirectsMax) {
          log.warn(
            { source: name, path: target.pathname, status: answer.status, to: next?.host },
            'redirect of an outside source refused',
          )
          throw fail('BAD_GATEWAY', 'redirected to where it must not')
        }
        target = next
      }
    }

    return async (call, read) => {
      if (call.isKept === false) return read(await ask(call))
      const key = JSON.stringify([base.href, call.path, call.query, call.body])
      const known = kept.get(key)
      if (known) return read(known)
      const flight = flights.get(key) ?? ask(call).finally(() => flights.delete(key))
      flights.set(key, flight)
      const answer = await flight
      const value = read(answer)
      // A refusal or a miss is an answer for those who wait, and asked for anew by the next.
      if (answer.status < 300) kept.set(key, answer)
      return value
    }
  }
}

/** Errors that came with a 429: the host is well, so they do not count against it. */
const pauses = new WeakSet<Error>()

const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Whether a call failed because there is no way to the host, or none for now: no network, or a circuit that is open. */
export function isOffline(error: unknown): boolean {
  const cause = error instanceof TRPCError ? error.cause : undefined
  return cause instanceof BrokenCircuitError || (hasCode(cause) && unreachable.has(cause.code))
}

/** The connection broke before an answer began, as one does that was kept open for too long. */
function isDropped(error: unknown): boolean {
  return error instanceof TRPCError && hasCode(error.cause) && !isOffline(error)
}

function hasCode(error: unknown, code?: string): error is Error & { code: string } {
  const given = (error as { code?: unknown } | undefined)?.code
  return error instanceof Error && typeof given === 'string' && (code === undefined || given === code)
}

/** Retry-After is a number of seconds or a date; 0 where it is absent or neither. */
function secondsOf(retryAfter: string | undefined): number {
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
