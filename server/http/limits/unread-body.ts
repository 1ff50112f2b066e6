import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Bytes of an unread body that are received and discarded, at about half a millisecond of CPU time. */
export const discardedBytesMax = 64 * 1024
/** How long a response waits for the end of such a body. */
const awaitMaxMs = 1_000
/** How long a client can read its response before its connection is closed. */
const lingerMs = 2_000
/** The statuses of requests whose body is never read. */
const refusedStatuses = new Set([401, 403, 404, 405, 429])

/**
 * Lets clients receive the response to a request that is refused before its body is read. Many clients send the whole body before
 * they read, and some systems drop a response whose connection is closed while bytes of the body are unread. A small body is
 * therefore received before the response is sent. If the body is larger or slow, the response announces that the connection closes;
 * the server stops reading, and closes the connection two seconds later.
 *
 * An upload within the limit of its route is still received unless its caller is refused, because browsers send the whole file first.
 */
export function discardUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { raw } = request
    // Fastify closes the connection if the body itself is refused.
    if (reply.statusCode === 413 || reply.statusCode === 415) reply.removeHeader('connection')
    if (raw.complete) return done()
    const { 'content-length': given, 'transfer-encoding': encoding } = raw.headers
    const length = encoding === undefined ? Number(given ?? 0) : Infinity
    // The connection is closed after a body that was too slow, and at a shutdown.
    const isClosed = raw.destroyed || reply.hasHeader('connection')
    // Requests that a test injects have no connection.
    const isInjected = typeof raw.socket.destroySoon !== 'function'
    if (length === 0 || isClosed || isInjected) return done()
    raw.unpipe()
    const isUpload = length > discardedBytesMax && length <= request.routeOptions.bodyLimit
    if (isUpload && !refusedStatuses.has(reply.statusCode)) {
      raw.resume()
      return done()
    }
    const isAnnounced = length !== Infinity && length > discardedBytesMax
    if (isAnnounced) {
      closeSlowly(request, reply)
      return done()
    }
    let bytes = 0
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > discardedBytesMax) send()
    }
    const send = () => {
      clearTimeout(timer)
      raw.off('data', count).off('end', send).off('close', send)
      if (!raw.readableEnded) closeSlowly(request, reply)
      done()
    }
    const timer = setTimeout(send, awaitMaxMs)
    raw.on('data', count).on('end', send).on('close', send).resume()
  })
}

/** Closes the connection after the response, without reading from it and without losing the response. */
function closeSlowly({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw
  raw.pause()
  // Otherwise Node would read the rest of a body that no handler reads.
  raw.read(0)
  reply.header('connection', 'close')
  // Node calls it when the response is sent.
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}
