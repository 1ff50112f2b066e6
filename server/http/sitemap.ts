import type { FastifyInstance } from 'fastify'
import { kinds } from '#shared/media.ts'
import { findLastTitleId, listTitlesBetween } from '#server/catalogue/store.ts'
import type { Db } from '#server/db/open.ts'

/** Ids per file, which is at most 350 KB. The protocol allows 50,000 (https://www.sitemaps.org/protocol.html). */
const idsPerFile = 5_000

/**
 * For search engines: `/robots.txt`, and `/sitemap.xml`, the index of `/sitemaps/1.xml` and so on, which list all titles.
 * Search pages are disallowed, because each would query the external sources.
 */
export function registerSitemap(app: FastifyInstance, db: Db, origin: string): void {
  const url = (path: string) => `<loc>${new URL(path, origin).href}</loc>`
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
    const last = Number(request.params.part) * idsPerFile
    const titles = await listTitlesBetween(db, last - idsPerFile + 1, last)
    if (titles.length === 0) return reply.callNotFound()
    const list = titles.map(({ id, kind }) => `<url>${url(`/${kinds[kind].path}/${id}`)}</url>`)
    return reply.type('application/xml').headers(hour).send(xml('urlset', list))
  })
}

function xml(root: string, items: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('\n')}\n</${root}>\n`
}
