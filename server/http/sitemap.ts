import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Kind, kinds } from '#shared/media.ts'
import { findLastTitleId, listTitlesBetween } from '#server/catalogue/store.ts'
import type { Db } from '#server/db/open.ts'
import { prepareResponse, type ResponseCache } from './response-cache.ts'

/** Ids per file, which is at most 350 KB. The protocol allows 50,000 (https://www.sitemaps.org/protocol.html). */
const idsPerFile = 5_000
/** Ids per query. Other work of the process runs in between. */
const idsPerTurn = 500

/**
 * For search engines: `/robots.txt`, and `/sitemap.xml`, the index of `/sitemaps/1.xml` and so on, which list all titles.
 * Search pages are disallowed, because each would query the external sources.
 */
export function registerSitemap(app: FastifyInstance, db: Db, origin: string, cache: ResponseCache): void {
  const site = new URL(origin).origin
  const url = (path: string) => `<loc>${new URL(path, origin).href}</loc>`
  const titleUrl = ({ id, kind }: { id: number; kind: Kind }) =>
    `<url><loc>${site}/${kinds[kind].path}/${id}</loc></url>`
  const hour = { 'cache-control': 'public, max-age=3600' }

  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .headers(hour)
      .send(
        `User-agent: *\nDisallow: /search?\nDisallow: /trpc/\nDisallow: /settings\nSitemap: ${new URL('/sitemap.xml', origin).href}\n`,
      ),
  )

  app.get('/sitemap.xml', async (_request, reply) => {
    const files = Math.ceil((await findLastTitleId(db)) / idsPerFile)
    const list = Array.from(
      { length: files },
      (_, at) => `<sitemap>${url(`/sitemaps/${at + 1}.xml`)}</sitemap>`,
    )
    return reply.type('application/xml').headers(hour).send(xml('sitemapindex', list))
  })

  app.get<{ Params: { part: string } }>('/sitemaps/:part(^[1-9]\\d{0,5}$).xml', async (request, reply) => {
    const { part } = request.params
    const last = Number(part) * idsPerFile
    const compute = async () => {
      const list: string[] = []
      for (let id = last - idsPerFile; id < last; id += idsPerTurn) {
        const titles = await listTitlesBetween(db, id + 1, id + idsPerTurn)
        for (const title of titles) list.push(titleUrl(title))
        await nextTurn()
      }
      const headers = { 'content-type': 'application/xml', ...hour }
      return { response: prepareResponse(200, headers, xml('urlset', list)), isShareable: true }
    }
    if (last - idsPerFile >= (await findLastTitleId(db))) return reply.callNotFound()
    const key = `sitemap ${part}`
    return cache.send(request, reply, cache.find(key) ?? (await cache.read(key, compute)))
  })
}

function xml(root: string, items: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('\n')}\n</${root}>\n`
}
