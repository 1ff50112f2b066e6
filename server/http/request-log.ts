import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isStream } from '#server/process/log.ts'
import { busyRetrySeconds } from './errors.ts'

const untrustedProxy =
  'X-Forwarded-For was ignored, because TRUST_PROXY does not name the sender. If a proxy of yours sent it, set TRUST_PROXY: until then, all visitors share one address, and so the limits of logins and requests.'

/**
 * Logs one line per request, and sets `X-Request-Id`. Streams are logged when they open, since the client decides when they end.
 * Also logs one warning, once, if `X-Forwarded-For` arrives from an address that TRUST_PROXY does not name.
 */
export function registerRequestLog(app: FastifyInstance): void {
  const log = (request: FastifyRequest, reply: FastifyReply, message: 'request' | 'stream') => {
    // Without the query string: it contains search terms.
    const path = request.url.split('?', 1)[0]
    const ms = Math.round(reply.elapsedTime)
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, message)
  }
  let isWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    const isForwarded = !isWarned && request.headers['x-forwarded-for'] !== undefined
    if (isForwarded && request.ip === request.socket.remoteAddress) {
      isWarned = true
      request.log.warn(untrustedProxy)
    }
    done()
  })
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
