import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type PreparedResponse, prepareFile, type ResponseCache } from '#server/http/doors/response-cache.ts'
import type { OpenApiDocument } from './openapi-schema.ts'

/** Read and compressed on first use. All responses share the same buffers. */
export function registerOpenApi(app: FastifyInstance, publicUrl: string, cache: ResponseCache): void {
  let document: Promise<PreparedResponse> | undefined
  app.get('/openapi.json', (request, reply) => {
    document ??= readOpenApi(publicUrl).then((read) => prepareFile('application/json', JSON.stringify(read)))
    return document.then((prepared) => cache.send(request, reply.header('vary', 'Accept-Encoding'), prepared))
  })
}

/** `npm run openapi` writes it: generating it would hold the event loop for half a second. */
export async function readOpenApi(publicUrl: string): Promise<OpenApiDocument> {
  const file = join(import.meta.dirname, '../../../docs/openapi.json')
  const document = JSON.parse(await readFile(file, 'utf8')) as OpenApiDocument
  document.servers = serversOf(publicUrl)
  document.info.contact.url = publicUrl
  return document
}

export function serversOf(publicUrl: string): OpenApiDocument['servers'] {
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  return [
    { url: '/', description: 'The host that serves this document' },
    ...(isLocal ? [] : [{ url: publicUrl, description: 'The public URL' }]),
  ]
}
