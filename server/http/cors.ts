import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Response headers that scripts may read beyond the safelisted ones. */
const exposedHeaders =
  'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, etag, link'
/** The longest that a browser caches a preflight response: two hours in Chromium. */
const preflightMaxAgeSeconds = 7_200

/**
 * CORS: scripts of any origin may call the documented API. No route reads a cookie, so a foreign page can do only what the
 * token that it was given allows. `/trpc` and `/docs` stay same-origin: the tRPC transport changes with the web app and is not
 * a public API.
 *
 * Not by @fastify/cors: it registers a route for every OPTIONS, so that unknown paths are no longer 404, and responds to
 * an OPTIONS that is not a preflight with an error of another shape (docs/decisions/0002-cors-by-hand.md).
 */
export function registerCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isSameOriginOnly(request)) return done()
    reply.header('access-control-allow-origin', '*')
    const { origin, 'access-control-request-method': method } = request.headers
    if (request.method !== 'OPTIONS' || !origin || !method) {
      reply.header('access-control-expose-headers', exposedHeaders)
      return done()
    }
    // Also for unknown paths: the actual request returns the 404.
    void reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match',
        'access-control-max-age': preflightMaxAgeSeconds,
      })
      .send()
  })
}

function isSameOriginOnly({ routeOptions, url }: FastifyRequest): boolean {
  return /^\/(trpc|docs)(\/|\?|$)/.test(routeOptions.url ?? url)
}
