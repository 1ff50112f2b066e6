import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { TRPCError } from '@trpc/server'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '#shared/texts/messages.ts'
import {
  type ErrorBody,
  InsufficientScope,
  logError,
  notFound,
  ReasonedError,
  statusOf,
  toAppError,
  toErrorBody,
  TooManyRequests,
  toTrpcError,
} from '#server/calls/errors.ts'
import { corsHeaders, corsHeadersOf } from './cors.ts'
import { uncached } from './headers.ts'
import { negotiate } from './negotiate.ts'
import { textsOf } from '#server/http/pages/language.ts'
import type { Pages } from '#server/http/pages/pages.ts'
import type { RateLimits } from '#server/http/limits/rate-limit.ts'

const codeOfStatus: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'PAYLOAD_TOO_LARGE',
  503: 'SERVICE_UNAVAILABLE',
}
const messageOfStatus: Record<number, string> = {
  413: messages.bodyTooLarge,
  415: messages.wrongContentType,
  429: messages.tooManyRequests,
  503: messages.busy,
}

export const busyRetrySeconds = 5

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const trpcError = fromFastify(error)
  const status = statusOf(trpcError)
  logError(request.log, trpcError)
  if (trpcError instanceof TooManyRequests) reply.header('retry-after', trpcError.retryAfter)
  const challenge = challengeOf(trpcError, request)
  if (challenge) reply.header('www-authenticate', challenge)
  const texts = textsOf(request)
  const body = texts ? toAppError(trpcError, texts, request.id) : toErrorBody(trpcError, request.id)
  return reply.status(status).send(body)
}

/** RFC 6750: of a 401, and of a 403 because of a scope. */
function challengeOf(error: TRPCError, { headers }: FastifyRequest): string | undefined {
  if (error instanceof InsufficientScope)
    return `Bearer error="insufficient_scope"${error.scope ? `, scope="${error.scope}"` : ''}`
  if (error.code !== 'UNAUTHORIZED') return undefined
  // A wrong password at a login is a 401 too; the token is valid then.
  const isTokenInvalid = headers.authorization !== undefined && !(error instanceof ReasonedError)
  return `Bearer realm="Medley"${isTokenInvalid ? ', error="invalid_token"' : ''}`
}

/** Refused before routing: no hooks run. */
export function sendUnroutedError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const headers = { 'x-request-id': request.id, 'cache-control': uncached, ...corsHeadersOf(request) }
  sendError(error, request, reply.headers(headers))
}

/** There is no request object, only a socket. Logs the error with the request id of the response. */
export function sendParserError(
  error: Error & { code?: string },
  socket: Socket,
  log: Pick<FastifyBaseLogger, 'info'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const message = status === 431 ? messages.bodyTooLarge : messages.invalidRequest
  const body = JSON.stringify({ message, code: codeOfStatus[status]! } satisfies ErrorBody)
  const requestId = randomUUID()
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    'Cache-Control': uncached,
    ...corsHeaders,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  )
  log.info({ reqId: requestId, status, reason: error.code }, 'invalid request')
}

function fromFastify(error: unknown): TRPCError {
  const status = (error as { statusCode?: number }).statusCode
  // Errors of reading a body have a status of Fastify.
  if (error instanceof TRPCError || !status || status >= 500 || status < 400) return toTrpcError(error)
  const code = codeOfStatus[status] ?? 'BAD_REQUEST'
  const isJson =
    (error as { code?: string }).code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError
  return new TRPCError({
    code,
    message: messageOfStatus[status] ?? (isJson ? messages.invalidJson : messages.invalidRequest),
  })
}

/** The app shell while the server is overloaded, a page for unknown paths. */
export function registerErrors(app: FastifyInstance, pages: Pages, limits: RateLimits): void {
  app.setErrorHandler(async (error, request, reply) => {
    const failure = (await limits.countMissingFile(request)) ?? error
    const isBusy = failure instanceof TRPCError && failure.code === 'SERVICE_UNAVAILABLE'
    return isBusy && negotiate(request).representation === 'page'
      ? pages.sendShell(request, reply, 503)
      : sendError(failure, request, reply)
  })
  const handleNotFound = async (request: FastifyRequest, reply: FastifyReply) => {
    // Rendering a 404 page costs a hundred times as much, and browsers do not show it for a picture or a script.
    if (limits.isFileRequest(request) || request.url.startsWith('/assets/'))
      return sendError((await limits.countMissingFile(request)) ?? notFound(), request, reply)
    const { representation, isNamed, vary } = negotiate(request)
    reply.header('vary', vary)
    // A browser redirects an unknown path to Home. A client that accepts any type may be a REST client with a wrong path.
    const isPage = representation === 'page' && (isNamed || (await pages.isPage(request.url)))
    return isPage ? pages.sendPage(request, reply) : sendError(notFound(), request, reply)
  }
  app.setNotFoundHandler(handleNotFound)
  // An unknown path is 404 for any body.
  app.addHook('onRequest', (request, reply, done) => {
    return request.is404 ? handleNotFound(request, reply) : done()
  })
}
