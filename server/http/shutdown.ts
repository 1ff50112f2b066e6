import { Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Live } from '#server/reviews/live.ts'
import { busy } from '#server/calls/errors.ts'

/** Refuses new requests with 503, and ends live streams, which reconnect. */
export function registerShutdown(app: FastifyInstance, live: Live): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    live.end()
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done()
    reply.header('connection', 'close')
    done(busy())
  })
}

/** Longer than most clients keep an idle connection. */
export const drainMs = 10_000

/** Closes each open connection after its next response. Resolves when none is open, or after `drainMs`. Then close the app. */
export async function drain(app: FastifyInstance, live: Live): Promise<void> {
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  live.end()
  // `close` of HTTP servers also closes idle connections, on which a request may be on its way.
  const closed = new Promise((resolve) => Server.prototype.close.call(app.server, resolve))
  await Promise.race([closed, wait(drainMs, undefined, { ref: false })])
}
