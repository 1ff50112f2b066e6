import type { FastifyInstance } from 'fastify'
import { messages } from '#shared/texts/messages.ts'
import type { Config } from '#server/config.ts'
import { badRequest, busy, TooManyRequests } from '#server/calls/errors.ts'
import { openNetworkQuotas } from '#server/process/addresses.ts'
import { busyRetrySeconds } from '#server/http/errors.ts'

/**
 * What holds without a proxy, in ms. A proxy (docs/running.md) receives headers and bodies before it passes a request on, and limits the
 * connections of an address.
 */
export type ConnectionTimes = {
  headersMs: number
  /** To the end of the body: an import of 32 MB over a slow line. */
  requestMs: number
  /** Longer than the time limit of a call and the ping interval of live streams. */
  idleMs: number
  checkMs: number
}
export const connectionTimes: ConnectionTimes = {
  headersMs: 10_000,
  requestMs: 300_000,
  idleMs: 30_000,
  checkMs: 5_000,
}
/** 2,000 for live streams, and as many others. Further connections are closed. */
export const connectionsMax = 4_000
/** Also how many a client can send at once before it reads a response. Node then closes the connection. */
export const requestsPerConnectionMax = 1_000

const megabyte = 1024 * 1024
/** Of an IPv4 address or a /64 of IPv6, of a /48, and in total. A process would otherwise hold as many responses as it has connections. */
const unsentBytesMax = { networks: [16 * megabyte, 32 * megabyte], total: 128 * megabyte }
/** Smaller responses fit into the socket’s buffers. */
const unsentBytesCounted = 32 * 1024
/** Of repeated headers, Node uses the first one, but a proxy may use another one. */
const singleHeaders: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type'])
/** A length is cheaper to compare than a name. */
const singleHeaderLengths: ReadonlySet<number> = new Set([...singleHeaders].map(({ length }) => length))

export function registerConnections(
  app: FastifyInstance,
  { hasRateLimits }: Pick<Config, 'hasRateLimits'>,
): void {
  refuseRepeatedHeaders(app)
  limitUnsentBytes(app, hasRateLimits)
}

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
        return done(badRequest(messages.invalidRequest))
      }
      seen.push(name)
    }
    done()
  })
}

/** Streams are limited by their own buffers (backpressure). */
function limitUnsentBytes(app: FastifyInstance, hasQuotas: boolean): void {
  const { networks, total: totalMax } = unsentBytesMax
  const quotas = openNetworkQuotas(hasQuotas ? networks : networks.map(() => Infinity))
  let total = 0
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes =
      typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0
    // No event would release the quota of a client that has disconnected.
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
