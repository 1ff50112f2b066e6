import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Bytes of an unread body that are received and discarded, at about half a millisecond of CPU time. */
export const discardedBytesMax = 64 * 1024
/** How long a response waits for the end of such a body. */
const awaitMaxMs = 1_000
/** How long a client can read its response before its connection is closed. */
const lingerMs = 2_000
/** The statuses of requests whose body is not read, whatever it is. */
const refusedStatuses = new Set([401, 403, 404, 405, 429])

const answered = new WeakSet<Socket>()

/** Whether the last request of a connection has its response, while its body has not arrived. */
export function isAnswered(socket: Socket): boolean {
  return answered.has(socket)
}

/**
 * Lets clients receive the response to a request that is refused before its body is read. Many clients send the whole body before they
 * read, and some systems drop a response whose connection is closed while bytes of the body are unread. A small body is therefore
 * received before the response is sent. After the response to a larger one, the connection is not read any more, and closed two
 * seconds later.
 *
 * An upload within the limit of its route is received even so, if it is refused for another reason than its caller: browsers send all of a
 * file first.
 */
export function discardUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { raw, routeOptions } = request
    // Fastify closes the connection if it is the body that is refused.
    if (reply.statusCode === 413 || reply.statusCode === 415) reply.removeHeader('connection')
    const { 'content-length': given, 'transfer-encoding': encoding } = raw.headers
    const length = encoding === undefined ? Number(given ?? 0) : Infinity
    // The connection is closed after a body that was too slow, and at a shutdown.
    const isClosed = raw.destroyed || reply.hasHeader('connection')
    if (length === 0 || raw.complete || raw.readableEnded || isClosed) return done()
    reply.raw.once('finish', () => {
      if (!raw.complete) answered.add(raw.socket)
    })
    raw.once('end', () => answered.delete(raw.socket))
    raw.unpipe()
    const isDiscarded =
      length <= discardedBytesMax ||
      (length <= routeOptions.bodyLimit && !refusedStatuses.has(reply.statusCode))
    let bytes = 0
    let isSent = false
    const send = () => {
      if (isSent) return
      isSent = true
      clearTimeout(timer)
      raw.off('data', count)
      if (!isDiscarded && !raw.readableEnded) closeSlowly(request, reply)
      done()
    }
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > discardedBytesMax) send()
    }
    const timer = setTimeout(send, awaitMaxMs)
    raw.on('data', count).once('end', send).once('close', send)
    if (length !== Infinity && length > discardedBytesMax) send()
    if (isDiscarded || !isSent) raw.resume()
  })
}

/** Closes the connection after the response, without reading from it and without losing the response. */
function closeSlowly({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw
  raw.pause()
  // Node would read the rest of a body that nobody has begun to read.
  raw.read(0)
  reply.header('connection', 'close')
  // Node calls it when the response is sent.
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}
