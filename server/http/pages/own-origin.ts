import type { FastifyInstance } from 'fastify'
import { type Config, originOf, otherNameOf } from '#server/config.ts'

/** A login belongs to one name, and links in emails lead to PUBLIC_URL. Calls of programs work under each name. */
export function registerOwnOrigin(app: FastifyInstance, config: Config): void {
  const { publicUrl } = config
  if (publicUrl === originOf(config)) return
  app.addHook('onRequest', (request, reply, done) => {
    const isOpened = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
    if (!isOpened || !otherNameOf(publicUrl, request.host)) return done()
    reply.header('cache-control', 'no-store').redirect(publicUrl + request.url)
  })
}
