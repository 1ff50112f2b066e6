import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { registerAuditFile } from '#server/http/files/audit.ts'
import { registerCalendarFile } from '#server/http/files/calendar.ts'
import { registerExport } from '#server/http/files/export.ts'
import { registerImports } from '#server/http/files/imports.ts'
import { registerSharePictures } from '#server/http/files/share-pictures.ts'
import { registerUnsubscribe } from '#server/http/files/unsubscribe.ts'
import { registerUploads } from '#server/http/files/uploads.ts'
import { registerCompression } from './http/compression.ts'
import {
  type ConnectionTimes,
  connectionTimes,
  registerConnections,
} from '#server/http/limits/connections.ts'
import { openContexts } from './http/context.ts'
import { registerCors } from './http/cors.ts'
import { registerDocs } from '#server/http/document/docs.ts'
import { registerErrors } from './http/errors.ts'
import { registerFeeds } from '#server/http/pages/feeds.ts'
import { registerFiles } from '#server/http/files/pictures.ts'
import { registerHeaders } from './http/headers.ts'
import { registerHealth } from './http/health.ts'
import { openCalls } from '#server/http/doors/calls.ts'
import { acceptJsonOnly } from '#server/http/doors/json-body.ts'
import { registerLive } from '#server/http/doors/stream.ts'
import { registerLoadShedding } from '#server/http/limits/load-shedding.ts'
import { collectMethods, refuseOtherMethods } from './http/methods.ts'
import type { Metrics } from './http/metrics.ts'
import { registerOwnOrigin } from '#server/http/pages/own-origin.ts'
import { registerPageCookie } from '#server/http/pages/page-cookie.ts'
import { openPages, preferPages } from '#server/http/pages/pages.ts'
import { registerProviders } from '#server/http/pages/providers.ts'
import { registerRateLimits } from '#server/http/limits/rate-limit.ts'
import { registerRequestLog } from './http/request-log.ts'
import { openResponseCache } from '#server/http/doors/response-cache.ts'
import { registerRest } from '#server/http/doors/rest.ts'
import { createServer } from './http/server.ts'
import { registerShutdown } from './http/shutdown.ts'
import { registerSitePages } from '#server/http/pages/site-pages.ts'
import { registerSitemap } from '#server/http/pages/sitemap.ts'
import { registerTrpc } from '#server/http/doors/trpc.ts'
import { discardUnreadBodies } from '#server/http/limits/unread-body.ts'
import { registerLanguages } from '#server/http/pages/language.ts'
import { registerLanguageChoice } from '#server/http/pages/language-menu.ts'
import type { Web } from '#server/http/pages/web.ts'
import { appRouter } from './router.ts'
import type { Services } from './calls/context.ts'

type Options = {
  web: Web
  logger?: FastifyBaseLogger | undefined
  metrics?: Metrics | undefined
  times?: ConnectionTimes
}

export async function buildApp(services: Services, options: Options): Promise<FastifyInstance> {
  const { config } = services
  const { web, logger, metrics, times = connectionTimes } = options
  const app = createServer(config, { logger, times })
  const methods = collectMethods(app)
  acceptJsonOnly(app)
  discardUnreadBodies(app)
  registerCors(app)
  registerShutdown(app, services.live)
  registerConnections(app, config)
  registerRequestLog(app, config)
  registerOwnOrigin(app, config)
  const cache = openResponseCache(services, registerCompression(app))
  const pagePolicy = await registerHeaders(app, config, web)
  await web.register(app)
  registerLanguages(app, web, services)
  registerLanguageChoice(app, web, config)
  await registerLoadShedding(app, { cache, web, config })
  const limits = await registerRateLimits(app, services)
  metrics?.measure(app, cache)

  const calls = openCalls(appRouter, openContexts(services, limits), cache)
  const pageOptions = {
    translators: services.translators,
    router: appRouter,
    origin: config.publicUrl,
    policy: pagePolicy,
    cache,
    db: services.db,
    hasOffers: services.sources.offers !== undefined,
    config,
  }
  const pages = openPages(web, calls, pageOptions)
  registerPageCookie(app, config)
  registerErrors(app, pages, limits)
  registerHealth(app, services.db)
  await app.register(async (trpc) => registerTrpc(trpc, appRouter, calls, limits, cache))
  registerLive(app, calls)
  registerFeeds(app, calls, services, cache)
  registerSharePictures(app, calls, services)
  registerCalendarFile(app, services, calls)
  registerProviders(app, calls)
  registerSitePages(app, services, { web, cache, policy: pagePolicy })
  registerSitemap(app, calls, services, cache)
  registerDocs(app, { features: services.features, publicUrl: config.publicUrl, web, cache })
  await registerFiles(app, services)
  await app.register(async (rest) => {
    preferPages(rest, pages)
    registerRest(rest, appRouter, calls, cache)
    await registerUploads(rest, services, calls)
    registerExport(rest, services, calls)
    await registerUnsubscribe(rest, calls)
    registerAuditFile(rest, calls)
    await registerImports(rest, services, calls)
    refuseOtherMethods(rest, methods)
  })
  return app
}
