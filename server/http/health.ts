import type { FastifyInstance } from 'fastify'
import { type Db, isDatabaseUp } from '#server/db/open.ts'

/** `/readyz` is 503 unless the database responds within a second. */
export function registerHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const isReady = await isDatabaseUp(db)
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' })
  })
}
