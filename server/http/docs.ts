import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { exportFile, exportVersion } from '#shared/export.ts'
import { readme } from '#server/imports/export.ts'

// Resolved, not imported: importing the package would run Swagger UI in this process.
const swaggerFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/**
 * `/docs`: Swagger UI with the OpenAPI document; `policy` is its content security policy. Also the description of exports and
 * the JSON Schema of `medley.json`.
 */
export async function registerDocs(app: FastifyInstance, policy: string): Promise<void> {
  await app.register(serveFiles, {
    root: swaggerFolder,
    prefix: '/docs/ui/',
    decorateReply: false,
    index: false,
    wildcard: true,
  })
  app.get('/docs', (_request, reply) =>
    reply.type('text/html').header('content-security-policy', policy).send(docsPage),
  )
  app.get('/docs/export', (_request, reply) => reply.type('text/plain; charset=utf-8').send(readme))
  let schema: string | undefined
  app.get(`/docs/export-${exportVersion}.schema.json`, (_request, reply) => {
    // As input: a reader ignores properties that a later server adds.
    schema ??= JSON.stringify(z.toJSONSchema(exportFile, { io: 'input' }))
    return reply.type('application/json').send(schema)
  })
  app.get('/docs/start.js', (_request, reply) => reply.type('text/javascript').send(docsScript))
}

const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Medley API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/ui/swagger-ui.css">
<div id="docs"></div>
<script src="/docs/ui/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>`
const docsScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, persistAuthorization: true, tryItOutEnabled: true, validatorUrl: null })`
