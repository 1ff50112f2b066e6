import type { Socket } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openNetworkQuotas } from './addresses.ts'
import type { Config } from '#server/config.ts'
import { TooManyRequests } from '#server/trpc/errors.ts'
import { busyRetrySeconds, sendParserError } from './errors.ts'
import { busy } from '#server/trpc/errors.ts'

/** Times in milliseconds. */
export type ConnectionTimes = {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number
  /** Between two chunks of a body. */
  bodyGapMs: number
  /** Without progress in either direction. Longer than the timeout of a call and the ping interval of live streams. */
  idleMs: number
  /** Interval of the checks for requests and headers that time out. */
  checkMs: number
}
export const connectionTimes: ConnectionTimes = {
  headersMs: 10_000,
  bodyGapMs: 10_000,
  idleMs: 30_000,
  checkMs: 5_000,
}

/** Connections of an IPv4 address or a /64 of IPv6, and of a /48. Many clients may share an address, as in a school. */
const connectionsMax = [500, 1_000]
/** Bytes of responses that clients have not read yet: of an IPv4 address or a /64, of a /48, and in total. */
const unsentBytesMax = [16 * 1024 * 1024, 32 * 1024 * 1024]
const unsentBytesTotalMax = 128 * 1024 * 1024
/** Smaller responses fit into the socket’s buffers, and are not counted. */
const unsentBytesCounted = 32 * 1024
/** Pipelined requests per connection that may wait. */
const pipelinedMax = 100

/**
 * Limits what a slow client can hold: timeouts for headers, bodies and responses, and per network a quota of connections and
 * of unread response bytes.
 */
export function registerConnections(
  app: FastifyInstance,
  { hasRateLimits, trustProxy }: Pick<Config, 'hasRateLimits' | 'trustProxy'>,
  times: ConnectionTimes,
): void {
  if (hasRateLimits) limitConnections(app, trustProxy)
  queuePipelinedRequests(app)
  closeSlowConnections(app, times)
  limitUnsentBytes(app, hasRateLimits)
}

/** Closes connections above the quota of their network. A trusted proxy has none: it carries the connections of all its clients. */
function limitConnections(app: FastifyInstance, trustProxy: false | string): void {
  const isProxy = trustProxy === false ? () => false : compile(trustProxy.split(',').map((one) => one.trim()))
  const quotas = openNetworkQuotas(connectionsMax)
  app.server.on('connection', (socket: Socket) => {
    const ip = socket.remoteAddress
    if (ip === undefined || isProxy(ip, 0)) return
    if (quotas.wouldExceed(ip)) socket.resetAndDestroy()
    else socket.once('close', quotas.take(ip))
  })
}

/**
 * Handles the pipelined requests of a connection one after the other, and closes a connection on which too many wait. Node
 * would start all of them, and their responses and open files would wait for the first.
 */
function queuePipelinedRequests(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw }, done) => {
    // Node assigns the socket to a response once the previous responses have been sent.
    if (raw.socket) return done()
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > pipelinedMax) return void socket.destroy()
    raw.once('socket', () => {
      waiting.set(socket, waiting.get(socket)! - 1)
      done()
    })
  })
}

/**
 * Node’s socket timeout restarts with progress in either direction, including every chunk of a large write. It therefore
 * closes the connection of a client that does not read, whether the response is JSON, a file or a stream.
 */
function closeSlowConnections(app: FastifyInstance, { bodyGapMs, idleMs }: ConnectionTimes): void {
  const current = new WeakMap<Socket, { request: FastifyRequest; reply: FastifyReply }>()
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    // Requests that a test injects have no socket.
    if (typeof raw.socket.setTimeout !== 'function') return done()
    current.set(raw.socket, { request, reply })
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    if (!raw.complete && (encoding !== undefined || Number(length) > 0)) {
      raw.socket.setTimeout(bodyGapMs)
      raw.once('end', () => raw.socket.setTimeout(idleMs))
    }
    done()
  })
  app.server.on('timeout', (socket: Socket) => {
    const { request, reply } = current.get(socket) ?? {}
    const isBodyMissing = request && !request.raw.complete && !reply!.raw.headersSent
    if (isBodyMissing)
      sendParserError(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, app.log)
    // A reset, so that the kernel frees its send buffer immediately.
    else socket.resetAndDestroy()
  })
}

/** Refuses large responses while too many response bytes are unread. Streams are limited by their own buffers (backpressure). */
function limitUnsentBytes(app: FastifyInstance, hasQuotas: boolean): void {
  const quotas = openNetworkQuotas(hasQuotas ? unsentBytesMax : [Infinity, Infinity])
  let total = 0
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes =
      typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0
    // To a client that has already left, nothing is sent, and no further event would release its quota.
    if (bytes < unsentBytesCounted || reply.raw.destroyed) return done()
    const isTooMuch = total + bytes > unsentBytesTotalMax
    if (isTooMuch || quotas.wouldExceed(request.ip, bytes)) {
      for (const name of ['content-encoding', 'content-length', 'etag', 'cache-control'])
        reply.removeHeader(name)
      reply.type('application/json')
      return done(isTooMuch ? busy() : new TooManyRequests(busyRetrySeconds))
    }
    const releaseQuota = quotas.take(request.ip, bytes)
    total += bytes
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      total -= bytes
      releaseQuota()
    }
    reply.raw.once('finish', release)
    reply.raw.once('close', release)
    done()
  })
}
