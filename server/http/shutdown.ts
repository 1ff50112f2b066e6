import type { FastifyInstance } from 'fastify'
import type { Live } from '#server/reviews/live.ts'
import { busy } from '#server/trpc/errors.ts'

/** While the server closes: finishes requests in flight, refuses new ones with 503, and ends live streams, which reconnect. */
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
