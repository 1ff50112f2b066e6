import { TRPCError } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import { messages } from '#shared/texts/messages.ts'
import type { Config } from '#server/config.ts'
import { busy, TooManyRequests } from '#server/calls/errors.ts'
import { openNetworkQuotas } from '#server/process/addresses.ts'
import { busyRetrySeconds } from '#server/http/errors.ts'

/**
 * Node’s own limits of a connection, in milliseconds. They are what holds without a proxy. A proxy in front (docs/running.md) receives
 * headers and bodies before it passes a request on, and limits the connections of an address.
 */
export type ConnectionTimes = {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number
  /** From the first byte of a request to the end of its body: an import of 32 MB over a slow line. */
  requestMs: number
  /** Without progress in either direction. Longer than the time limit of a call and the ping interval of live streams. */
  idleMs: number
  /** Interval of the checks for requests and headers that time out. */
  checkMs: number
}
export const connectionTimes: ConnectionTimes = {
  headersMs: 10_000,
  requestMs: 300_000,
  idleMs: 30_000,
  checkMs: 5_000,
}
/** Connections of a process: 2,000 for live streams, and as many others. Further connections are closed. */
export const connectionsMax = 4_000
/** Requests of a connection, which Node then closes: also how many a client can send at once before it reads a response. */
export const requestsPerConnectionMax = 1_000

const megabyte = 1024 * 1024
/**
 * Bytes of responses that clients have not read yet: of an IPv4 address or a /64 of IPv6, of a /48, and in total. A process would
 * otherwise hold as many as it has connections.
 */
const unsentBytesMax = { networks: [16 * megabyte, 32 * megabyte], total: 128 * megabyte }
/** Smaller responses fit into the socket’s buffers, and are not counted. */
const unsentBytesCounted = 32 * 1024
/** If one of these headers is repeated, Node uses the first one, but a proxy may use another one. */
const singleHeaders: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type'])
/** Compared first, because comparing lengths is cheaper and most headers have another length. */
const singleHeaderLengths: ReadonlySet<number> = new Set([...singleHeaders].map(({ length }) => length))

/** Refuses ambiguous requests, and bounds the memory of responses that clients do not read. */
export function registerConnections(
  app: FastifyInstance,
  { hasRateLimits }: Pick<Config, 'hasRateLimits'>,
): void {
  refuseRepeatedHeaders(app)
  limitUnsentBytes(app, hasRateLimits)
}

/** Refuses requests with two `Host` headers (RFC 9112, section 3.2) or two of another header that may occur once. */
function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders } }, reply, done) => {
    const seen: string[] = []
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const { length } = rawHeaders[at]!
      if (!singleHeaderLengths.has(length)) continue
      const name = rawHeaders[at]!.toLowerCase()
      if (!singleHeaders.has(name)) continue
      if (seen.includes(name)) {
        reply.header('connection', 'close')
        return done(new TRPCError({ code: 'BAD_REQUEST', message: messages.invalidRequest }))
      }
      seen.push(name)
    }
    done()
  })
}

/** Refuses large responses while too many response bytes are unread. Streams are limited by their own buffers (backpressure). */
function limitUnsentBytes(app: FastifyInstance, hasQuotas: boolean): void {
  const { networks, total: totalMax } = unsentBytesMax
  const quotas = openNetworkQuotas(hasQuotas ? networks : networks.map(() => Infinity))
  let total = 0
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes =
      typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0
    // If the client has disconnected, nothing is sent, and no event would release the quota.
    if (bytes < unsentBytesCounted || reply.raw.destroyed) return done()
    const isFull = total + bytes > totalMax
    if (isFull || quotas.wouldExceed(request.ip, bytes)) {
      for (const name of ['content-encoding', 'content-length', 'etag', 'cache-control'])
        reply.removeHeader(name)
      reply.type('application/json')
      return done(isFull ? busy() : new TooManyRequests(busyRetrySeconds))
    }
    const release = quotas.take(request.ip, bytes)
    total += bytes
    const free = () => {
      reply.raw.off('finish', free).off('close', free)
      total -= bytes
      release()
    }
    reply.raw.once('finish', free).once('close', free)
    done()
  })
}
