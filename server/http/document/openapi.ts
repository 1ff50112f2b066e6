import type { FastifyInstance } from 'fastify'
import type { Api } from './openapi-document.ts'
import { type PreparedResponse, prepareFile, type ResponseCache } from '#server/http/doors/response-cache.ts'

/**
 * `/openapi.json`. Generated and compressed on first use: the generator takes memory that most processes never need. All responses
 * share the same buffers.
 */
export function registerOpenApi(
  app: FastifyInstance,
  api: Api,
  publicUrl: string,
  cache: ResponseCache,
): void {
  let document: Promise<PreparedResponse> | undefined
  app.get('/openapi.json', (request, reply) => {
    document ??= import('./openapi-document.ts').then(({ openApiDocument }) =>
      prepareFile('application/json', JSON.stringify(openApiDocument(api, publicUrl))),
    )
    return document.then((prepared) => cache.send(request, reply.header('vary', 'Accept-Encoding'), prepared))
  })
}
