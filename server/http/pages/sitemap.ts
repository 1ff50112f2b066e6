import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/db/open.ts'
import { readSettings } from '#server/members/settings.ts'
import type { Feature } from '#server/feature.ts'
import { checkVisitors } from '#server/calls/procedures.ts'
import { prepareResponse, type ResponseCache } from '#server/http/doors/response-cache.ts'

/** A file is at most 350 KB. The protocol allows 50,000 (https://www.sitemaps.org/protocol.html). */
const idsPerFile = 5_000
/** Other work of the process runs between two queries. */
const idsPerTurn = 500

/** `/sitemap.xml` is the index of `/sitemaps/1.xml` and so on. Search pages are disallowed, because each would query the external sources. */
export function registerSitemap(
  app: FastifyInstance,
  features: readonly Feature[],
  db: Db,
  origin: string,
  cache: ResponseCache,
): void {
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
    await checkVisitors(db)
    const compute = async () => {
      const list: string[] = []
      for (const { prefix, findLastId } of sitemaps) {
        const last = await findLastId(db)
        for (let part = 1; (part - 1) * idsPerFile < last; part++)
          list.push(`<sitemap>${url(`/sitemaps/${prefix}${part}.xml`)}</sitemap>`)
      }
      return { response: prepare('sitemapindex', list), isShareable: true }
    }
    return cache.send(request, reply, cache.find('sitemap') ?? (await cache.read('sitemap', compute)))
  })

  app.get<{ Params: { file: string } }>(
    '/sitemaps/:file(^[a-z-]*[1-9]\\d{0,5}$).xml',
    async (request, reply) => {
      await checkVisitors(db)
      const { file } = request.params
      const [, prefix, part] = /^(\D*)(\d+)$/.exec(file)!
      const sitemap = sitemaps.find((one) => one.prefix === prefix)
      const last = Number(part) * idsPerFile
      const compute = async () => {
        const list: string[] = []
        for (let id = last - idsPerFile; id < last; id += idsPerTurn) {
          const paths = await sitemap!.listPaths(db, id + 1, id + idsPerTurn)
          for (const path of paths) list.push(`<url><loc>${site}${path}</loc></url>`)
          await nextTurn()
        }
        return { response: prepare('urlset', list), isShareable: true }
      }
      const key = `sitemap ${file}`
      const known = cache.find(key)
      if (known) return cache.send(request, reply, known)
      if (!sitemap || last - idsPerFile >= (await sitemap.findLastId(db))) return reply.callNotFound()
      return cache.send(request, reply, await cache.read(key, compute))
    },
  )
}

function xml(root: string, items: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('\n')}\n</${root}>\n`
}
