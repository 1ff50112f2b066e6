import { TRPCError } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import { messages } from '#shared/texts/messages.ts'

/** The tRPC transport responds with its own 405. */
const isExempt = (url: string) => /\*|^\/(trpc|assets)(\/|$)/.test(url)

/** Of all routes that are registered after this call, by URL pattern. */
export function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    if (isExempt(url)) return
    const known = methods.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    methods.set(url, known)
  })
  return methods
}

/**
 * 405 or, for OPTIONS, 204, with `Allow`. Call it after all other routes. Routes distinguish paths, unlike the handler of unknown paths:
 * `/reviews/mine` has fewer methods than `/reviews/12`.
 */
export function refuseOtherMethods(app: FastifyInstance, methods: Map<string, Set<string>>): void {
  const collected = Array.from(methods)
  for (const [url, known] of collected) {
    const allowed = [...new Set([...known, 'OPTIONS'])].sort().join(', ')
    const others = app.supportedMethods.filter((method) => !known.has(method))
    app.route({
      method: others,
      url,
      exposeHeadRoute: false,
      // The method is wrong for any body.
      onRequest(request, reply, done) {
        reply.header('allow', allowed)
        if (request.method === 'OPTIONS') return void reply.status(204).send()
        done(new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: messages.methodNotSupported }))
      },
      handler() {},
    })
  }
}
