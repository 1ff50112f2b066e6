import { setImmediate as nextTurn } from 'node:timers/promises'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { checkIfMatch, includesTag, tagsOf, versionTag } from '#server/calls/etag.ts'
import { aServer, aSignedInMember, aTitle } from '#server/testing.ts'
import document from '../../docs/openapi.json' with { type: 'json' }

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, {
  web: { ...noWeb, isPage: async (url) => url === '/about-nothing' || url === '/' },
})
afterAll(() => app.close())

const member = await aSignedInMember(server.db)
const titleId = await aTitle(server.db, 'movie')
const bearer = { authorization: `Bearer ${member.token}` }

test('every response names its caching: of documented paths, pages, files, errors and other methods', async () => {
  const picture = `${'a'.repeat(24)}-160.webp`
  mkdirSync(join(server.config.dataDir, 'uploads'), { recursive: true })
  writeFileSync(join(server.config.dataDir, 'uploads', picture), 'picture')
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')]),
  )
  const others = [
    '/',
    '/about-nothing',
    '/about',
    '/nowhere',
    '/movies/%zz',
    `/movies/${titleId}/`,
    `/uploads/${picture}`,
    '/uploads/missing.webp',
    '/starter/missing.webp',
    '/assets/missing.js',
    '/robots.txt',
    '/sitemap.xml',
    '/sitemaps/1.xml',
    '/manifest.webmanifest',
    '/site-pages.css',
    '/openapi.json',
    '/docs',
    '/docs/changelog',
    '/healthz',
    '/readyz',
    '/diary',
    '/trpc/site.get',
    '/trpc/nothing.here',
    '/trpc/site.get,accounts.challenge?batch=1&input=%7B%7D',
    '/unsubscribe?token=x',
  ].flatMap((url) => ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'].map((method) => [method, url]))
  const missing: string[] = []
  const streams = /\/live$/
  for (const [method, url] of [...documented, ...others] as [string, string][])
    for (const headers of method === 'GET' ? [{}, { accept: 'text/html' }, bearer] : [{}]) {
      if (streams.test(url) && method === 'GET') continue
      const response = await app.inject({ method: method as 'GET', url, headers })
      if (response.headers['cache-control'] === undefined)
        missing.push(`${method} ${url} ${response.statusCode} ${Object.keys(headers).join()}`)
      // What is the member's, or an error, is stored nowhere; a page of a missing title can be checked again.
      const isStored = /max-age|public/.test(String(response.headers['cache-control']))
      if (response.statusCode >= 400 && isStored) missing.push(`${method} ${url} is stored as an error`)
    }
  expect(missing).toEqual([])
})

test('challenges and invites are stored nowhere; searches without a token can be validated', async () => {
  const cachingOf = async (url: string, headers = {}) =>
    (await app.inject({ url, headers })).headers['cache-control']
  expect(await cachingOf('/auth/challenge')).toBe('no-store')
  expect(await cachingOf('/invites/some-code')).toBe('no-store')
  expect(await cachingOf('/books/search?q=dune')).toBe('public, no-cache')
  expect(await cachingOf('/books/search?q=dune', bearer)).toBe('no-store')
})

const suffixes = [
  '-gzip',
  '-br',
  '-zstd',
  '--gzip',
  ';gzip',
  '+br',
  ':gzip',
  '-gzip-gzip',
  '-GZIP',
  '-x-gzip',
]

test('a tag with the suffix of an encoding is the same tag, on every kind of path', async () => {
  for (const url of [`/movies/${titleId}`, '/openapi.json', '/site-pages.css', '/', '/books/search?q=dune']) {
    const etag = String((await app.inject(url)).headers.etag)
    const opaque = etag.replace(/^W\//, '').slice(1, -1)
    const forms = [
      ...suffixes.flatMap((suffix) => [
        `W/"${opaque}${suffix}"`,
        `"${opaque}${suffix}"`,
        `"${opaque}"${suffix}`,
      ]),
      `"other", W/"${opaque}-gzip"`,
      `W/"x,y" , "${opaque}"`,
      '*',
    ]
    for (const known of forms) {
      // Cached responses alone leave no turn to others.
      await nextTurn()
      const response = await app.inject({ url, headers: { 'if-none-match': known } })
      expect([url, known, response.statusCode, response.headers.etag]).toEqual([url, known, 304, etag])
    }
    for (const known of [
      '"other-gzip"',
      `"${opaque}x"`,
      `"${opaque}-other"`,
      '"a,*,b"',
      '"-gzip"',
      '""',
      opaque.slice(1),
    ])
      expect([
        url,
        known,
        (await app.inject({ url, headers: { 'if-none-match': known } })).statusCode,
      ]).toEqual([url, known, 200])
  }
})

test('a hash that ends with a separator, or like a suffix, is the same tag with a suffix', () => {
  for (const opaque of ['hash', 'hash-', 'hash--', 'hash_', 'hash-gzip', 'hash-br-'])
    for (const suffix of suffixes)
      for (const known of [`W/"${opaque}${suffix}"`, `"${opaque}"${suffix}`])
        expect([known, includesTag(known, `W/"${opaque}"`), includesTag(known, 'W/"has"')]).toEqual([
          known,
          true,
          false,
        ])
})

test('a file is validated with such a tag too', async () => {
  const url = '/starter/backdrop-1-books-a-brief-history-of-time-1280.webp'
  const { etag } = (await app.inject(url)).headers
  const known = String(etag).replace(/"$/, '-gzip"')
  expect((await app.inject({ url, headers: { 'if-none-match': known } })).statusCode).toBe(304)
})

test('a change with such a tag is made, and refused if the version differs', () => {
  const written = [4, 'text']
  const version = versionTag(written)
  const isRefused = (ifMatch: string) => {
    try {
      checkIfMatch({ ifMatch }, written)
      return false
    } catch {
      return true
    }
  }
  for (const suffix of ['', ...suffixes])
    for (const tag of [`W/"${version}.abc${suffix}"`, `"${version}.abc"${suffix}`, `"${version}.${suffix}"`])
      expect([tag, isRefused(tag)]).toEqual([tag, false])
  expect(isRefused(`"other", "${version}.abc-gzip"`)).toBe(false)
  expect(isRefused('*')).toBe(false)
  for (const tag of ['', '""', '"other.abc-gzip"', `"${version}"`, `"a,*,b"`, `"${version}-gzip"`, version])
    expect([tag, isRefused(tag)]).toEqual([tag, true])
})

test('a header of any size is read in linear time', () => {
  const started = performance.now()
  for (const part of ['"', '"a"', '-gzip', '"-gzip-gzip', '*,', ' ,', 'W/"']) tagsOf(part.repeat(8_000))
  expect(performance.now() - started).toBeLessThan(2_000)
})
