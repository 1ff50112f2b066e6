import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { isStream } from '#server/process/log.ts'
import { busyRetrySeconds } from './errors.ts'

const untrustedProxy =
  'X-Forwarded-For was ignored, because TRUST_PROXY does not name the sender. If a proxy of yours sent it, set TRUST_PROXY: until then, all visitors share one address, and so the limits of logins and requests.'

declare module 'fastify' {
  interface FastifyRequest {
    memberId: number | null
  }
}

/** Supervisors send them every few seconds: at the level `debug`, unless they fail. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

/** Without the query string, which contains search terms, and without the secret of a calendar, also where the path is not exact. */
function shownPath(url: string): string {
  return url.split('?', 1)[0]!.replace(/(\/calendar\/).+$/i, '$1…')
}

/**
 * LOG_CLIENTS adds the client’s address and the member’s id. Streams are logged when they open, because the client decides when they end.
 * Warns once if `X-Forwarded-For` arrives from an address that TRUST_PROXY does not name.
 */
export function registerRequestLog(app: FastifyInstance, { logsClients }: Pick<Config, 'logsClients'>): void {
  app.decorateRequest('memberId', null)
  const log = (request: FastifyRequest, reply: FastifyReply, message: 'request' | 'stream') => {
    const path = shownPath(request.url)
    const ms = Math.round(reply.elapsedTime)
    const { method, ip: address, memberId: member } = request
    const level = probes.has(request.routeOptions.url) && reply.statusCode < 400 ? 'debug' : 'info'
    const client = logsClients && (member === null ? { address } : { member, address })
    request.log[level]({ method, path, status: reply.statusCode, ms, ...client }, message)
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
