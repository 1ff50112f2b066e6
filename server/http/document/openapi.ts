import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApiDocument } from './openapi-schema.ts'

/** `npm run openapi` writes it: generating it would hold the event loop for half a second. */
export async function readOpenApi(publicUrl: string): Promise<OpenApiDocument> {
  const file = join(import.meta.dirname, '../../../docs/openapi.json')
  const document = JSON.parse(await readFile(file, 'utf8')) as OpenApiDocument
  document.servers = serversOf(publicUrl)
  document.info.contact.url = publicUrl
  return document
}

/** The relative URL is correct on every host; the absolute one is for saved copies. */
export function serversOf(publicUrl: string): OpenApiDocument['servers'] {
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  return [
    { url: '/', description: 'The host that serves this document' },
    ...(isLocal ? [] : [{ url: publicUrl, description: 'The public URL' }]),
  ]
}
