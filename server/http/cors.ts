import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What a script reads beside the fields that every script may. */
const exposed = 'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset'
/** As long as browsers remember an answer at most: two hours in Chromium. */
const rememberedSeconds = 7_200

/**
 * Lets scripts of any site call what the document describes. Nothing here reads a cookie: a foreign page can do what
 * the token allows that it was given, and no more. Closed stays the web app's own transport, which changes with the app
 * and promises nothing to others.
 *
 * Not by @fastify/cors: its route for every OPTIONS hides which addresses there are, and what is no question of a
 * browser gets an answer in another shape than our errors.
 */
export function registerCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isOwn(request)) return done()
    reply.header('access-control-allow-origin', '*')
    const { origin, 'access-control-request-method': method } = request.headers
    if (request.method !== 'OPTIONS' || !origin || !method) {
      reply.header('access-control-expose-headers', exposed)
      return done()
    }
    // Of an address of nothing as well: the call itself is told that there is none.
    void reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': rememberedSeconds,
      })
      .send()
  })
}

function isOwn({ routeOptions, url }: FastifyRequest): boolean {
  return /^\/(trpc|docs)(\/|\?|$)/.test(routeOptions.url ?? url)
}
