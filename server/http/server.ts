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

/** Creates the Fastify instance with its options. It has no routes yet and does not listen. */
export function createServer(
  config: Pick<Config, 'trustProxy'>,
  { logger, times }: { logger: FastifyBaseLogger | undefined; times: ConnectionTimes },
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    http: { headersTimeout: times.headersMs, connectionsCheckingInterval: times.checkMs },
    connectionTimeout: times.idleMs,
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    // Fastify’s own two lines per request contain queries and addresses; see request-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // JSON bodies have limits of their own; see json-body.ts.
    bodyLimit: bodyBytesMax,
    trustProxy: config.trustProxy,
    // The paths of a batch are one path segment at /trpc.
    routerOptions: { maxParamLength: 4_000, ignoreTrailingSlash: true },
    requestTimeout: times.requestMs,
    maxRequestsPerSocket: requestsPerConnectionMax,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Errors before routing: invalid percent-encoding, a path segment that is too long.
    frameworkErrors: sendUnroutedError,
    clientErrorHandler: (error, socket) => sendParserError(error, socket, app.log),
  })
  app.server.maxConnections = connectionsMax
  // Node responds to an `Expect` header with an empty 417; route the request instead.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  return app
}
