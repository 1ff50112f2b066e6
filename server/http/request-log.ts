import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isStream } from '#server/process/log.ts'
import { busyRetrySeconds } from './errors.ts'

/** Logs one line per request, and sets `X-Request-Id`. Streams are logged when they open, since the client decides when they end. */
export function registerRequestLog(app: FastifyInstance): void {
  const log = (request: FastifyRequest, reply: FastifyReply, message: 'request' | 'stream') => {
    // Without the query string: it contains search terms.
    const path = request.url.split('?', 1)[0]
    const ms = Math.round(reply.elapsedTime)
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, message)
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after'))
      reply.header('retry-after', busyRetrySeconds)
    if (payload instanceof Response && isStream(payload.headers.get('content-type')))
      log(request, reply, 'stream')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!isStream(reply.getHeader('content-type'))) log(request, reply, 'request')
    done()
  })
}
