import type { FastifyRequest } from 'fastify'
import type { Context, Member } from '#server/calls/context.ts'
import { withTimeout } from '#server/calls/errors.ts'
import { admit, type Meta } from '#server/calls/procedures.ts'
import {
  chooseForMember,
  isTrpc,
  languageOf,
  languageOfCall,
  pageTextsOf,
} from '#server/http/pages/language.ts'
import type { AppRouter } from '#server/router.ts'
import { openShownNames } from '#server/titles/shown-names.ts'
import { type Computed, type PreparedResponse, type ResponseCache, watchLimits } from './response-cache.ts'

/** `call.reviews.list({ movieId })`. Each call is admitted. */
export type Caller = ReturnType<AppRouter['createCaller']>

/** What all doors do alike: they only translate a request into calls, and the results into a response. */
export type Calls = {
  /** Returns the context of the calls of a request: the member whose token it has, the time, the rate limits. An invalid token is a visitor’s. */
  open: (request: FastifyRequest) => Promise<Context>
  visit: (request: FastifyRequest) => Promise<Context>
  /** Returns the context of a request that something else than a token opens for a member. It only reads, and titles have the names that the member sees. */
  openAs: (request: FastifyRequest, member: Member) => Promise<Context>
  /** For the context of a page or a feed, whose titles have the names that its reader sees. */
  namesFor: (request: FastifyRequest) => Context['showNames']
  /**
   * Admits a call before its body is read: the scope of the token, the rate limits, the login, the role. `meta` is undefined for a call that
   * everybody may make. Returns the context, in which the procedure is not admitted again. Throws the `TRPCError` of the refusal, and
   * SERVICE_UNAVAILABLE after the time limit of a call.
   */
  admit: (
    opened: Context | Promise<Context>,
    type: 'query' | 'mutation',
    meta: Meta | undefined,
  ) => Promise<Context>
  /** Returns the caller for a request. `signal` ends its streams. */
  callerOf: (request: FastifyRequest, signal?: AbortSignal) => Promise<Caller>
  callerAs: (request: FastifyRequest, member: Member) => Promise<Caller>
  /**
   * Returns what `compute` returns to a visitor, even if a member sends the request. The response is cached under `key` for the version of
   * the database, unless it is not shareable, or a call has counted against a rate limit of its own. Throws the error of `compute`, and
   * SERVICE_UNAVAILABLE after the time limit of a call.
   */
  share: (
    request: FastifyRequest,
    key: string,
    compute: (ctx: Context, call: Caller) => Promise<Computed>,
  ) => Promise<PreparedResponse>
}

export function openCalls(
  router: AppRouter,
  openPlain: (request: FastifyRequest) => Promise<Context>,
  cache: ResponseCache,
): Calls {
  const show = openShownNames(router)
  const namesIn =
    (language: () => string): Context['showNames'] =>
    (ctx, path, output) =>
      show(ctx.db, { shown: ctx.member?.titleNames ?? 'local', language: language() }, path, output)
  const open = async (request: FastifyRequest): Promise<Context> => {
    const ctx = await openPlain(request)
    if (isTrpc(request)) ctx.showNames = namesIn(() => languageOfCall(request.query))
    return ctx
  }
  const visit = async (request: FastifyRequest) => ({ ...(await open(request)), member: null })
  const openAs: Calls['openAs'] = async (request, member) => {
    request.memberId = member.id
    chooseForMember(request, member)
    const showNames = namesIn(() => languageOf(request))
    return { ...(await visit(request)), member, showNames, texts: pageTextsOf(request), isForPage: true }
  }
  return {
    open,
    visit,
    openAs,
    namesFor: (request) => namesIn(() => languageOf(request)),
    admit: (opened, type, meta) =>
      withTimeout(async () => {
        const ctx = await opened
        await admit(ctx, type, meta)
        ctx.isAdmitted = true
        return ctx
      }),
    callerOf: async (request, signal) => router.createCaller(await open(request), signal && { signal }),
    callerAs: async (request, member) => router.createCaller(await openAs(request, member)),
    share: async (request, key, compute) =>
      cache.find(key) ??
      withTimeout(() =>
        cache.read(key, async () => {
          const { ctx, hasCounted } = watchLimits(await visit(request))
          const { response, isShareable = true } = await compute(ctx, router.createCaller(ctx))
          return { response, isShareable: isShareable && !hasCounted() }
        }),
      ),
  }
}
