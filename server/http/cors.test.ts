import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'
import document from '../../docs/openapi.json' with { type: 'json' }
import type { Operation } from './document/openapi-schema.ts'

const server = await aServer()
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const guide = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const [apiGuide, privacyGuide] = [guide('api'), guide('privacy')]

const origin = 'https://reader.example'
const from = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { origin, ...headers } })
const preflight = (url: string, method: string) =>
  app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })

describe('a script of another origin', () => {
  test.each(['/movies/popular', '/openapi.json', '/healthz', '/movies/999', '/nowhere', '/users/me'])(
    'can read the response of %s, whatever its status, and its rate limit headers',
    async (url) => {
      const { headers } = await from(url)
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']?.split(', ')).toEqual(
        expect.arrayContaining([
          'allow',
          'etag',
          'idempotency-replayed',
          'link',
          'location',
          'ratelimit-remaining',
          'retry-after',
          'www-authenticate',
          'x-request-id',
        ]),
      )
      // The same for every origin, so that a cache can store one response for all of them.
      expect(headers.vary ?? '').not.toContain('Origin')
    },
  )

  test.each([
    ['/reviews', 'POST'],
    ['/users/profile', 'PUT'],
    ['/reviews/1', 'PATCH'],
    ['/comments/1', 'DELETE'],
    ['/upload', 'POST'],
    ['/users/me', 'GET'],
  ])('may call %s with %s, a token and JSON; the preflight is cached for two hours', async (url, method) => {
    const response = await preflight(url, method)
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-allow-headers': expect.stringContaining('authorization, content-type, '),
      'access-control-max-age': '7200',
    })
  })

  test('may send and read every header that the API document and its descriptions name', async () => {
    const allowed = (await preflight('/users/1/profile', 'GET')).headers['access-control-allow-headers']
    const exposed = (await from('/movies/popular')).headers['access-control-expose-headers']
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])
    const sent = operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name)
    expect(String(allowed).split(', ')).toEqual(
      expect.arrayContaining([...new Set(sent)].map((name) => name.toLowerCase())),
    )
    const read = [
      ...Object.keys(document.components.headers),
      ...operations.flatMap(({ responses }) =>
        Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
      ),
    ]
    expect(String(exposed).split(', ')).toEqual(
      expect.arrayContaining([...new Set(read)].map((name) => name.toLowerCase())),
    )
    // Every browser lets scripts send or read these, or sends them itself.
    const always =
      /^(accept|accept-encoding|accept-language|cache-control|content-type|user-agent|x-forwarded-for)$/
    const texts = [document.info.description, apiGuide, privacyGuide].join('\n')
    const named = Array.from(texts.matchAll(/`([A-Z][a-z]*(?:-[A-Z][A-Za-z]*)+)(?:: [^`]*)?`/g), ([, name]) =>
      name!.toLowerCase(),
    )
    const known = `${allowed}, ${exposed}`.split(', ')
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !known.includes(name) && !always.test(name))).toEqual([])
    expect(named).toEqual(expect.arrayContaining(['medley-preview', 'if-none-match', 'x-request-id']))
  })

  test('neither sends nor receives cookies', async () => {
    for (const response of [await preflight('/reviews', 'POST'), await from('/movies/popular')]) {
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
      expect(response.headers['set-cookie']).toBeUndefined()
    }
  })

  test('can read a 429', async () => {
    const call = () =>
      app.inject({ url: '/tmdb/search?q=', headers: { origin }, remoteAddress: '198.51.100.1' })
    await Promise.all(Array.from({ length: 60 }, call))
    const refused = await call()
    expect([refused.statusCode, refused.json().message]).toEqual([429, messages.tooManyRequests])
    expect(refused.headers['access-control-allow-origin']).toBe('*')
  })

  test.each(['/trpc/movies.popular', '/%74rpc/movies.popular', '/docs'])(
    'cannot read %s, which is same-origin only',
    async (url) => {
      expect((await from(url)).headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('cannot call the tRPC transport', async () => {
    const response = await preflight('/trpc/reviews.save', 'POST')
    expect([response.statusCode, response.headers['access-control-allow-methods']]).toEqual([405, undefined])
  })
})

test('an OPTIONS request that is not a preflight returns the methods of the path', async () => {
  const response = await app.inject({ method: 'OPTIONS', url: '/reviews', headers: { origin } })
  expect([response.statusCode, response.body, response.headers.allow]).toEqual([
    204,
    '',
    'GET, HEAD, OPTIONS, POST',
  ])
  expect(response.headers['access-control-allow-origin']).toBe('*')
  const unknown = await app.inject({ method: 'OPTIONS', url: '/nowhere', headers: { origin } })
  expect(unknown.statusCode).toBe(404)
})
