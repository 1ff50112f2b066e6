import { hash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { sessionDays } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { dayMs } from '#shared/domain/days.ts'
import type { Db } from '#server/db/open.ts'
import { networksOf } from '#server/process/addresses.ts'
import {
  addCalls,
  hasFlag,
  keyOf,
  setFlag,
  sharedStore,
  withFallback,
  withKeptDays,
} from './rate-limit-store.ts'
import type { Context, LimitName, Services } from '#server/calls/context.ts'
import { TooManyRequests } from '#server/calls/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    cost?: number
  }
}

/** By address, or by account if a call names one. IPv6 by /64 and, with `subnetsPerSite` times the maximum, by /48. */
const limits = {
  /** Also every call of a batch. Existing files, the health check and CORS preflights are not counted. */
  general: { max: 1_200, timeWindow: 60_000 },
  login: { max: 20, timeWindow: 5 * 60_000 },
  /** Attackers only lock out their own address. The same number from a /48, not counting addresses with a successful login. */
  guessFromAddress: { max: 10, timeWindow: 10 * 60_000 },
  guessFromAnywhere: { max: 100, timeWindow: 60 * 60_000 },
  register: { max: 20, timeWindow: 60 * 60_000 },
  /** Apart from emails, so that sign-ups behind an address do not use up the emails of members. */
  signUp: { max: 30, timeWindow: 60 * 60_000 },
  mail: { max: 30, timeWindow: 60 * 60_000 },
  /** To one account, from one address or /48; see also `mailsMax` in accounts/rules.ts. */
  mailbox: { max: 10, timeWindow: 60 * 60_000 },
  write: { max: 120, timeWindow: 60_000 },
  /** Bytes: two hundred of the longest reviews. Imports and pictures have quotas of their own. */
  text: { max: 5_000_000, timeWindow: dayMs },
  /** That are marked: those that are taken back are kept for the undo. */
  plays: { max: 100_000, timeWindow: dayMs },
  search: { max: 60, timeWindow: 60_000 },
  upload: { max: 30, timeWindow: 10 * 60_000 },
  export: { max: 10, timeWindow: 60 * 60_000 },
  import: { max: 10, timeWindow: 60 * 60_000 },
  longPeriod: { max: 30, timeWindow: 60_000 },
  /** Not cached. Above the limit, the app shell is sent. */
  render: { max: 300, timeWindow: 60_000 },
  /** By session, and also counted as `render`. Above the limit, the app shell is sent. */
  memberPage: { max: 120, timeWindow: 60_000 },
  sharePicture: { max: 60, timeWindow: 10 * 60_000 },
  /** Apps ask once an hour at most, but a member can have many. */
  calendarFile: { max: 60, timeWindow: 10 * 60_000 },
  /** Each can wait for an external source. */
  offers: { max: 300, timeWindow: 60_000 },
} satisfies Record<LimitName, { max: number; timeWindow: number }>
/** More than one, because providers divide some /48 among customers, but not 65,536. */
const subnetsPerSite = 4

export type RateLimits = {
  count: (...[request, ...counted]: [FastifyRequest, ...Parameters<Context['limit']>]) => Promise<void>
  countMore: (request: FastifyRequest) => Promise<void>
  isFileRequest: (request: FastifyRequest) => boolean
  countMissingFile: (request: FastifyRequest) => Promise<unknown>
  /** `guessFromAnywhere` no longer applies to this account from this address. */
  recordLogin: (request: FastifyRequest, account: string) => void
}

/** As long as the session of the login. */
const trustedForMs = sessionDays * dayMs
/** Per account; a further address replaces the one with the oldest login. */
const trustedMax = 10
/** Beyond that, the accounts with the oldest logins are dropped. A member has two: for logins and for confirmations. */
const trustedAccountsMax = 40_000

export async function registerRateLimits(
  app: FastifyInstance,
  { config, db }: Pick<Services, 'config' | 'db'>,
): Promise<RateLimits> {
  // A file route passes the request on to another route if the file is missing.
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
  const isShared = config.databaseUrl !== undefined
  const Shared = withFallback(sharedStore(db, app.log))
  await app.register(rateLimit, { global: false, store: isShared ? Shared : withKeptDays(Shared) })
  const counters = Object.fromEntries(
    Object.entries(limits).map(([name, { timeWindow }]) => {
      const options = {
        timeWindow,
        max: (request: FastifyRequest) => (request as Keyed).limitMax,
        keyGenerator: (request: FastifyRequest) =>
          keyOf(`${name} ${(request as Keyed).limitKey}`, (request as Keyed).limitCost),
      }
      return [name, app.createRateLimit(options)]
    }),
  )
  // The headers show the limit with the fewest remaining calls.
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

  const countKey = async (
    request: FastifyRequest,
    name: LimitName,
    key: string,
    { max = limits[name].max, cost = 1, trx }: { max?: number; cost?: number; trx?: Db | undefined } = {},
  ) => {
    // All that the plugin reads of a request. Its `routeOptions` take longer than the rest.
    const keyed = { limitKey: key, limitMax: max, limitCost: cost, routeOptions: {} } as Keyed
    const counted = trx ? await countIn(trx, name, key, cost) : await counters[name]!(keyed)
    if (counted.isAllowed) return
    const before = tightest.get(request)
    if (!before || isTighter(counted, before)) tightest.set(request, counted)
    const message = name === 'text' ? messages.textQuotaUsed : undefined
    if (counted.isExceeded) throw new TooManyRequests(secondsOf(counted.ttl), message)
  }
  /** The wider network last: calls that the narrower one refuses do not count against others in it. */
  const countAddress = async (request: FastifyRequest, name: LimitName, cost = 1) => {
    const [subnet, site] = networksOf(request.ip)
    await countKey(request, name, `address ${subnet}`, { cost })
    const max = limits[name].max * subnetsPerSite
    if (site) await countKey(request, name, `address ${site}`, { max, cost })
  }
  // Hooks of routes would not count unknown paths and pages on REST paths.
  app.addHook('onRequest', async (request) =>
    isFileRequest(request) ? undefined : countAddress(request, 'general', request.routeOptions.config?.cost),
  )
  const countMore = (request: FastifyRequest) => countAddress(request, 'general')

  const trusted = new LRUCache<string, string[]>({
    maxSize: trustedAccountsMax,
    sizeCalculation: () => 1,
    ttl: trustedForMs,
  })
  const isTrusted = async (subnet: string, account: string) =>
    trusted.get(account)?.includes(subnet) ||
    (isShared && (await hasFlag(db, flagOf(subnet, account)).catch(() => false)))
  return {
    async count(request, name, account, cost = 1, trx) {
      if (account === undefined) return countAddress(request, name, cost)
      const [subnet, site] = networksOf(request.ip) as [string, string?]
      // A hash, since emails may be long.
      const key = `account ${hash('sha256', account, 'base64url')}`
      if (name === 'guessFromAddress') return countKey(request, name, `address ${subnet} ${key}`)
      if (name === 'mailbox') return countKey(request, name, `address ${site ?? subnet} ${key}`)
      if (name === 'guessFromAnywhere') {
        if (await isTrusted(subnet, account)) return
        if (site) await countKey(request, 'guessFromAddress', `address ${site} ${key}`)
      }
      await countKey(request, name, key, { cost, trx })
    },
    countMore,
    isFileRequest,
    async countMissingFile(request) {
      if (!fileRequests.delete(request)) return undefined
      return countMore(request).catch((refusal: unknown) => refusal)
    },
    recordLogin(request, account) {
      const [subnet] = networksOf(request.ip) as [string]
      const others = (trusted.get(account) ?? []).filter((one) => one !== subnet)
      trusted.set(account, [subnet, ...others].slice(0, trustedMax))
      // Not awaited: if it fails, only this process remembers the login.
      if (isShared) setFlag(db, flagOf(subnet, account), trustedForMs).catch(() => {})
    },
  }
}

function flagOf(subnet: string, account: string): string {
  return `trusted address ${subnet} account ${account}`
}

type Keyed = FastifyRequest & { limitKey: string; limitMax: number; limitCost: number }
type Counted = { max: number; remaining: number; ttl: number; isExceeded: boolean }

async function countIn(trx: Db, name: LimitName, key: string, cost: number) {
  const { max, timeWindow } = limits[name]
  const { current, ttl } = await addCalls(trx, `${name} ${key}`, cost, timeWindow)
  return {
    isAllowed: false as const,
    max,
    remaining: Math.max(0, max - current),
    ttl,
    isExceeded: current > max,
  }
}

function isTighter(a: Counted, b: Counted): boolean {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded
  return a.isExceeded ? a.ttl > b.ttl : a.remaining < b.remaining
}

/** Not counted when it arrives; if the file is missing, it is counted then. */
export function isFile({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === '/healthz' || /^\/(assets|uploads|starter|docs\/ui)\//.test(url ?? '')
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
