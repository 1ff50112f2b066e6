import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { householdOf } from './addresses.ts'
import { hasFlag, setFlag, sharedStore } from './rate-limit-store.ts'
import type { LimitName, Services } from '#server/trpc/context.ts'
import { TooManyRequests } from '#server/trpc/errors.ts'

/** Calls per window, counted by address, or by account if a call names one. */
const limits = {
  /** Every request, and every call of a batch. Existing files, the health check and CORS preflights are not counted. */
  general: { max: 1_200, timeWindow: 60_000 },
  login: { max: 20, timeWindow: 5 * 60_000 },
  /** Passwords tried for one account from one address: an attacker locks out only themselves. */
  guessFromAddress: { max: 10, timeWindow: 10 * 60_000 },
  /** Passwords tried for one account from all addresses, except those with a successful login before. */
  guessFromAnywhere: { max: 100, timeWindow: 60 * 60_000 },
  register: { max: 20, timeWindow: 60 * 60_000 },
  mail: { max: 30, timeWindow: 60 * 60_000 },
  /** Emails to one account, requested from one address; see also `mailsMax` in accounts/rules.ts. */
  mailbox: { max: 10, timeWindow: 60 * 60_000 },
  write: { max: 120, timeWindow: 60_000 },
  /** Calls that may query an external source. */
  search: { max: 60, timeWindow: 60_000 },
  upload: { max: 30, timeWindow: 10 * 60_000 },
  export: { max: 10, timeWindow: 60 * 60_000 },
  import: { max: 10, timeWindow: 60 * 60_000 },
  /** Popular titles over more than a month, which reads up to a year of ratings. */
  longPeriod: { max: 30, timeWindow: 60_000 },
  /** Pages that are rendered because the cache does not have them. Beyond it, the app shell is sent. */
  render: { max: 300, timeWindow: 60_000 },
} satisfies Record<'general' | LimitName, { max: number; timeWindow: number }>
export type RateLimits = {
  /** Counts a call. Throws TOO_MANY_REQUESTS if the limit is exceeded. */
  count: (request: FastifyRequest, name: LimitName, account?: string) => Promise<void>
  /** Counts a further call of the same request against the general limit. Throws TOO_MANY_REQUESTS. */
  countMore: (request: FastifyRequest) => Promise<void>
  /** Whether the route of a request, when it arrived, served files. */
  isFileRequest: (request: FastifyRequest) => boolean
  /** Counts a request for a missing file. Returns TOO_MANY_REQUESTS if the limit is exceeded. */
  countMissingFile: (request: FastifyRequest) => Promise<unknown>
  /** Records a successful login: `guessFromAnywhere` no longer applies to this account from this address. */
  recordLogin: (request: FastifyRequest, account: string) => void
}

/** Keys in memory per limit; beyond that the least recently counted are dropped. */
const keysMax = 20_000
/** How long a successful login exempts its address. */
const trustedForMs = 60 * 24 * 60 * 60_000

/** Registers the general limit. Returns the functions that count the other limits, the same for both transports. */
export async function registerRateLimits(
  app: FastifyInstance,
  { config, db }: Pick<Services, 'config' | 'db'>,
): Promise<RateLimits> {
  // Remembered, because a file route passes the request on to another route if the file is missing.
  const fileRequests = new WeakSet<FastifyRequest>()
  const isFileRequest = (request: FastifyRequest) => fileRequests.has(request)
  app.addHook('onRequest', (request, _reply, done) => {
    if (isFile(request)) fileRequests.add(request)
    done()
  })
  if (!config.hasRateLimits) {
    return {
      count: async () => {},
      countMore: async () => {},
      countMissingFile: async () => undefined,
      isFileRequest,
      recordLogin() {},
    }
  }
  await app.register(rateLimit, {
    global: false,
    ...limits.general,
    cache: keysMax,
    ...(config.databaseUrl && { store: sharedStore(db, app.log), skipOnError: true }),
    keyGenerator: (request: FastifyRequest) => `general ${addressOf(request)}`,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) => new TooManyRequests(secondsOf(ttl)),
  })
  // A hook of the whole app: hooks of routes would not count unknown paths, nor pages on REST paths.
  const countRequest = app.rateLimit()
  app.addHook('onRequest', async (request, reply) =>
    isFileRequest(request) ? undefined : countRequest.call(app, request, reply),
  )
  const { general: _, ...others } = limits
  const countGeneral = app.createRateLimit()

  const counters = Object.fromEntries(
    Object.entries(others).map(([name, { max, timeWindow }]) => {
      const options = {
        max,
        timeWindow,
        cache: keysMax,
        keyGenerator: (request: FastifyRequest) =>
          `${name} ${(request as Keyed).limitKey ?? addressOf(request)}`,
      }
      return [name, app.createRateLimit(options)]
    }),
  )
  // The headers show one limit: of all that the request counted against, the one with the fewest calls remaining.
  const tightest = new WeakMap<FastifyRequest, Counted>()
  app.addHook('onSend', (request, reply, _payload, done) => {
    const counted = tightest.get(request)
    if (!counted) return done()
    const seconds = secondsOf(counted.ttl)
    reply.headers({
      'ratelimit-limit': counted.max,
      'ratelimit-remaining': counted.remaining,
      'ratelimit-reset': seconds,
      ...(counted.isExceeded && { 'retry-after': seconds }),
    })
    done()
  })

  const enforce = (request: FastifyRequest, counted: Awaited<ReturnType<typeof countGeneral>>) => {
    if (counted.isAllowed) return
    const before = tightest.get(request)
    if (!before || isTighter(counted, before)) tightest.set(request, counted)
    if (counted.isExceeded) throw new TooManyRequests(secondsOf(counted.ttl))
  }

  const countMore = async (request: FastifyRequest) => enforce(request, await countGeneral(request))

  // By size: with `max`, it would allocate all places at once.
  const trusted = new LRUCache<string, true>({
    maxSize: keysMax,
    sizeCalculation: () => 1,
    ttl: trustedForMs,
  })
  const isShared = config.databaseUrl !== undefined
  const isTrusted = async (pair: string) =>
    trusted.has(pair) || (isShared && (await hasFlag(db, `trusted ${pair}`).catch(() => false)))
  return {
    async count(request, name, account) {
      if (name === 'guessFromAnywhere' && (await isTrusted(pairOf(request, account!)))) return
      const isPaired = name === 'guessFromAddress' || name === 'mailbox'
      const key = isPaired ? pairOf(request, account!) : `account ${account}`
      const keyed = account === undefined ? request : Object.create(request, { limitKey: { value: key } })
      enforce(request, await counters[name]!(keyed))
    },
    countMore,
    isFileRequest,
    async countMissingFile(request) {
      if (!fileRequests.delete(request)) return undefined
      return countMore(request).catch((refusal: unknown) => refusal)
    },
    recordLogin(request, account) {
      const pair = pairOf(request, account)
      trusted.set(pair, true)
      // Not awaited. If it fails, only this process remembers the login.
      if (isShared) setFlag(db, `trusted ${pair}`, trustedForMs).catch(() => {})
    },
  }
}

/** Returns the key of a client’s address; for an IPv6 address, of its /64. */
function addressOf(request: FastifyRequest): string {
  return `address ${householdOf(request.ip)}`
}

function pairOf(request: FastifyRequest, account: string): string {
  return `${addressOf(request)} account ${account}`
}

type Keyed = FastifyRequest & { limitKey?: string }
type Counted = { max: number; remaining: number; ttl: number; isExceeded: boolean }

function isTighter(a: Counted, b: Counted): boolean {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded
  return a.isExceeded ? a.ttl > b.ttl : a.remaining < b.remaining
}

/**
 * Whether the route of a request serves files or the health check. Such a request is not counted when it arrives; if the file
 * is missing, it is counted then.
 */
export function isFile({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === '/healthz' || /^\/(assets|uploads|starter|docs\/ui)\//.test(url ?? '')
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
