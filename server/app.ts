import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import helmet from '@fastify/helmet'
import serveFiles from '@fastify/static'
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import { TRPCError } from '@trpc/server'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import { bodyBytesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { findMemberBySession } from '#server/accounts/store.ts'
import { isDatabaseUp } from '#server/db/open.ts'
import { registerUploads } from '#server/uploads/router.ts'
import { registerLimits } from './limits.ts'
import { openApiDocument } from './openapi.ts'
import { answerError, registerRest } from './rest.ts'
import { appRouter } from './router.ts'
import type { Context, Services } from './trpc.ts'
import { registerWeb, type Web } from './web.ts'

/** Everything but the process: the two doors, the web app, pictures, the document. Does not listen. */
export async function buildApp(
  services: Services,
  options: { web: Web; logger?: FastifyBaseLogger | undefined },
): Promise<FastifyInstance> {
  const { config, db } = services
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    // One line a request, written below: the stock two would keep query texts and addresses.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyBytesMax,
    trustProxy: config.trustProxy,
    // A batch of calls is one path segment at /trpc.
    routerOptions: { maxParamLength: 4_000, ignoreTrailingSlash: true },
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
  })
  app.setErrorHandler(answerError)
  acceptJsonOnly(app)

  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    // The path without its query: what somebody searched for is not ours to keep.
    const path = request.url.split('?', 1)[0]
    request.log.info(
      { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
  })
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...options.web.scriptHashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: [
          "'self'",
          'data:',
          'blob:',
          'https://image.tmdb.org',
          'https://covers.openlibrary.org',
          'https://*.archive.org',
          'https://images.igdb.com',
        ],
        connectSrc: ["'self'", ...(options.web.isDev ? ['ws:'] : [])],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: config.publicUrl.startsWith('https:'),
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })

  const limit = await registerLimits(app, config.hasRateLimits)
  const createContext = async (request: FastifyRequest): Promise<Context> => {
    const now = new Date()
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    return {
      ...services,
      now,
      member: token ? ((await findMemberBySession(db, hashToken(token), now)) ?? null) : null,
      log: request.log,
      requestId: request.id,
      userAgent: request.headers['user-agent']?.slice(0, 200) ?? null,
      limit: (name, account) => limit(request, name, account),
    }
  }

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const isReady = await isDatabaseUp(db)
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' })
  })

  await app.register(async (trpc) => {
    // tRPC parses the text itself. Its own Fastify plugin would take multipart bodies of any size too.
    trpc.removeContentTypeParser('application/json')
    trpc.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    trpc.route<{ Params: { path: string } }>({
      method: ['GET', 'POST'],
      url: '/trpc/:path',
      handler: (req, res) =>
        fastifyRequestHandler({
          router: appRouter,
          req,
          res,
          path: req.params.path,
          createContext: () => createContext(req),
          onError({ error, path }) {
            if (error.code === 'INTERNAL_SERVER_ERROR')
              req.log.error({ err: error.cause ?? error, path }, 'request failed')
          },
        }),
    })
  })

  const document = JSON.stringify(openApiDocument(appRouter, config.publicUrl))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(document))
  await app.register(docs)
  await app.register(serveFiles, {
    root: join(config.dataDir, 'uploads'),
    prefix: '/uploads/',
    decorateReply: false,
    index: false,
    immutable: true,
    maxAge: '365d',
  })
  const { sendPage, wantsPage } = await registerWeb(app, options.web)

  await app.register(async (rest) => {
    rest.addHook('onRequest', async (request, reply) => {
      reply.header('vary', 'Accept')
      if (wantsPage(request)) return sendPage(request, reply)
    })
    registerRest(rest, appRouter, createContext)
    await registerUploads(rest, services, createContext)
  })

  app.setNotFoundHandler((request, reply) => {
    reply.header('vary', 'Accept')
    if (wantsPage(request)) return sendPage(request, reply)
    return answerError(new TRPCError({ code: 'NOT_FOUND', message: messages.notFound }), request, reply)
  })
  return app
}

/** Bodies are JSON or empty; an empty one is welcome whatever its content type says. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body as string, done)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else done(new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.wrongContentType }))
  })
}

// Not by importing the package: that runs the whole page in this process.
const swaggerFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/** `/docs`: the OpenAPI document as a page with calls to try. */
async function docs(app: FastifyInstance): Promise<void> {
  await app.register(serveFiles, {
    root: swaggerFolder,
    prefix: '/docs/ui/',
    decorateReply: false,
    index: false,
    wildcard: true,
  })
  app.get('/docs', (_request, reply) => reply.type('text/html').send(docsPage))
  app.get('/docs/start.js', (_request, reply) => reply.type('text/javascript').send(docsScript))
}

const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Medley API</title>
<link rel="stylesheet" href="/docs/ui/swagger-ui.css">
<div id="docs"></div>
<script src="/docs/ui/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>`
const docsScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, persistAuthorization: true, tryItOutEnabled: true, validatorUrl: null })`
