import type { FastifyInstance, FastifyRequest } from 'fastify'
import { generalHeaders, headers, requestHeaders } from './document/openapi-info.ts'

/** Request headers that scripts may send beyond the safelisted ones: the ones that the API document names. */
const allowedHeaders = listOf(requestHeaders)
/** Response headers that scripts may read beyond the safelisted ones: the ones that the API document names. */
const exposedHeaders = listOf([...Object.keys(headers), ...generalHeaders])
/** The headers of a response that scripts of any origin may read. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}
/** The longest that a browser caches a preflight response: two hours in Chromium. */
const preflightMaxAgeSeconds = 7_200

/**
 * CORS: scripts of any origin may call the documented API. No route reads a cookie, so a page of another origin can only
 * do what its token allows. `/trpc` and `/docs` stay same-origin: the tRPC transport changes with the web app and is not
 * a public API.
 *
 * @fastify/cors would register a route for every OPTIONS, so that unknown paths are not 404, and would respond to an OPTIONS that is
 * not a preflight with an error of another shape (docs/decisions/0002-cors-by-hand.md).
 */
export function registerCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isSameOriginOnly(request)) return done()
    const { origin, 'access-control-request-method': method } = request.headers
    if (request.method !== 'OPTIONS' || !origin || !method) {
      reply.headers(corsHeaders)
      return done()
    }
    // Also for unknown paths: the actual request returns the 404.
    void reply
      .status(204)
      .headers({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': preflightMaxAgeSeconds,
      })
      .send()
  })
}

/** Returns the CORS headers of a response to a request for which no hooks run. */
export function corsHeadersOf(request: FastifyRequest): Partial<typeof corsHeaders> {
  return isSameOriginOnly(request) ? {} : corsHeaders
}

function isSameOriginOnly({ routeOptions, url }: FastifyRequest): boolean {
  return /^\/(trpc|docs)(\/|\?|$)/.test(routeOptions.url ?? url)
}

function listOf(names: readonly string[]): string {
  return names
    .map((name) => name.toLowerCase())
    .sort()
    .join(', ')
}
