import type { AnyProcedure } from '@trpc/server'
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import { getTRPCErrorShape, TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerError, busySeconds } from './rest.ts'
import { appRouter } from './router.ts'
import { type Context, foreseen, inTime, logFailure, statusOf } from './trpc.ts'

/** Limits count requests: one must not carry hundreds of calls. */
const callsMax = 20

type TrpcRequest = FastifyRequest<{ Params: { path: string }; Querystring: Record<string, unknown> }>
type Door = (request: TrpcRequest, reply: FastifyReply) => Promise<unknown>

/** The typed door: `/trpc/<path>`, or several paths with commas between and `batch=1`. */
export async function registerTrpc(
  app: FastifyInstance,
  createContext: (request: FastifyRequest) => Promise<Context>,
): Promise<void> {
  // tRPC parses the text itself. Its own Fastify plugin would take multipart bodies of any size too.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  // What ends before tRPC sees the call, in the shape that its clients read.
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof TRPCError)) return answerError(error, request, reply)
    return reply.status(statusOf(error)).send({ error: shapeOf({ error }) })
  })

  const stock: Door = (req, res) =>
    fastifyRequestHandler({
      router: appRouter,
      req,
      res,
      path: req.params.path,
      maxBatchSize: callsMax,
      createContext: () => createContext(req),
      // The connection of a stream ends with it: left open and idle, it would hold up a stop.
      responseMeta: ({ type }) => (type === 'subscription' ? { headers: { connection: 'close' } } : {}),
      onError: ({ error, path }) => logFailure(req.log, error, path),
    })
  const plain: Door = async (request, reply) => {
    const calls = plainCalls(request)
    if (calls === undefined) return stock(request, reply)
    const context = createContext(request)
    const answers = await Promise.all(calls.map((call, at) => answer(call, at, context, request)))
    const statuses = new Set(answers.map(({ status }) => status))
    const bodies = answers.map(({ body }) => body)
    return reply
      .status(statuses.size === 1 ? answers[0]!.status : 207)
      .headers({
        'content-type': 'application/json',
        vary: 'trpc-accept, accept',
        ...(statuses.has(503) && { 'retry-after': busySeconds }),
      })
      .send(JSON.stringify(isBatch(request) ? bodies : bodies[0]))
  }
  app.route<{ Params: { path: string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'POST'],
    url: '/trpc/:path',
    handler: plain,
  })
}

type Call = { path: string; procedure: AnyProcedure; input: unknown }

const isBatch = (request: TrpcRequest) => request.query['batch'] === '1'
const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>

/**
 * The calls of a request that asks for plain answers in the usual way, which the stock handler takes three times as long
 * for (scripts/bench/doors.ts); undefined for all else: streams, what is not there, what is wrong with it.
 */
function plainCalls(request: TrpcRequest): Call[] | undefined {
  const { method, headers, query } = request
  const type = method === 'GET' ? 'query' : method === 'POST' ? 'mutation' : undefined
  if (headers['trpc-accept'] !== undefined) return undefined
  const paths = isBatch(request) ? request.params.path.split(',') : [request.params.path]
  if (paths.length > callsMax) return undefined
  const text = type === 'query' ? query['input'] : request.body
  if (typeof text !== 'string' && (text !== undefined || type !== 'query')) return undefined
  let inputs: unknown
  try {
    inputs = text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
  if (isBatch(request) && inputs !== undefined && !isRecord(inputs)) return undefined
  const calls: Call[] = []
  for (const [at, path] of paths.entries()) {
    if (!Object.hasOwn(procedures, path) || procedures[path]!._def.type !== type) return undefined
    const input = isBatch(request) ? (inputs as Record<string, unknown> | undefined)?.[at] : inputs
    calls.push({ path, procedure: procedures[path]!, input })
  }
  return calls
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function answer(
  { path, procedure, input }: Call,
  batchIndex: number,
  context: Promise<Context>,
  request: FastifyRequest,
): Promise<{ status: number; body: object }> {
  const { type } = procedure._def
  let ctx: Context | undefined
  try {
    const data: unknown = await inTime(async () => {
      ctx = await context
      return procedure({
        ctx,
        path,
        type,
        getRawInput: async () => input,
        signal: undefined,
        batchIndex,
      } as never)
    })
    return { status: 200, body: { result: { data } } }
  } catch (cause) {
    const error = foreseen(cause)
    logFailure(request.log, error, path)
    return { status: statusOf(error), body: { error: shapeOf({ error, type, path, input, ctx }) } }
  }
}

function shapeOf(what: {
  error: TRPCError
  type?: AnyProcedure['_def']['type']
  path?: string
  input?: unknown
  ctx?: Context | undefined
}) {
  const { error, type = 'unknown', path, input, ctx } = what
  return getTRPCErrorShape({ config: appRouter._def._config, error, type, path, input, ctx })
}
