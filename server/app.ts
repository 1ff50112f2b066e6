import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import serveFiles from '@fastify/static'
import shedLoad from '@fastify/under-pressure'
import { TRPCError } from '@trpc/server'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { LRUCache } from 'lru-cache'
import { bodyBytesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { findMemberBySession } from '#server/accounts/store.ts'
import { isDatabaseUp } from '#server/db/open.ts'
import { serveBucket } from '#server/uploads/bucket.ts'
import { registerUploads } from '#server/uploads/router.ts'
import { busy } from '#server/turns.ts'
import { householdOf } from './addresses.ts'
import { openToOtherSites } from './cors.ts'
import { registerHeaders } from './headers.ts'
import { type ConnectionTimes, connectionTimes, registerConnections } from './connections.ts'
import { isFile, registerLimits } from './limits.ts'
import { isStream } from './log.ts'
import { answerError, answerNoRequest, busySeconds, registerRest } from './rest.ts'
import { appRouter } from './router.ts'
import { registerSitemap } from './sitemap.ts'
import type { Metrics } from './metrics.ts'
import type { Context, Member, Services } from './trpc.ts'
import { registerTrpc } from './trpc-door.ts'
import { registerWeb, type Web } from './web.ts'

/** For how long after a call with a token its address counts as that of a member. */
const memberAddressMs = 60 * 60_000

/** Everything but the process: the two doors, the web app, pictures, the document. Does not listen. */
export async function buildApp(
  services: Services,
  options: {
    web: Web
    logger?: FastifyBaseLogger | undefined
    metrics?: Metrics | undefined
    times?: ConnectionTimes
  },
): Promise<FastifyInstance> {
  const { config, db } = services
  const { times = connectionTimes } = options
  const app = Fastify({
    http: { headersTimeout: times.headersMs, connectionsCheckingInterval: times.checkMs },
    connectionTimeout: times.idleMs,
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
    return503OnClosing: false,
    // A broken percent-encoding in a path, a part of it that is too long: before there is a route.
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, reply.header('x-request-id', request.id)),
    clientErrorHandler: answerNoRequest,
  })
  // Node would answer 417 with nothing in it; who expects something gets the answer at once.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  // Who opens an address while there is too much to do gets the plain page, which costs nothing.
  app.setErrorHandler(async (error, request, reply) => {
    const failure = (await countUnlessServed(request)) ?? error
    return isBusy(failure) && wantsPage(request)
      ? sendPlainPage(request, reply.status(503))
      : answerError(failure, request, reply)
  })
  // Routes of files find out late that there is none, when the request has another route already.
  const filesAsked = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request) => {
    if (isFile(request)) filesAsked.add(request)
  })
  /** Counts a request that was let through as one for a file, and got none; returns what refuses it, if anything. */
  const countUnlessServed = async (request: FastifyRequest): Promise<unknown> => {
    try {
      if (filesAsked.delete(request)) await limits.countMore(request)
      return undefined
    } catch (refusal) {
      return refusal
    }
  }
  acceptJsonOnly(app)
  // Before whatever refuses: a script must be able to read that, too.
  openToOtherSites(app)
  refuseWhileClosing(app)
  registerConnections(app, config, times)
  // A stream would go on for as long as its reader: it is cut off, and comes again.
  app.addHook('preClose', async () => services.live.end())

  const tell = (request: FastifyRequest, reply: FastifyReply, what: 'request' | 'stream') => {
    // The path without its query: what somebody searched for is not ours to keep.
    const path = request.url.split('?', 1)[0]
    const ms = Math.round(reply.elapsedTime)
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, what)
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', busySeconds)
    // As it opens: it ends when its reader has seen enough, which says nothing of this server.
    if (payload instanceof Response && isStream(payload.headers.get('content-type')))
      tell(request, reply, 'stream')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!isStream(reply.getHeader('content-type'))) tell(request, reply, 'request')
    done()
  })
  const { docsPolicy } = await registerHeaders(app, {
    isDev: options.web.isDev,
    isHttps: config.publicUrl.startsWith('https:'),
  })

  // Before the limits: in development a page is made of hundreds of sources.
  const { sendPage, sendPlainPage, wantsPage } = await registerWeb(app, options.web, config.publicUrl)
  await refuseWhatIsTooMuch(app)
  const limits = await registerLimits(app, services)
  options.metrics?.measure(app)
  // A live stream carries no token: the browser's EventSource can send none.
  const memberAddresses = new LRUCache<string, true>({ max: 20_000, ttl: memberAddressMs })
  const isFromMember = (request: FastifyRequest, member: Member | null) => {
    const address = householdOf(request.ip)
    if (member) memberAddresses.set(address, true)
    return memberAddresses.has(address)
  }
  const createContext = async (request: FastifyRequest): Promise<Context> => {
    const now = new Date()
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const member = token ? ((await findMemberBySession(db, hashToken(token), now)) ?? null) : null
    return {
      ...services,
      now,
      member,
      log: request.log,
      requestId: request.id,
      answer: {},
      address: request.ip,
      isFromMember: isFromMember(request, member),
      userAgent: request.headers['user-agent']?.slice(0, 200) ?? null,
      limit: (name, account) => limits.count(request, name, account),
      trust: (account) => limits.trust(request, account),
    }
  }

  const answerPage = (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(request, reply, {
      router: appRouter,
      createContext: async () => ({ ...(await createContext(request)), member: null }),
    })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const isReady = await isDatabaseUp(db)
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' })
  })

  await app.register(async (trpc) => registerTrpc(trpc, createContext, limits.countMore))
  registerSitemap(app, db, config.publicUrl)

  // Made when it is first asked for: what makes it takes memory that most processes never need.
  let document: Promise<Buffer> | undefined
  app.get('/openapi.json', async (_request, reply) => {
    document ??= import('./openapi.ts').then((openapi) =>
      // As bytes, which all responses share.
      Buffer.from(JSON.stringify(openapi.openApiDocument(appRouter, config.publicUrl))),
    )
    return reply.type('application/json').send(await document)
  })
  await app.register(docs, { policy: docsPolicy })
  if (services.storage.bucket) serveBucket(app, services.storage.bucket)
  for (const [prefix, root] of [
    ['/uploads/', join(config.dataDir, 'uploads')],
    ['/starter/', join(import.meta.dirname, 'starter/pictures')],
  ] as const)
    await app.register(serveFiles, {
      root,
      prefix,
      decorateReply: false,
      index: false,
      dotfiles: 'ignore',
      immutable: true,
      maxAge: '365d',
    })

  await app.register(async (rest) => {
    rest.addHook('onRequest', async (request, reply) => {
      reply.header('vary', 'Accept')
      if (wantsPage(request)) return answerPage(request, reply)
    })
    registerRest(rest, appRouter, createContext)
    await registerUploads(rest, services, createContext)
  })

  const notFound = () => new TRPCError({ code: 'NOT_FOUND', message: messages.notFound })
  const answerNotFound = async (request: FastifyRequest, reply: FastifyReply) => {
    // A page costs a hundred times as much, and nobody reads one in the place of a picture or a script.
    if (filesAsked.has(request) || request.url.startsWith('/assets/')) {
      return answerError((await countUnlessServed(request)) ?? notFound(), request, reply)
    }
    reply.header('vary', 'Accept')
    if (wantsPage(request)) return answerPage(request, reply)
    return answerError(notFound(), request, reply)
  }
  app.setNotFoundHandler(answerNotFound)
  // Before a body is read: an address of nothing is 404 whatever was sent to it.
  app.addHook('onRequest', async (request, reply) =>
    request.is404 ? answerNotFound(request, reply) : undefined,
  )
  return app
}

/** While the process ends: requests in flight are finished, others are told to come again. */
function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done()
    reply.header('connection', 'close')
    done(busy())
  })
}

/** How long requests that have arrived wait for their turn, when the server takes no more (ms). */
const queueMaxMs = 500
/** The part that is let in however long the queue was. */
const admittedMin = 0.25
const sampleMs = 250
/** Held up for so long, it has a queue; one long pause (the code of a first page, a sweep of the memory) is over by then. */
const heldUpMs = 1_000
/** Of the heap that the process may have: beyond, it would soon end. */
const heapShareMax = 0.9

/**
 * Under more load than it can bear, the server answers as much as it can in time and refuses the rest at once. The part
 * that it refuses grows with the queue: all or nothing would leave it idle every other second. Files and what watches
 * the server go on.
 */
async function refuseWhatIsTooMuch(app: FastifyInstance): Promise<void> {
  let since = 0
  let last = -Infinity
  /** For how long requests have met a server that is held up, without a calm moment between. */
  const heldUpFor = () => {
    const now = performance.now()
    if (now - last > heldUpMs) since = now
    last = now
    return now - since
  }
  await app.register(shedLoad, {
    maxEventLoopDelay: queueMaxMs,
    // Short: over a second, the pauses between bursts would hide how long these waited.
    sampleInterval: sampleMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * heapShareMax,
    async pressureHandler(request, _reply, type, waitedMs = Infinity) {
      if (isFile(request) || request.routeOptions.url === '/readyz') return
      if (type === 'eventLoopDelay') {
        if (heldUpFor() < heldUpMs) return
        if (Math.random() < Math.max(queueMaxMs / waitedMs, admittedMin)) return
      }
      throw busy()
    },
  })
}

function isBusy(error: unknown): boolean {
  return error instanceof TRPCError && error.code === 'SERVICE_UNAVAILABLE'
}

/** Bodies are JSON or empty; an empty one is welcome whatever its content type says. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined)
    // Bytes that are no UTF-8 would be kept as question marks.
    else if (isUtf8(body)) void parseJson(request, body.toString(), done)
    else done(new TRPCError({ code: 'BAD_REQUEST', message: messages.invalidJson }))
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else done(new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: messages.wrongContentType }))
  })
}

// Not by importing the package: that runs the whole page in this process.
const swaggerFolder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/** `/docs`: the OpenAPI document as a page with calls to try. */
async function docs(app: FastifyInstance, { policy }: { policy: string }): Promise<void> {
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
