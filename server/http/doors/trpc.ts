import type { AnyProcedure } from '@trpc/server'
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import { getTRPCErrorShape, TRPCError, type TRPCProcedureType as ProcedureType } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import PQueue from 'p-queue'
import { messages } from '#shared/texts/messages.ts'
import { bodyLimitOf, bodyLimitOfBatch, isTooComplex, leastBody } from '#server/http/limits/body-limits.ts'
import { busyRetrySeconds, sendError } from '#server/http/errors.ts'
import { readJson, tooLarge } from './json-body.ts'
import { varyHeader } from '#server/http/negotiate.ts'
import { languageKey, languageOfCall, textsOf } from '#server/http/pages/language.ts'
import type { RateLimits } from '#server/http/limits/rate-limit.ts'
import type { Calls } from './calls.ts'
import { prepareResponse, type ResponseCache } from './response-cache.ts'
import { definitionOf, isPublicQuery, jsonSchemaOf, proceduresOf } from '#server/calls/described.ts'
import type { AppRouter } from '#server/router.ts'
import { callProcedure } from '#server/calls/run.ts'
import type { Context } from '#server/calls/context.ts'
import { pause } from '#server/db/slices.ts'
import {
  badRequest,
  logError,
  notFound,
  statusOf,
  TooManyRequests,
  toTrpcError,
  withTimeout,
} from '#server/calls/errors.ts'

const callsMax = 20
const concurrentMax = 4
/** More calls than any page sends. Two such batches run at the same time, because their results may take several megabytes. */
const largeBatch = 10
const largeBatches = new PQueue({ concurrency: 2 })
/** A single result may be larger: a page of reviews with long texts is three megabytes. */
const batchBytesMax = 2 * 1024 * 1024

type TrpcRequest = FastifyRequest<{ Params: { path: string }; Querystring: Record<string, unknown> }>
type Handler = (request: TrpcRequest, reply: FastifyReply) => Promise<unknown>

/** `/trpc/<path>`, or several paths separated by commas with `batch=1`. */
export async function registerTrpc(
  app: FastifyInstance,
  router: AppRouter,
  calls: Calls,
  limits: Pick<RateLimits, 'countMore'>,
  cache: ResponseCache,
): Promise<void> {
  const { bodyLimitOfCalls, cacheKey, errorResult, isSubscription, parseCalls, run, shapeOf } =
    openRequests(router)
  // tRPC parses the text of bodies. Its own Fastify plugin would also accept multipart bodies of any size.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', readJson)
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof TRPCError)) return sendError(error, request, reply)
    if (error instanceof TooManyRequests) reply.header('retry-after', error.retryAfter)
    return reply.status(statusOf(error)).send({ error: shapeOf(request, { error }) })
  })

  const trpcHandler: Handler = (req, res) =>
    fastifyRequestHandler({
      router,
      req,
      res,
      // tRPC decodes the path a second time, and throws on a literal percent sign.
      path: encodeURIComponent(req.params.path),
      maxBatchSize: callsMax,
      createContext: () => (isSubscription(req) ? calls.open(req) : refuse()),
      // An idle connection would delay a graceful shutdown.
      responseMeta: ({ type }) => (type === 'subscription' ? { headers: { connection: 'close' } } : {}),
      onError: ({ error, path }) => logError(req.log, error, path),
    })
  const countCalls = async (request: FastifyRequest, calls: number) => {
    // The request itself is counted already.
    const refusals: unknown[] = [undefined]
    // Concurrent calls would all see the last count.
    for (let at = 1; at < calls; at++)
      refusals[at] = await limits.countMore(request).catch((error: unknown) => error)
    return refusals
  }
  const countBatch = async (request: TrpcRequest, batch: TrpcCall[]): Promise<Batch> => {
    const refusals = batch.length > 1 ? await countCalls(request, batch.length) : [undefined]
    return { calls: batch, refusals }
  }
  const admitted = new WeakMap<FastifyRequest, { batch: Batch; context: Promise<Context> }>()
  /** If all calls are refused, the body is not read. */
  const admitBeforeBody = async (request: TrpcRequest, reply: FastifyReply) => {
    const parsed = parseCalls(request)
    if (parsed === undefined) return undefined
    const batch = await countBatch(request, parsed)
    const { refusals } = batch
    const context = calls.open(request)
    const refusalOf = async (call: TrpcCall) => {
      const { meta } = definitionOf(procedureOf(call))
      await calls.admit(context, 'mutation', meta)
    }
    for (const [at, call] of parsed.entries())
      refusals[at] ??= await refusalOf(call).catch((error: unknown) => error)
    if (refusals.every(Boolean)) return send(reply, await compute(request, batch, context))
    admitted.set(request, { batch, context })
    return undefined
  }
  const compute = async (
    request: TrpcRequest,
    { calls: batch, refusals }: Batch,
    context: Promise<Context>,
  ) => {
    let bytes = 0
    const computeOne = async (call: TrpcCall, at: number) => {
      const result = await run(call, at, context, request, refusals[at])
      // Without an await if there is no pause, so that the next call sees the time of this one.
      const later = pause()
      if (later) await later
      const text = JSON.stringify(result.body)
      const size = Buffer.byteLength(text)
      // Only of queries: the client must learn that a mutation succeeded.
      if (bytes > 0 && bytes + size > batchBytesMax && result.status === 200 && call.type === 'query')
        return errorResult(request, call, 'PAYLOAD_TOO_LARGE', messages.batchTooLarge)
      bytes += size
      return { status: result.status, text }
    }
    // Results that are not written yet are in memory.
    const results: Awaited<ReturnType<typeof computeOne>>[] = []
    const waiting = batch.entries()
    const takeTurns = async () => {
      for (const [at, call] of waiting) results[at] = await computeOne(call, at)
    }
    const computeAll = () => Promise.all(Array.from({ length: concurrentMax }, takeTurns))
    await (batch.length > largeBatch ? largeBatches.add(computeAll) : computeAll())
    const statuses = new Set(results.map(({ status }) => status))
    const texts = results.map(({ text }) => text)
    const status = statuses.size === 1 ? results[0]!.status : 207
    return {
      status,
      headers: {
        'content-type': 'application/json',
        ...(statuses.has(503) && { 'retry-after': String(busyRetrySeconds) }),
      },
      body: isBatch(request) ? `[${texts.join(',')}]` : texts[0]!,
    }
  }
  const handler = (request: TrpcRequest, reply: FastifyReply) => {
    const key = cacheKey(request)
    // The calls of a batch are counted first. Not returned: a reply is thenable, and Fastify would wait for it.
    const found = key === undefined || isBatch(request) ? undefined : cache.find(key)
    return found ? void cache.send(request, reply, found) : respond(request, reply)
  }
  const send = (reply: FastifyReply, { status, headers, body }: Awaited<ReturnType<typeof compute>>) =>
    reply
      .status(status)
      .headers({ vary: varyHeader, ...headers })
      .send(body)
  const respond: Handler = async (request, reply) => {
    const known = admitted.get(request)
    if (known) {
      // A body can take half a minute to arrive.
      ;(await known.context).now = new Date()
      return send(reply, await compute(request, known.batch, known.context))
    }
    const parsed = parseCalls(request)
    if (parsed === undefined) return trpcHandler(request, reply)
    const batch = await countBatch(request, parsed)
    const key = batch.refusals.some(Boolean) ? undefined : cacheKey(request)
    if (key === undefined) return send(reply, await compute(request, batch, calls.open(request)))
    const response = await calls.share(request, key, async (ctx) => {
      const { status, headers, body } = await compute(request, batch, Promise.resolve(ctx))
      return { response: prepareResponse(status, headers, body), isShareable: status === 200 }
    })
    return cache.send(request, reply, response)
  }
  for (const method of ['GET', 'POST'])
    app.route<{ Params: { path: string }; Querystring: Record<string, unknown> }>({
      method,
      url: '/trpc/:path',
      // tRPC’s handler throws on HEAD.
      exposeHeadRoute: false,
      config: {
        cacheKey: cacheKey as (request: FastifyRequest) => string | undefined,
        bodyLimit: (request) => {
          const known = admitted.get(request)
          return known ? bodyLimitOfCalls(known.batch.calls) : leastBody
        },
      },
      ...(method === 'POST' && { onRequest: admitBeforeBody }),
      handler,
    })
  app.route({
    method: ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/trpc/:path',
    // The method is wrong for any body.
    onRequest(request, reply) {
      const error = new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: messages.methodNotSupported })
      void reply
        .status(405)
        .header('allow', 'GET, POST')
        .send({ error: shapeOf(request, { error }) })
    },
    handler() {},
  })
}

function inLanguage(data: unknown, { texts }: Context): unknown {
  const message = (data as { message?: unknown } | null | undefined)?.message
  return texts === undefined || typeof message !== 'string'
    ? data
    : { ...(data as object), message: texts.translate(message) }
}

type TrpcCall = {
  path: string
  procedure: AnyProcedure | undefined
  type: ProcedureType | undefined
  readInput: () => Promise<unknown>
}
/** `refusals` contains for each call the error that refuses it, or undefined. */
type Batch = {
  calls: TrpcCall[]
  refusals: unknown[]
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
const isBatch = (request: TrpcRequest) => first(request.query['batch']) === '1'

/** tRPC’s own handler must not run calls that `parseCalls` did not accept. */
async function refuse(): Promise<never> {
  throw badRequest(messages.invalidRequest)
}

function procedureOf({ path, procedure }: TrpcCall): AnyProcedure {
  if (procedure) return procedure
  throw notFound(`No procedure found on path "${path}"`)
}

/** BAD_REQUEST has the message that tRPC uses. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', message: (cause as Error).message, cause })
  }
}

function memoised<T>(work: () => T): () => T {
  let result: { value: T } | undefined
  return () => (result ??= { value: work() }).value
}

function isRecord(value: unknown): value is Record<number, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function openRequests(router: AppRouter) {
  const procedures = proceduresOf(router)
  const procedureAt = (path: string) => (Object.hasOwn(procedures, path) ? procedures[path] : undefined)
  const typeAt = (path: string) => {
    const procedure = procedureAt(path)
    return procedure && definitionOf(procedure).type
  }
  const bodyLimits = new Map(
    Object.entries(procedures).map(([path, one]) => [path, bodyLimitOf(path, jsonSchemaOf(one))]),
  )
  const isSubscription = (request: TrpcRequest) =>
    !isBatch(request) && typeAt(request.params.path) === 'subscription'

  const publicQueries = new Set(Object.keys(procedures).filter((path) => isPublicQuery(procedures[path]!)))

  function cacheKey(request: TrpcRequest): string | undefined {
    if (request.method !== 'GET' || request.headers.authorization !== undefined) return undefined
    const { path } = request.params
    const areBatched = isBatch(request)
    if (!(areBatched ? path.split(',') : [path]).every((one) => publicQueries.has(one))) return undefined
    const shown = languageOfCall(request.query)
    return `trpc ${areBatched ? 'batch' : 'call'} ${shown} ${path} ${String(first(request.query['input']) || '')}${languageKey(request)}`
  }

  /**
   * They bypass tRPC’s own handler, which takes three times as long (scripts/bench/http.ts) and does not limit a batch’s results. Undefined
   * for streams and for requests that tRPC refuses.
   */
  function parseCalls(request: TrpcRequest): TrpcCall[] | undefined {
    const { method, headers, query } = request
    const type = method === 'GET' ? 'query' : 'mutation'
    if (method === 'POST' && !headers['content-type']?.startsWith('application/json')) return undefined
    const paths = isBatch(request) ? request.params.path.split(',') : [request.params.path]
    if (paths.length > callsMax) return undefined
    if (paths.some((path) => ![type, undefined].includes(typeAt(path)))) return undefined

    const readInputs = memoised(() => {
      const text = String((method === 'GET' ? first(query['input']) : request.body) ?? '')
      if (method === 'GET' && !text) return {}
      // The text of a body was checked when it was read.
      if (method === 'GET' && isTooComplex(text, bodyLimitOfCalls(calls))) throw tooLarge()
      const inputs = parse(text)
      if (!isBatch(request)) return { 0: inputs }
      if (isRecord(inputs)) return inputs
      throw badRequest('"input" needs to be an object when doing a batch call')
    })
    const calls = paths.map((path, at) => ({
      path,
      procedure: procedureAt(path),
      type: typeAt(path),
      readInput: async () => readInputs()[at],
    }))
    return calls
  }

  const bodyLimitOfCalls = (calls: TrpcCall[]) =>
    bodyLimitOfBatch(calls.map(({ path }) => bodyLimits.get(path) ?? leastBody))

  async function run(
    call: TrpcCall,
    batchIndex: number,
    context: Promise<Context>,
    request: FastifyRequest,
    refusal: unknown,
  ): Promise<{ status: number; body: object }> {
    const { path, type, readInput } = call
    let ctx: Context | undefined
    try {
      ctx = await withTimeout(() => context)
      if (refusal) throw refusal
      procedureOf(call)
      const data = await callProcedure(router, { ctx, path, type: type as 'query', readInput, batchIndex })
      return { status: 200, body: { result: { data: type === 'mutation' ? inLanguage(data, ctx) : data } } }
    } catch (cause) {
      const error = toTrpcError(cause)
      logError(request.log, error, path)
      return { status: statusOf(error), body: { error: shapeOf(request, { error, type, path, ctx }) } }
    }
  }

  function errorResult(
    request: FastifyRequest,
    { path, type }: TrpcCall,
    code: TRPCError['code'],
    message: string,
  ) {
    const error = new TRPCError({ code, message })
    const shape = shapeOf(request, { error, type, path })
    return { status: statusOf(error), text: JSON.stringify({ error: shape }) }
  }

  /** Without a context, a call was refused before it was known who sends it. */
  function shapeOf(
    request: FastifyRequest,
    options: {
      error: TRPCError
      type?: ProcedureType | undefined
      path?: string
      ctx?: Context | undefined
    },
  ) {
    const { error, type = 'unknown', path } = options
    const ctx = options.ctx ?? ({ texts: textsOf(request), requestId: request.id } as Context)
    return getTRPCErrorShape({ config: router._def._config, error, type, path, input: undefined, ctx })
  }
  return { bodyLimitOfCalls, cacheKey, errorResult, isSubscription, parseCalls, run, shapeOf }
}
