import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type AnyProcedure, TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { messages } from '#shared/messages.ts'
import { TooManyRequests } from './limits.ts'
import type { AppRouter } from './router.ts'
import {
  type Context,
  type ErrorAnswer,
  errorAnswer,
  foreseen,
  inTime,
  logFailure,
  type Meta,
  statusOf,
} from './trpc.ts'

/**
 * The REST door: one Fastify route for each procedure whose meta has `openapi`. Fastify's router gives precedence,
 * decoding, HEAD and true 404s; trpc-to-openapi's own handler gives none of them and changes the live schemas.
 */
export function registerRest(
  app: FastifyInstance,
  router: AppRouter,
  createContext: (request: FastifyRequest) => Promise<Context>,
): void {
  for (const [name, procedure] of restProcedures(router)) {
    const { openapi, aliases = [], status = 200 } = procedure._def.meta as RestMeta
    const readText = textReader(procedure)
    const hasBody = openapi.method !== 'GET' && openapi.method !== 'DELETE'
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const input = hasBody
        ? withParams(request.body, readText(request.params as Texts))
        : readText({ ...(request.query as Texts), ...(request.params as Texts) })
      const ctx = await createContext(request)
      const data: unknown = await procedure({
        ctx,
        path: name,
        type: procedure._def.type,
        // Not `input` too: what stands there is handed on beside what the schema lets through.
        getRawInput: async () => input,
        signal: undefined,
        batchIndex: 0,
      } as never)
      reply.status(ctx.answer.status ?? status)
      return data
    }
    const handler = (request: FastifyRequest, reply: FastifyReply) => inTime(() => answer(request, reply))
    for (const { path } of [openapi, ...aliases]) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      // A HEAD runs the handler: it must not use up a verification link.
      app.route({ method: openapi.method, url, handler, exposeHeadRoute: procedure._def.type === 'query' })
    }
  }
}

export type RestMeta = Meta & { openapi: NonNullable<Meta['openapi']> }
type Texts = Record<string, string | string[]>

/** The procedures that have a REST address, by their tRPC path. `_def.procedures` is semi-internal: hence the exact pin and a test. */
export function restProcedures(router: AppRouter): [path: string, procedure: AnyProcedure][] {
  const procedures = router._def.procedures as unknown as Record<string, AnyProcedure>
  return Object.entries(procedures).filter(
    ([, procedure]) => (procedure._def.meta as Meta | undefined)?.openapi,
  )
}

/** The input's zod schema, if it has one. */
export function inputOf(procedure: AnyProcedure): z.ZodObject | undefined {
  return (procedure._def as unknown as { inputs: z.ZodObject[] }).inputs[0]
}

/** Turns text of an address into what the schema asks for; what does not fit stays text, for zod to refuse by name. */
function textReader(procedure: AnyProcedure): (texts: Texts) => Record<string, unknown> {
  const schema = inputOf(procedure)
  const properties = schema
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})
    : {}
  const types = new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      typeof property === 'object' ? property.type : undefined,
    ]),
  )
  return (texts) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => {
        const type = types.get(name)
        if (typeof text !== 'string') return [name, text]
        if (type === 'integer' && /^(0|-?[1-9]\d*)$/.test(text)) return [name, Number(text)]
        if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return [name, Number(text)]
        if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true']
        return [name, text]
      }),
    )
}

/** A body that is no object is handed on as it is: zod says what is wrong with it. */
function withParams(body: unknown, params: Record<string, unknown>): unknown {
  if (body === undefined || body === null) return params
  return typeof body === 'object' && !Array.isArray(body) ? { ...body, ...params } : body
}

const codes: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'PAYLOAD_TOO_LARGE',
  503: 'SERVICE_UNAVAILABLE',
}
const words: Record<number, string> = {
  413: messages.bodyTooLarge,
  415: messages.wrongContentType,
  429: messages.tooManyRequests,
  503: messages.busy,
}

/** When who was told that the server is busy may come again. */
export const busySeconds = 5

/** Answers any error in the contract's shape; logs what nobody foresaw, with the request's id. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const trpcError = asTrpc(error)
  const status = statusOf(trpcError)
  logFailure(request.log, trpcError)
  if (trpcError instanceof TooManyRequests) reply.header('retry-after', trpcError.retryAfter)
  return reply.status(status).send(errorAnswer(trpcError, request.id))
}

/** What Node's parser refuses, or waits for in vain, becomes no request: there is a socket to answer at, nothing else. */
export function answerNoRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const message = status === 431 ? messages.bodyTooLarge : messages.invalidRequest
  const body = JSON.stringify({ message, code: codes[status]! } satisfies ErrorAnswer)
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  socket.destroySoon()
}

function asTrpc(error: unknown): TRPCError {
  const status = (error as { statusCode?: number }).statusCode
  if (!status || status >= 500 || status < 400) return foreseen(error)
  const code = codes[status] ?? 'BAD_REQUEST'
  const isJson =
    (error as { code?: string }).code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError
  return new TRPCError({
    code,
    message: words[status] ?? (isJson ? messages.invalidJson : messages.invalidRequest),
  })
}
