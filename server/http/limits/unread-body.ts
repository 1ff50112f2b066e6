import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { bodyBytesMax } from '#shared/domain/limits.ts'

/** How long a response waits for the end of a body that is not read. */
const awaitMaxMs = 1_000
/** How long a client that goes on sending can read its response before its connection is closed. */
const lingerMs = 2_000

/**
 * Drops the rest of a body whose request is refused before it is read, and sends the response when the body has ended, at the latest after
 * a second: many clients send the whole body before they read, and some systems drop a response whose connection is closed while bytes of
 * the body are unread. The response to a body larger than its route allows is sent at once. The server stops reading such a body, and closes
 * the connection two seconds later: Node would close it with the response, and the client would lose it, if the response said so.
 */
export function discardUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw, routeOptions }, reply, _payload, done) => {
    // Fastify closes the connection if the body itself is refused.
    if (reply.statusCode === 413 || reply.statusCode === 415) reply.removeHeader('connection')
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
    const hasBody = encoding !== undefined || Number(length) > 0
    const { socket } = raw
    // A request that a test injects has no socket.
    if (!hasBody || raw.complete || raw.destroyed || !(socket instanceof Socket)) return done()
    const bytesMax = Math.max(bodyBytesMax, routeOptions.bodyLimit ?? 0)
    let bytes = 0
    let isSent = false
    const send = () => {
      clearTimeout(timer)
      if (isSent) return
      isSent = true
      done()
    }
    const timer = setTimeout(send, awaitMaxMs)
    raw.unpipe()
    raw
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= bytesMax || raw.isPaused()) return
        raw.pause()
        send()
        const linger = setTimeout(() => socket.destroy(), lingerMs)
        socket.once('close', () => clearTimeout(linger))
      })
      .once('end', send)
      .once('close', send)
      .resume()
    if (Number(length) > bytesMax) send()
  })
}
