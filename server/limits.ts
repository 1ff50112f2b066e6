import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messages } from '#shared/messages.ts'

/** Calls per window, by address; where a call names an account, by that as well. */
const limits = {
  /** Every request whatever it is, but for files, the health check and what browsers ask before a call to another site. */
  general: { max: 1_200, timeWindow: 60_000 },
  login: { max: 20, timeWindow: 5 * 60_000 },
  register: { max: 20, timeWindow: 60 * 60_000 },
  mail: { max: 10, timeWindow: 60 * 60_000 },
  write: { max: 120, timeWindow: 60_000 },
  /** Calls that may ask an outside source. */
  search: { max: 60, timeWindow: 60_000 },
  upload: { max: 30, timeWindow: 10 * 60_000 },
} as const
export type LimitName = Exclude<keyof typeof limits, 'general'>
export type Limit = (request: FastifyRequest, name: LimitName, account?: string) => Promise<void>

/** Addresses and accounts remembered for each limit; beyond that the one counted longest ago is forgotten. */
const remembered = 20_000

/** Registers the general limit and answers the function that counts the narrower ones, the same for both doors. */
export async function registerLimits(app: FastifyInstance, isOn: boolean): Promise<Limit> {
  if (!isOn) return async () => {}
  await app.register(rateLimit, {
    global: false,
    ...limits.general,
    cache: remembered,
    enableDraftSpec: true,
    allowList: isFile,
    errorResponseBuilder: (_request, { ttl }) => new TooManyRequests(secondsOf(ttl)),
  })
  // A hook of the whole app: one of the routes would not count what has no route, and pages at a REST address.
  app.addHook('onRequest', app.rateLimit())

  const counters = Object.fromEntries(
    Object.entries(limits).map(([name, { max, timeWindow }]) => {
      const options = {
        max,
        timeWindow,
        cache: remembered,
        keyGenerator: (request: FastifyRequest) =>
          (request as Keyed).limitKey ?? `address ${normalizeIP(request.ip)}`,
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

  return async (request, name, account) => {
    const keyed =
      account === undefined ? request : Object.create(request, { limitKey: { value: `account ${account}` } })
    const counted = await counters[name]!(keyed)
    if (counted.isAllowed) return
    const before = narrowest.get(request)
    if (!before || isNarrower(counted, before)) narrowest.set(request, counted)
    if (counted.isExceeded) throw new TooManyRequests(secondsOf(counted.ttl))
  }
}

type Keyed = FastifyRequest & { limitKey?: string }
type Counted = { max: number; remaining: number; ttl: number; isExceeded: boolean }

function isNarrower(a: Counted, b: Counted): boolean {
  if (a.isExceeded !== b.isExceeded) return a.isExceeded
  return a.isExceeded ? a.ttl > b.ttl : a.remaining < b.remaining
}

/** By its route: an address that only begins like a file's is counted. */
function isFile({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === '/healthz' || /^\/(assets|uploads|docs\/ui)\//.test(url ?? '')
}

/** Carries `retryAfter` in seconds for the header. */
export class TooManyRequests extends TRPCError {
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super({ code: 'TOO_MANY_REQUESTS', message: messages.tooManyRequests })
    this.retryAfter = retryAfter
  }
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
