import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import { buildApp } from '#server/app.ts'
import { aServer } from '#server/testing.ts'
import { noWeb } from './web.ts'

const server = await aServer()
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const origin = 'https://reader.example'
const from = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { origin, ...headers } })
const asks = (url: string, method: string) =>
  app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })

describe('a script of another site', () => {
  test.each(['/movies/popular', '/openapi.json', '/healthz', '/movies/999', '/nowhere', '/users/me'])(
    'reads the answer of %s, whatever it is, and what it says of limits',
    async (url) => {
      const { headers } = await from(url)
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toBe(
        'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
      )
      // The same for every origin, so that a cache may keep it for all of them.
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
  ])('may call %s with %s, a token and JSON, and asks once in two hours', async (url, method) => {
    const answer = await asks(url, method)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '7200',
    })
  })

  test('sends no cookie and gets none', async () => {
    for (const answer of [await asks('/reviews', 'POST'), await from('/movies/popular')]) {
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  test('reads that it called too often', async () => {
    const call = () =>
      app.inject({ url: '/tmdb/search?q=', headers: { origin }, remoteAddress: '198.51.100.1' })
    await Promise.all(Array.from({ length: 60 }, call))
    const refused = await call()
    expect([refused.statusCode, refused.json().message]).toEqual([429, messages.tooManyRequests])
    expect(refused.headers['access-control-allow-origin']).toBe('*')
  })

  test.each(['/trpc/movies.popular', '/%74rpc/movies.popular', '/docs'])(
    'does not read %s, which is not for others',
    async (url) => {
      expect((await from(url)).headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('may not call the web app’s own door', async () => {
    const answer = await asks('/trpc/reviews.save', 'POST')
    expect([answer.statusCode, answer.headers['access-control-allow-methods']]).toEqual([405, undefined])
  })
})

test('an OPTIONS that is no question of a browser is an unknown call', async () => {
  const answer = await app.inject({ method: 'OPTIONS', url: '/reviews', headers: { origin } })
  expect([answer.statusCode, answer.json()]).toEqual([404, { code: 'NOT_FOUND', message: 'Not found.' }])
})
