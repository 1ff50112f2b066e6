import rateLimit from '@fastify/rate-limit'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messages } from '#shared/messages.ts'

/** Calls per window, by address; where a call names an account, by that as well. */
const limits = {
  /** Every request whatever it is. */
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

/** Registers the general limit and answers the function that counts the narrower ones, the same for both doors. */
export async function registerLimits(app: FastifyInstance, isOn: boolean): Promise<Limit> {
  if (!isOn) return async () => {}
  await app.register(rateLimit, {
    global: true,
    ...limits.general,
    enableDraftSpec: true,
    allowList: (request) => request.url === '/healthz' || request.url.startsWith('/assets/'),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  })
  const counters = Object.fromEntries(
    Object.entries(limits).map(([name, { max, timeWindow }]) => [
      name,
      app.createRateLimit({
        max,
        timeWindow,
        keyGenerator: (request) => `${name}:${(request as { limitKey?: string }).limitKey ?? request.ip}`,
      }),
    ]),
  )
  return async (request, name, account) => {
    const keyed = account === undefined ? request : Object.create(request, { limitKey: { value: account } })
    const result = await counters[name]!(keyed)
    if (!result.isAllowed && result.isExceeded) throw tooMany(result.ttl)
  }
}

/** Carries `retryAfter` in seconds for the header. */
export class TooManyRequests extends TRPCError {
  readonly retryAfter: number
  constructor(retryAfter: number) {
    super({ code: 'TOO_MANY_REQUESTS', message: messages.tooManyRequests })
    this.retryAfter = retryAfter
  }
}

function tooMany(ttlMs: number): TooManyRequests {
  return new TooManyRequests(Math.max(1, Math.ceil(ttlMs / 1000)))
}
