import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/calls/context.ts'
import { withTimeout } from '#server/calls/errors.ts'
import { admit, type Meta } from '#server/calls/procedures.ts'
import type { AppRouter } from '#server/router.ts'
import { type PreparedResponse, type ResponseCache, watchLimits } from './response-cache.ts'

/** `call.reviews.list({ movieId })`. Each call is admitted. */
export type Caller = ReturnType<AppRouter['createCaller']>

/** Doors only translate a request into calls, and their results into a response. */
export type Calls = {
  /** Before the body is read. Checks the session, the scope, the rate limits, the login, the role. Throws within the time limit of a call. */
  admit: (request: FastifyRequest, type: 'query' | 'mutation', meta: Meta | undefined) => Promise<Context>
  /** Even if a member sends the request. */
  visit: (request: FastifyRequest) => Promise<Context>
  /** `signal` ends its streams. */
  callerOf: (request: FastifyRequest, signal?: AbortSignal) => Promise<Caller>
  /**
   * Computed for a visitor, even if a member sends the request. Cached under `key` for the version of the database, unless the call counts
   * against a rate limit of its own.
   */
  share: (
    request: FastifyRequest,
    key: string,
    compute: (call: Caller, ctx: Context) => Promise<PreparedResponse>,
  ) => Promise<PreparedResponse>
}

export function openCalls(
  router: AppRouter,
  createContext: (request: FastifyRequest) => Promise<Context>,
  cache: ResponseCache,
): Calls {
  const visit = async (request: FastifyRequest) => ({ ...(await createContext(request)), member: null })
  return {
    visit,
    admit: (request, type, meta) =>
      withTimeout(async () => {
        const ctx = await createContext(request)
        await admit(ctx, type, meta)
        ctx.isAdmitted = true
        return ctx
      }),
    callerOf: async (request, signal) =>
      router.createCaller(await createContext(request), signal && { signal }),
    async share(request, key, compute) {
      const computeShared = async () => {
        const { ctx, hasCounted } = watchLimits(await visit(request))
        const response = await compute(router.createCaller(ctx), ctx)
        return { response, isShareable: !hasCounted() }
      }
      return cache.find(key) ?? (await withTimeout(() => cache.read(key, computeShared)))
    },
  }
}
