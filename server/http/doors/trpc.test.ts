import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { appRouter } from '#server/router.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import type { Context } from '#server/calls/context.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
let movieId: number
beforeAll(async () => {
  await aMember(server.db)
  movieId = await aTitle(server.db, 'movie', 'The Long Way')
})
afterAll(() => app.close())

async function trpcResponse(method: 'GET' | 'POST', url: string, body?: string) {
  const response = await fetchRequestHandler({
    endpoint: '/trpc',
    router: appRouter,
    maxBatchSize: 20,
    req: new Request(`http://localhost${url}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    }),
    createContext: async (): Promise<Context> => ({
      ...server.services,
      now: new Date(),
      member: null,
      log: app.log,
      requestId: 'one',
      address: '127.0.0.1',
      response: {},
      userAgent: null,
      limit: async () => {},
      recordLogin: () => {},
    }),
  })
  return { status: response.status, body: await response.json() }
}

const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`
const login = JSON.stringify({ email: 'unknown@medley.example', password: 'wrong-password' })

describe('the handler returns what tRPC’s own handler returns', () => {
  test.each<[what: string, method: 'GET' | 'POST', url: () => string, body?: string]>([
    ['a query', 'GET', () => `/trpc/movies.byId?${input({ id: movieId })}`],
    ['a query without an input', 'GET', () => '/trpc/movies.popular'],
    ['a missing title', 'GET', () => `/trpc/movies.byId?${input({ id: 1e9 })}`],
    ['an invalid input', 'GET', () => `/trpc/movies.byId?${input({ id: 'x' })}`],
    ['an input that is not JSON', 'GET', () => '/trpc/movies.byId?input={'],
    ['a repeated input', 'GET', () => `/trpc/movies.byId?${input({ id: 1 })}&${input({ id: 2 })}`],
    ['a call for members', 'GET', () => '/trpc/accounts.me'],
    ['an unknown path', 'GET', () => '/trpc/movies.nothing'],
    ['a path that every object has', 'GET', () => '/trpc/constructor'],
    ['a mutation by GET', 'GET', () => `/trpc/accounts.login?${input({})}`],
    ['a query by POST', 'POST', () => '/trpc/movies.popular', '{}'],
    ['a mutation', 'POST', () => '/trpc/accounts.login', login],
    ['a mutation without a body', 'POST', () => '/trpc/accounts.login'],
    ['a mutation whose body is not JSON', 'POST', () => '/trpc/accounts.login', '{"email":'],
    [
      'a batch',
      'GET',
      () => `/trpc/movies.byId,movies.popular?batch=1&${input({ 0: { id: movieId }, 1: {} })}`,
    ],
    [
      'a batch in which one call fails',
      'GET',
      () => `/trpc/movies.byId,movies.popular?batch=1&${input({ 0: { id: 1e9 } })}`,
    ],
    ['a batch of one mutation', 'POST', () => '/trpc/accounts.login?batch=1', `{"0":${login}}`],
    ['a batch with an invalid input', 'GET', () => `/trpc/movies.popular?batch=1&${input([1])}`],
    ['a batch with a null input', 'GET', () => `/trpc/movies.popular?batch=1&${input(null)}`],
    ['a batch with an unknown path', 'GET', () => `/trpc/movies.popular,movies.nothing?batch=1&${input({})}`],
    ['a batch whose input is not JSON', 'GET', () => '/trpc/movies.popular,books.popular?batch=1&input={'],
    ['a batch of unknown paths', 'GET', () => '/trpc/movies.nothing,books.nothing?batch=1&input={}'],
    ['a batch of one query', 'GET', () => '/trpc/movies.popular?batch=1&input={}'],
    ['two paths without batch', 'GET', () => '/trpc/movies.popular,books.popular?input={}'],
    ['a mutation without a content type', 'POST', () => '/trpc/accounts.logout'],
    ['an empty input', 'GET', () => '/trpc/movies.popular?input='],
    ['a batch that is too large', 'GET', () => `/trpc/${Array(21).fill('movies.popular').join(',')}?batch=1`],
  ])('%s', async (_what, method, url, body) => {
    const response = await app.inject({
      method,
      url: url(),
      ...(body === undefined ? {} : { payload: body, headers: { 'content-type': 'application/json' } }),
    })
    expect({ status: response.statusCode, body: response.json() }).toEqual(
      await trpcResponse(method, url(), body),
    )
  })
})

describe('tRPC’s own handler does not run', () => {
  test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('%s, which is 405', async (method) => {
    for (const path of ['movies.popular', 'accounts.login', 'movies.nothing', 'reviews.live']) {
      const response = await app.inject({ method, url: `/trpc/${path}` })
      expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, POST'])
      if (method === 'HEAD') continue
      expect(response.json().error).toMatchObject({
        message: messages.methodNotSupported,
        data: { code: 'METHOD_NOT_SUPPORTED', httpStatus: 405 },
      })
    }
  })

  test.each([
    ['a path that is encoded twice', `/trpc/movies%252Epopular?${input({})}`, 404],
    [
      'a batch whose commas are encoded twice',
      '/trpc/movies.popular%252Cmovies.popular?batch=1&input={}',
      404,
    ],
    [
      'a batch with two contradictory batch parameters',
      '/trpc/movies.popular,movies.popular?batch=0&batch=1&input={}',
      404,
    ],
    ['a batch of streams', `/trpc/reviews.live,reviews.live?batch=1&${input({ 0: { movieId: 1 } })}`, 400],
    ['a batch of queries and mutations', '/trpc/movies.popular,accounts.login?batch=1&input={}', 400],
    ['a mutation by GET under a path that does not decode', '/trpc/accounts.login,%25?batch=1&input={}', 207],
    ['an encoded path of a stream', `/trpc/reviews%252Elive?${input({ movieId: 1 })}`, 404],
    ['no path', '/trpc/', 404],
    ['a longer path', '/trpc/movies/popular', 404],
  ])('%s', async (_what, url, status) => {
    const response = await app.inject(url)
    expect(response.statusCode).toBe(status)
    expect(response.body).not.toContain('"result"')
  })

  test('a client that accepts streamed results receives one JSON body', async () => {
    const response = await app.inject({
      url: `/trpc/movies.popular,books.popular?batch=1&${input({ 0: {}, 1: {} })}`,
      headers: { 'trpc-accept': 'application/jsonl' },
    })
    expect(response.json()).toEqual([
      { result: { data: { popular: [] } } },
      { result: { data: { popular: [] } } },
    ])
  })
})

describe('a batch', () => {
  test('is limited to two megabytes; results beyond that are refused, the others are returned', async () => {
    const text = '字'.repeat(10_000)
    const itemId = await aTitle(server.db)
    for (let index = 0; index < 25; index++)
      await server.as(await aMember(server.db)).reviews.save({ itemId, rating: 3, text })
    const request = (calls: number, headers: Record<string, string> = {}) =>
      app.inject({
        url: `/trpc/${Array(calls).fill('reviews.list').join(',')}?batch=1&${input(
          Object.fromEntries(Array.from({ length: calls }, (_, at) => [at, { itemId, limit: 25 }])),
        )}`,
        headers,
      })
    const one = await request(1)
    expect(one.statusCode).toBe(200)
    const fitting = Math.floor((2 * 1024 * 1024) / one.rawPayload.length)
    expect(fitting).toBe(2)
    for (const headers of [{}, { 'trpc-accept': 'application/jsonl' }]) {
      const batch = await request(20, headers as Record<string, string>)
      expect(batch.statusCode).toBe(207)
      expect(batch.rawPayload.length).toBeLessThan(2 * 1024 * 1024 + 20_000)
      const results = batch.json() as { result?: object; error?: { message: string; data: object } }[]
      expect(results.filter(({ result }) => result)).toHaveLength(fitting)
      const errors = results.flatMap(({ error }) => error ?? [])
      expect(errors).toHaveLength(20 - fitting)
      expect(errors[0]).toMatchObject({
        message: messages.batchTooLarge,
        data: { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, path: 'reviews.list' },
      })
    }
  })
})
