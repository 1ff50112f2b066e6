import type { FastifyInstance, FastifyRequest } from 'fastify'
import { generalHeaders, headers, requestHeaders } from './document/openapi-info.ts'

/** Beyond the safelisted ones. */
const allowedHeaders = listOf(requestHeaders)
/** Beyond the safelisted ones. */
const exposedHeaders = listOf([...Object.keys(headers), ...generalHeaders])
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}
/** The longest that Chromium caches a preflight response. */
const preflightMaxAgeSeconds = 7_200

/**
 * Scripts of any origin may call the documented API: no route reads a cookie, so a page can only do what its token allows. `/trpc` changes
 * with the web app and stays same-origin, as does `/docs`. @fastify/cors would hide 404s of OPTIONS (docs/decisions/0002-cors-by-hand.md).
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

/** For responses without hooks. */
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
