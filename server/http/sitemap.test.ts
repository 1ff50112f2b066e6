import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
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

test.each(['/sitemaps/9.xml', '/sitemaps/0.xml', '/sitemaps/x.xml', '/sitemaps/99999999.xml'])(
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
