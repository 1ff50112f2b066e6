import type { FastifyInstance } from 'fastify'
import { appRouter } from '#server/router.ts'

/** `/openapi.json`. Generated on first use: the generator takes memory that most processes never need. */
export function registerOpenApi(app: FastifyInstance, publicUrl: string): void {
  let document: Promise<Buffer> | undefined
  app.get('/openapi.json', async (_request, reply) => {
    document ??= import('./openapi-document.ts').then(({ openApiDocument }) =>
      // One buffer that all responses share.
      Buffer.from(JSON.stringify(openApiDocument(appRouter, publicUrl))),
    )
    return reply.type('application/json').send(await document)
  })
}
