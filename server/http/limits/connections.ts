import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '#shared/texts/messages.ts'
import type { Config } from '#server/config.ts'
import { isStream } from '#server/process/log.ts'
import { busy, TooManyRequests } from '#server/calls/errors.ts'
import { openNetworkQuotas } from '#server/process/addresses.ts'
import { busyRetrySeconds, sendParserError } from '#server/http/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the handler writes the body to the disk as it arrives, so that it takes no memory. */
    isBodySpooled?: boolean
  }
}

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
/** Bytes of an IPv4 address or a /64, of a /48, and in total. */
type BytesMax = { networks: readonly number[]; total: number }
const megabyte = 1024 * 1024
/** Responses that clients have not read yet. */
const unsentBytesMax: BytesMax = { networks: [16 * megabyte, 32 * megabyte], total: 128 * megabyte }
/** Smaller responses fit into the socket’s buffers, and are not counted. */
const unsentBytesCounted = 32 * 1024
/** Request bodies in memory, and queued pipelined requests. Allows four concurrent picture uploads per address. */
const receivedBytesMax: BytesMax = { networks: [32 * megabyte, 64 * megabyte], total: 128 * megabyte }
/** Smaller bodies are not counted: those on all connections of an address take at most 8 MB together. */
const receivedBytesCounted = 16 * 1024
/** About how many bytes a chunk takes beside its content. A client may send a body in chunks of one byte. */
const chunkBytes = 768
/** About how many bytes a waiting pipelined request takes beside its headers. */
const waitingBytes = 5 * 1024
/** While this many pipelined requests of a connection wait, the server does not read from it. */
const pipelinedMax = 4
/** If one of these headers is repeated, Node uses the first one, but a proxy may use another one. */
const singleHeaders: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type'])
/** Compared first, because comparing lengths is cheaper and most headers have another length. */
const singleHeaderLengths: ReadonlySet<number> = new Set([...singleHeaders].map(({ length }) => length))

/**
 * Limits the resources of a client: timeouts for headers, bodies and responses, and per network a quota of connections, of received
 * bytes and of unread response bytes.
 */
export function registerConnections(
  app: FastifyInstance,
  { hasRateLimits, trustProxy }: Pick<Config, 'hasRateLimits' | 'trustProxy'>,
  times: ConnectionTimes,
): void {
  if (hasRateLimits) limitConnections(app, trustProxy)
  refuseRepeatedHeaders(app)
  limitReceivedBytes(app, hasRateLimits)
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

/**
 * Opens a budget of bytes that clients make the server hold. Added bytes count for an address until they are released. `refusalOf`
 * returns the error for this many more bytes: TOO_MANY_REQUESTS if the address has too many, SERVICE_UNAVAILABLE if all addresses
 * together do.
 */
function openBytesBudget({ networks, total: totalMax }: BytesMax, hasQuotas: boolean) {
  const quotas = openNetworkQuotas(hasQuotas ? networks : networks.map(() => Infinity))
  let total = 0
  return (ip: string) => {
    const holder = quotas.hold(ip)
    return {
      refusalOf(bytes: number): TRPCError | undefined {
        if (total + bytes > totalMax) return busy()
        return holder.wouldExceed(bytes) ? new TooManyRequests(busyRetrySeconds) : undefined
      },
      add(bytes: number): void {
        total += holder.add(bytes)
      },
      release(): void {
        total -= holder.release()
      },
    }
  }
}

/**
 * Counts the bytes of large bodies from their arrival until the response has been sent, and refuses further ones while too many are
 * held. Waiting pipelined requests count too; above the limit their connection is closed, because earlier responses have to be sent
 * first.
 */
function limitReceivedBytes(app: FastifyInstance, hasQuotas: boolean): void {
  const holderOf = openBytesBudget(receivedBytesMax, hasQuotas)
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const isWaiting = !reply.raw.socket
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    const isLarge = encoding !== undefined || Number(length) > receivedBytesCounted
    if (!isWaiting && !isLarge) return done()
    // Read only for large bodies, because Fastify creates the options of the route each time.
    const { isBodySpooled } = request.routeOptions.config
    if (!isWaiting && isBodySpooled) return done()
    const held = holderOf(request.ip)
    const bytes = isWaiting ? waitingBytes + headerBytesOf(raw) : 0
    const refuse = (refusal: TRPCError, send: (error: TRPCError) => void) => {
      if (!reply.raw.socket) return void raw.socket.destroy()
      reply.header('connection', 'close')
      send(refusal)
    }
    const refusal = held.refusalOf(bytes || receivedBytesCounted)
    if (refusal) return refuse(refusal, done)
    held.add(bytes)
    reply.raw.once('close', held.release)
    if (isBodySpooled) return done()
    const push = raw.push.bind(raw)
    // Node’s parser passes each chunk of the body to `push`, whether the request is being read or waits.
    raw.push = (chunk: Buffer | null) => {
      if (chunk === null) return push(chunk)
      const tooMuch = held.refusalOf(chunk.length + chunkBytes)
      held.add(chunk.length + chunkBytes)
      // As long as nothing reads the body, Node receives no more than two chunks of it.
      if (!tooMuch || raw.listenerCount('error') === 0) return push(chunk)
      raw.push = () => false
      refuse(tooMuch, (error) => raw.emit('error', error))
      return false
    }
    done()
  })
}

function headerBytesOf({ url, rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, url!.length)
}

/**
 * Handles the pipelined requests of a connection one after the other. Node would start all of them, and their responses and open
 * files would wait for the first. While requests wait, the server only reads what it has already received. A request behind a live
 * stream, which never ends, closes the connection.
 */
function queuePipelinedRequests(app: FastifyInstance): void {
  type Queue = { waiting: number; isStreaming: boolean }
  const queues = new WeakMap<Socket, Queue>()
  const queueOf = (socket: Socket): Queue => {
    const known = queues.get(socket)
    if (known) return known
    const queue = { waiting: 0, isStreaming: false }
    queues.set(socket, queue)
    // Node resumes the socket whenever a request has been read.
    socket.on('resume', () => {
      if (queue.waiting >= pipelinedMax) socket.pause()
    })
    return queue
  }
  app.addHook('onRequest', ({ raw: { socket } }, { raw }, done) => {
    // Node assigns the socket to a response once the previous responses have been sent.
    if (raw.socket) return done()
    const queue = queueOf(socket)
    if (queue.isStreaming) return void socket.destroy()
    queue.waiting++
    // Pauses after Node has processed what it has read, because Node would resume the socket.
    if (queue.waiting === pipelinedMax)
      process.nextTick(() => queue.waiting >= pipelinedMax && socket.pause())
    raw.once('socket', () => {
      queue.waiting--
      if (queue.waiting < pipelinedMax) socket.resume()
      done()
    })
  })
  app.addHook('onSend', ({ raw: { socket } }, reply, payload, done) => {
    const type =
      payload instanceof Response ? payload.headers.get('content-type') : reply.getHeader('content-type')
    if (isStream(type) && typeof socket.pause === 'function') {
      const queue = queueOf(socket)
      queue.isStreaming = true
      if (queue.waiting > 0) socket.destroy()
    }
    done()
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
  const holderOf = openBytesBudget(unsentBytesMax, hasQuotas)
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes =
      typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0
    // If the client has disconnected, nothing is sent, and no event would release the quota.
    if (bytes < unsentBytesCounted || reply.raw.destroyed) return done()
    const held = holderOf(request.ip)
    const refusal = held.refusalOf(bytes)
    if (refusal) {
      for (const name of ['content-encoding', 'content-length', 'etag', 'cache-control'])
        reply.removeHeader(name)
      reply.type('application/json')
      return done(refusal)
    }
    held.add(bytes)
    reply.raw.once('finish', held.release)
    reply.raw.once('close', held.release)
    done()
  })
}
