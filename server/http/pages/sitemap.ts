import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { readSettings } from '#server/members/settings.ts'
import type { Services } from '#server/calls/context.ts'
import { admit } from '#server/calls/procedures.ts'
import type { Calls } from '#server/http/doors/calls.ts'
import { prepareResponse, type ResponseCache } from '#server/http/doors/response-cache.ts'

/** A file is at most 350 KB. The protocol allows 50,000 (https://www.sitemaps.org/protocol.html). */
const idsPerFile = 5_000
const missing = prepareResponse(404, {}, '')
/** Other work of the process runs between two queries. */
const idsPerTurn = 500

/** `/sitemap.xml` is the index of `/sitemaps/1.xml` and so on. Search pages are disallowed, because each would query the external sources. */
export function registerSitemap(
  app: FastifyInstance,
  calls: Pick<Calls, 'share'>,
  { features, db, config }: Pick<Services, 'features' | 'db' | 'config'>,
  cache: ResponseCache,
): void {
  const origin = config.publicUrl
  const site = new URL(origin).origin
  const url = (path: string) => `<loc>${new URL(path, origin).href}</loc>`
  const sitemaps = features.flatMap(({ sitemap }) => sitemap ?? [])
  const hour = { 'cache-control': 'public, max-age=3600' }

  app.get('/robots.txt', async (_request, reply) => {
    const { visitorsMayRead } = await readSettings(db)
    return reply
      .type('text/plain; charset=utf-8')
      .headers(hour)
      .send(
        !visitorsMayRead
          ? 'User-agent: *\nDisallow: /\n'
          : `User-agent: *\nDisallow: /search?\nDisallow: /trpc/\nDisallow: /settings\nSitemap: ${new URL('/sitemap.xml', origin).href}\n`,
      )
  })

  const prepare = (root: string, items: string[]) =>
    prepareResponse(200, { 'content-type': 'application/xml', ...hour }, xml(root, items))

  app.get('/sitemap.xml', async (request, reply) => {
    const response = await calls.share(request, 'sitemap', async (ctx) => {
      await admit(ctx, 'query', undefined)
      const list: string[] = []
      for (const { prefix, findLastId } of sitemaps) {
        const last = await findLastId(db)
        for (let part = 1; (part - 1) * idsPerFile < last; part++)
          list.push(`<sitemap>${url(`/sitemaps/${prefix}${part}.xml`)}</sitemap>`)
      }
      return { response: prepare('sitemapindex', list) }
    })
    return cache.send(request, reply, response)
  })

  app.get<{ Params: { file: string } }>(
    '/sitemaps/:file(^[a-z-]*[1-9]\\d{0,5}$).xml',
    async (request, reply) => {
      const { file } = request.params
      const [, prefix, part] = /^(\D*)(\d+)$/.exec(file)!
      const sitemap = sitemaps.find((one) => one.prefix === prefix)
      const last = Number(part) * idsPerFile
      const response = await calls.share(request, `sitemap ${file}`, async (ctx) => {
        await admit(ctx, 'query', undefined)
        if (!sitemap || last - idsPerFile >= (await sitemap.findLastId(db)))
          return { response: missing, isShareable: false }
        const list: string[] = []
        for (let id = last - idsPerFile; id < last; id += idsPerTurn) {
          const paths = await sitemap.listPaths(db, id + 1, id + idsPerTurn)
          for (const path of paths) list.push(`<url><loc>${site}${path}</loc></url>`)
          await nextTurn()
        }
        return { response: prepare('urlset', list) }
      })
      return response === missing ? reply.callNotFound() : cache.send(request, reply, response)
    },
  )
}

function xml(root: string, items: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('\n')}\n</${root}>\n`
}
