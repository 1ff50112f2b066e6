import type { FastifyInstance } from 'fastify'
import { type Db, isDatabaseUp } from '#server/db/open.ts'

/** `/healthz`: the process responds. `/readyz`: the database responds within a second, otherwise 503. */
export function registerHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const isReady = await isDatabaseUp(db)
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' })
  })
}
