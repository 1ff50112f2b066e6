import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { householdOf } from './addresses.ts'
import { isNoted, note, sharedStore } from './rate-limit-store.ts'
import type { Services } from '#server/trpc/context.ts'
import { TooManyRequests } from '#server/trpc/errors.ts'

/** Calls per window, by address; where a call names an account, by that instead. */
const limits = {
  /**
   * Every request, and each call of a batch. Not files that exist, the health check and what browsers ask before a call
   * to another site.
   */
  general: { max: 1_200, timeWindow: 60_000 },
  login: { max: 20, timeWindow: 5 * 60_000 },
  /** Passwords tried at one account from one address: who guesses shuts out themselves. */
  guess: { max: 10, timeWindow: 10 * 60_000 },
  /** Passwords tried at one account from all addresses, but those from which it was logged in to. */
  guesses: { max: 100, timeWindow: 60 * 60_000 },
  register: { max: 20, timeWindow: 60 * 60_000 },
  mail: { max: 30, timeWindow: 60 * 60_000 },
  /** Mails for one account from one address; see also `mailsMax` in accounts/rules.ts. */
  mailbox: { max: 10, timeWindow: 60 * 60_000 },
  write: { max: 120, timeWindow: 60_000 },
  /** Calls that may ask an outside source. */
  search: { max: 60, timeWindow: 60_000 },
  upload: { max: 30, timeWindow: 10 * 60_000 },
  /** Calls that read a year of ratings. */
  wide: { max: 30, timeWindow: 60_000 },
} as const
export type LimitName = Exclude<keyof typeof limits, 'general'>
export type RateLimits = {
  count: (request: FastifyRequest, name: LimitName, account?: string) => Promise<void>
  /** Counts against the general limit what the request itself is not counted for; throws TOO_MANY_REQUESTS. */
  countMore: (request: FastifyRequest) => Promise<void>
  /** Whether a request was for a file by its route when it arrived. */
  isFileRequest: (request: FastifyRequest) => boolean
  /** Counts a request for a file that turned out to be missing. Returns the error that refuses it, if the limit is exceeded. */
  countMissingFile: (request: FastifyRequest) => Promise<unknown>
  /** Notes that an account was logged in to from there: strangers elsewhere do not use up its guesses. */
  trust: (request: FastifyRequest, account: string) => void
}

/** Addresses and accounts remembered for each limit; beyond that the one counted longest ago is forgotten. */
const remembered = 20_000
const trustedForMs = 60 * 24 * 60 * 60_000

/** Registers the general limit; returns the functions that count the narrower ones, the same for both transports. */
export async function registerRateLimits(
  app: FastifyInstance,
  { config, db }: Pick<Services, 'config' | 'db'>,
): Promise<RateLimits> {
  // A route of files that finds none hands the request on to another route.
  const fileRequests = new WeakSet<FastifyRequest>()
  const isFileRequest = (request: FastifyRequest) => fileRequests.has(request)
  if (!config.hasRateLimits) {
    app.addHook('onRequest', async (request) => {
      if (isFile(request)) fileRequests.add(request)
    })
    return {
      count: async () => {},
      countMore: async () => {},
      countMissingFile: async () => undefined,
      isFileRequest,
      trust() {},
    }
  }
  await app.register(rateLimit, {
    global: false,
    ...limits.general,
    cache: remembered,
    ...(config.databaseUrl && { store: sharedStore(db, app.log), skipOnError: true }),
    keyGenerator: (request: FastifyRequest) => `general ${addressOf(request)}`,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) => new TooManyRequests(secondsOf(ttl)),
  })
  // A hook of the whole app: one of the routes would not count what has no route, and pages at a REST address.
  const countRequest = app.rateLimit()
  app.addHook('onRequest', async (request, reply) =>
    isFile(request) ? void fileRequests.add(request) : countRequest.call(app, request, reply),
  )
  const { general: _, ...narrow } = limits
  const countGeneral = app.createRateLimit()

  const counters = Object.fromEntries(
    Object.entries(narrow).map(([name, { max, timeWindow }]) => {
      const options = {
        max,
        timeWindow,
        cache: remembered,
        keyGenerator: (request: FastifyRequest) =>
          `${name} ${(request as Keyed).limitKey ?? addressOf(request)}`,
      }
      return [name, app.createRateLimit(options)]
    }),
  )
  // What the headers tell of a request: of all limits that it counted against, the one with the least left.
  const narrowest = new WeakMap<FastifyRequest, Counted>()
  app.addHook('onSend', async (request, reply) => {
    const counted = narrowest.get(request)
    if (!counted) return
    const seconds = secondsOf(counted.ttl)
    reply.headers({
      'ratelimit-limit': counted.max,
      'ratelimit-remaining': counted.remaining,
      'ratelimit-reset': seconds,
      ...(counted.isExceeded && { 'retry-after': seconds }),
    })
  })

  const judge = (request: FastifyRequest, counted: Awaited<ReturnType<typeof countGeneral>>) => {
    if (counted.isAllowed) return
    const before = narrowest.get(request)
    if (!before || isNarrower(counted, before)) narrowest.set(request, counted)
    if (counted.isExceeded) throw new TooManyRequests(secondsOf(counted.ttl))
  }

  const trusted = new LRUCache<string, true>({ max: remembered, ttl: trustedForMs })
  const isShared = config.databaseUrl !== undefined
  const isTrusted = async (pair: string) =>
    trusted.has(pair) || (isShared && (await isNoted(db, `trusted ${pair}`).catch(() => false)))
  return {
    async count(request, name, account) {
      if (name === 'guesses' && (await isTrusted(pairOf(request, account!)))) return
      const isPaired = name === 'guess' || name === 'mailbox'
      const key = isPaired ? pairOf(request, account!) : `account ${account}`
      const keyed = account === undefined ? request : Object.create(request, { limitKey: { value: key } })
      judge(request, await counters[name]!(keyed))
    },
    async countMore(request) {
      judge(request, await countGeneral(request))
    },
    isFileRequest,
    async countMissingFile(request) {
      if (!fileRequests.delete(request)) return undefined
      try {
        judge(request, await countGeneral(request))
        return undefined
      } catch (refusal) {
        return refusal
      }
    },
    trust(request, account) {
      const pair = pairOf(request, account)
      trusted.set(pair, true)
      // Nobody waits for it: where it fails, this process knows still.
      if (isShared) note(db, `trusted ${pair}`, trustedForMs).catch(() => {})
    },
  }
}

/** The key of a caller's address; of an IPv6 address, its /64. */
function addressOf(request: FastifyRequest): string {
  return `address ${householdOf(request.ip)}`
}

function pairOf(request: FastifyRequest, account: string): string {
  return `${addressOf(request)} account ${account}`
}

type Keyed = FastifyRequest & { limitKey?: string }
type Counted = { max: number; remaining: number; ttl: number; isExceeded: boolean }

function isNarrower(a: Counted, b: Counted): boolean {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded
  return a.isExceeded ? a.ttl > b.ttl : a.remaining < b.remaining
}

/**
 * Whether a request is for a file or for the health check, by its route. Such a request is not counted when it arrives;
 * a file that turns out to be missing is counted then.
 */
export function isFile({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === '/healthz' || /^\/(assets|uploads|starter|docs\/ui)\//.test(url ?? '')
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
