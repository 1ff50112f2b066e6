import type { Socket } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openShares } from './addresses.ts'
import type { Config } from '#server/config.ts'
import { TooManyRequests } from '#server/trpc/errors.ts'
import { busyRetrySeconds, sendParserError } from './errors.ts'
import { busy } from '#server/trpc/errors.ts'

/** Times in milliseconds. */
export type ConnectionTimes = {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number
  /** Between two parts of a body. */
  bodyGapMs: number
  /** Without any progress, in either direction. Longer than a call may take and than a live stream is silent. */
  idleMs: number
  /** How often headers and whole requests that take too long are looked for. */
  checkMs: number
}
export const connectionTimes: ConnectionTimes = {
  headersMs: 10_000,
  bodyGapMs: 10_000,
  idleMs: 30_000,
  checkMs: 5_000,
}

/** Connections of an IPv4 address or a /64 of IPv6, and of a /48. An address may be that of a school. */
const connectionsMax = [500, 1_000]
/** Bytes of responses that wait for their readers: of an address or a /64, of a /48, of all. */
const unsentBytesMax = [16 * 1024 * 1024, 32 * 1024 * 1024]
const unsentBytesTotalMax = 128 * 1024 * 1024
/** Smaller responses fit into the buffers of the connection. */
const unsentBytesCounted = 32 * 1024

/**
 * Bounds what a client can hold by being slow: times for headers, bodies and responses, a share of connections, and a
 * share of the memory of responses that it does not read.
 */
export function registerConnections(
  app: FastifyInstance,
  { hasRateLimits, trustProxy }: Pick<Config, 'hasRateLimits' | 'trustProxy'>,
  times: ConnectionTimes,
): void {
  if (hasRateLimits) shareConnections(app, trustProxy)
  endSlowOnes(app, times)
  boundUnsentBytes(app, hasRateLimits)
}

/** Closes connections beyond the share of their network. A trusted proxy has those of all its clients. */
function shareConnections(app: FastifyInstance, trustProxy: false | string): void {
  const isProxy = trustProxy === false ? () => false : compile(trustProxy.split(',').map((one) => one.trim()))
  const shares = openShares(connectionsMax)
  app.server.on('connection', (socket: Socket) => {
    const ip = socket.remoteAddress
    if (ip === undefined || isProxy(ip, 0)) return
    if (shares.isUsedUp(ip)) socket.resetAndDestroy()
    else socket.once('close', shares.take(ip))
  })
}

/**
 * Node's own timer of a socket sees progress in both directions, that of a part of a large write among them. It ends a
 * reader who does not read, whatever the response is: one of a call, a file, a stream.
 */
function endSlowOnes(app: FastifyInstance, { bodyGapMs, idleMs }: ConnectionTimes): void {
  const current = new WeakMap<Socket, { request: FastifyRequest; reply: FastifyReply }>()
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    // Not where a test injects its request.
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
      sendParserError(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    // What the system still holds for a reader who does not read goes at once.
    else socket.resetAndDestroy()
  })
}

/** Refuses responses while too many bytes of others wait for their readers. Streams are bounded by their own buffers. */
function boundUnsentBytes(app: FastifyInstance, hasShares: boolean): void {
  const shares = openShares(hasShares ? unsentBytesMax : [Infinity, Infinity])
  let total = 0
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes =
      typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0
    if (bytes < unsentBytesCounted) return
    const isTooMuch = total + bytes > unsentBytesTotalMax
    if (isTooMuch || shares.isUsedUp(request.ip, bytes)) {
      reply.removeHeader('content-encoding').removeHeader('content-length').type('application/json')
      throw isTooMuch ? busy() : new TooManyRequests(busyRetrySeconds)
    }
    const giveBack = shares.take(request.ip, bytes)
    total += bytes
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      total -= bytes
      giveBack()
    }
    reply.raw.once('finish', release)
    reply.raw.once('close', release)
  })
}
