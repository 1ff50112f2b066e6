import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/open.ts'
import { appRouter } from '#server/router.ts'
import type { Context } from '#server/trpc/context.ts'
import { readSite, renderInTime } from './pages.ts'
import type { Web } from './web.ts'

/** A path with a query, of this site: not `//host`. */
const query = z.object({
  url: z
    .string()
    .max(2_000)
    .regex(/^\/(?!\/)/),
})

/**
 * Registers `GET /rendered?url=…`, for index.html: `{ markup }` of a member’s page, or 204 if there is none, because the page is not for
 * members, the token is not valid, or rendering fails, takes too long or exceeds the rate limit. The browser then renders the page alone.
 */
export function registerMemberPages(
  app: FastifyInstance,
  web: Web,
  { origin, db }: { origin: string; db: Db },
  createContext: (request: FastifyRequest) => Promise<Context>,
): void {
  app.get('/rendered', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { data } = query.safeParse(request.query)
    const markup = await renderInTime(request, web.renderTimeoutMs, async () => {
      const context = await createContext(request)
      if (data === undefined || context.member === null) return undefined
      await context.limit('render')
      const procedures = { router: appRouter, createContext: async () => context }
      return web.memberPage(data.url, { origin, procedures, site: await readSite(db) })
    })
    return markup === undefined ? reply.code(204).send() : reply.send({ markup })
  })
}
