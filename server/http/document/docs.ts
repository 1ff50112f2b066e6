import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { exportFile, exportVersion } from '#shared/contracts/export.ts'
import { openExports } from '#server/export/files.ts'
import type { Feature } from '#server/feature.ts'
import {
  type PreparedResponse,
  prepareFile,
  type ResponseCache,
  servePrepared,
} from '#server/http/doors/response-cache.ts'
import { readOpenApi } from './openapi.ts'
import type { Web } from '#server/http/pages/web.ts'

type Options = {
  features: readonly Feature[]
  publicUrl: string
  web: Pick<Web, 'look'>
  cache: ResponseCache
}

/** `/openapi.json`, its page and the other documents for clients. */
export function registerDocs(app: FastifyInstance, { features, publicUrl, web, cache }: Options): void {
  const file = (name: string) => readFile(join(import.meta.dirname, name), 'utf8')
  const look = async () => ({ head: await web.look(), origin: publicUrl })
  const html = 'text/html; charset=utf-8'
  const documents: Record<string, () => Promise<PreparedResponse>> = {
    '/openapi.json': async () =>
      prepareFile('application/json', JSON.stringify(await readOpenApi(publicUrl))),
    '/docs': async () => {
      const { docsPage } = await import('./docs-page.ts')
      return prepareFile(html, await docsPage(await readOpenApi(publicUrl), await look()))
    },
    '/docs/changelog': async () => {
      const { changelogPage } = await import('./docs-page.ts')
      return prepareFile(html, changelogPage(await file('../../../CHANGELOG.md'), await look()))
    },
    '/docs/export': async () => prepareFile('text/plain; charset=utf-8', openExports(features).readme),
    [`/docs/export-${exportVersion}.schema.json`]: async () =>
      // The schema of the input, because readers ignore properties that a later server adds.
      prepareFile('application/json', JSON.stringify(z.toJSONSchema(exportFile, { io: 'input' }))),
    '/docs/docs.js': async () => prepareFile('text/javascript; charset=utf-8', await file('docs.js')),
    '/docs/docs.css': async () => prepareFile('text/css; charset=utf-8', await file('docs.css')),
  }
  for (const [path, prepare] of Object.entries(documents)) servePrepared(app, cache, path, prepare)
}
