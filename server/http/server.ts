import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '#server/config.ts'
import {
  type ConnectionTimes,
  connectionsMax,
  requestsPerConnectionMax,
} from '#server/http/limits/connections.ts'
import { sendParserError, sendUnroutedError } from './errors.ts'
import { bodyBytesMax } from '#shared/domain/limits.ts'

export function createServer(
  config: Pick<Config, 'trustProxy'>,
  { logger, times }: { logger: FastifyBaseLogger | undefined; times: ConnectionTimes },
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    http: { headersTimeout: times.headersMs, connectionsCheckingInterval: times.checkMs },
    connectionTimeout: times.idleMs,
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    // Fastify’s own two lines per request contain queries and addresses.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyBytesMax,
    trustProxy: config.trustProxy,
    // The paths of a batch are one path segment at /trpc.
    routerOptions: { maxParamLength: 4_000, ignoreTrailingSlash: true },
    requestTimeout: times.requestMs,
    maxRequestsPerSocket: requestsPerConnectionMax,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Invalid percent-encoding, or a path segment that is too long.
    frameworkErrors: sendUnroutedError,
    clientErrorHandler: (error, socket) => sendParserError(error, socket, app.log),
  })
  app.server.maxConnections = connectionsMax
  // Node would respond to an `Expect` header with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  return app
}
