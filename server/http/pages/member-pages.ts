import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/open.ts'
import type { AppRouter } from '#server/router.ts'
import type { Context } from '#server/calls/context.ts'
import { type Pages, readSite, renderInTime } from './pages.ts'
import type { Web } from './web.ts'

/** A path with a query, of this site: not `//host`. */
const query = z.object({
  url: z
    .string()
    .max(2_000)
    .regex(/^\/(?!\/)/),
})

/**
 * Registers `GET /rendered?url=…`, for index.html: `{ markup, shell }`. `markup` is what the server renders for the member; null if there
 * is none, because the page is not for members, the token is missing or not valid, or rendering fails, takes too long or exceeds the rate
 * limit. The browser then renders the page alone. `shell` is the current version of the page’s app shell; null if browsers keep none.
 */
export function registerMemberPages(
  app: FastifyInstance,
  { router, web, pages, origin, db }: { router: AppRouter; web: Web; pages: Pages; origin: string; db: Db },
  createContext: (request: FastifyRequest) => Promise<Context>,
): void {
  app.get('/rendered', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { data } = query.safeParse(request.query)
    if (data === undefined) return { markup: null, shell: null }
    const render = async () => {
      const context = await createContext(request)
      if (context.member === null) return undefined
      await context.limit('render')
      const procedures = { router, createContext: async () => context }
      return web.memberPage(data.url, { origin, procedures, site: await readSite(db) })
    }
    const [markup, shell] = await Promise.all([
      renderInTime(request, web.renderTimeoutMs, render),
      pages.shellVersion(data.url),
    ])
    return { markup: markup ?? null, shell: shell ?? null }
  })
}
