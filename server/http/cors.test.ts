import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import { buildApp } from '#server/app.ts'
import { aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer()
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

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
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, if-none-match',
      'access-control-max-age': '7200',
    })
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
