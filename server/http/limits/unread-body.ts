import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { bodyBytesMax } from '#shared/domain/limits.ts'

const awaitMaxMs = 1_000
/** Beyond the limit of the route. More than a client can hand to its system: it may then reuse the connection. */
const furtherBytesMax = 8 * 1024 * 1024
/** After this time, the connection of a client that goes on sending is closed. */
const lingerMs = 2_000

/**
 * Many clients send the whole body before they read, and some systems drop a response whose connection is closed while bytes are unread. So
 * the response to a refused request waits for the end of the body, at most a second. A body larger than its route allows is answered at
 * once and dropped up to 8 MB; then the connection is closed two seconds later. The response does not announce that: Node would close with
 * it, and the client would lose it.
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
        if (bytes > bytesMax) send()
        if (bytes <= bytesMax + furtherBytesMax || raw.isPaused()) return
        raw.pause()
        const linger = setTimeout(() => socket.destroy(), lingerMs)
        socket.once('close', () => clearTimeout(linger))
      })
      .once('end', send)
      .once('close', send)
      .resume()
    if (Number(length) > bytesMax) send()
  })
}
