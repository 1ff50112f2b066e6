import { afterAll, expect, test } from 'vitest'
import { blockedMs, slowness, withoutWatch } from '#scripts/testing/event-loop.ts'
import { buildApp } from '#server/app.ts'
import { insertMany } from '#server/db/dialect.ts'
import { aServer, aTitle } from '#server/testing.ts'
import { noWeb } from './web.ts'

const server = await aServer({ PUBLIC_URL: 'https://medley.example' })
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

test('the sitemap lists every title and nothing else', async () => {
  const movie = await aTitle(server.db, 'movie', 'One')
  // Ids far apart, as after deletions.
  await aTitle(server.db, 'game', 'Two', 5_001)

  const index = await app.inject('/sitemap.xml')
  expect(index.headers['content-type']).toContain('application/xml')
  const files = urlsOf(index.body)
  expect(files).toEqual(['https://medley.example/sitemaps/1.xml', 'https://medley.example/sitemaps/2.xml'])
  const titles: string[] = []
  for (const file of files) titles.push(...urlsOf((await app.inject(new URL(file).pathname)).body))
  expect(titles).toEqual([`https://medley.example/movies/${movie}`, 'https://medley.example/games/5001'])
})

test('a sitemap names a title as soon as it exists', async () => {
  const before = await aTitle(server.db)
  const url = `/sitemaps/${Math.ceil((before + 1) / 5_000)}.xml`
  await app.inject(url)
  const id = await aTitle(server.db, 'book')
  expect(urlsOf((await app.inject(url)).body)).toContain(`https://medley.example/books/${id}`)
})

test('a full sitemap blocks other requests for less than ten milliseconds', async () => {
  await withoutWatch(async () => {
    const titles = Array.from({ length: 4_900 }, (_, at) => ({
      id: at + 50_001,
      kind: 'movie' as const,
      name: 'One',
      name_folded: 'one',
      search_text: 'one',
      details: '{}',
      created_at: '2026-01-01T00:00:00.000Z',
    }))
    await insertMany(server.db, 'media', titles)
  })
  const read = async () => expect(urlsOf((await app.inject('/sitemaps/11.xml')).body)).toHaveLength(4_900)
  await read()
  let ms = Infinity
  // Each run follows a write, which invalidates the cache. The shortest run counts, because other programs may disturb any of them.
  for (let run = 0; run < 5; run++) {
    await aTitle(server.db)
    ms = Math.min(ms, await blockedMs(() => app.inject('/sitemaps/11.xml')))
  }
  expect(ms).toBeLessThan(10 * slowness())
})

test.each(['/sitemaps/99.xml', '/sitemaps/0.xml', '/sitemaps/x.xml', '/sitemaps/99999999.xml'])(
  '%s is 404',
  async (url) => expect((await app.inject(url)).statusCode).toBe(404),
)

test('robots.txt names the sitemap and disallows searches', async () => {
  const { body } = await app.inject('/robots.txt')
  expect(body).toContain('Sitemap: https://medley.example/sitemap.xml')
  expect(body).toContain('Disallow: /search?')
})

function urlsOf(xml: string): string[] {
  return [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]!)
}
