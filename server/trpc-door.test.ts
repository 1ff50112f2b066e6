import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './app.ts'
import { appRouter } from './router.ts'
import { aMember, aServer, aTitle } from './testing.ts'
import type { Context } from './trpc.ts'
import { noWeb } from './web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
let movieId: number
beforeAll(async () => {
  await aMember(server.db)
  movieId = await aTitle(server.db, 'movie', 'The Long Way')
})
afterAll(() => app.close())

/** What tRPC's own handler answers. */
async function stock(method: 'GET' | 'POST', url: string, body?: string) {
  const answer = await fetchRequestHandler({
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
      answer: {},
      userAgent: null,
      limit: async () => {},
      trust: async () => {},
    }),
  })
  return { status: answer.status, body: await answer.json() }
}

const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`
const login = JSON.stringify({ email: 'nobody@medley.example', password: 'wrong-password' })

describe('the plain handler answers what tRPC’s own does', () => {
  test.each<[what: string, method: 'GET' | 'POST', url: () => string, body?: string]>([
    ['a query', 'GET', () => `/trpc/movies.byId?${input({ id: movieId })}`],
    ['a query without an input', 'GET', () => '/trpc/movies.popular'],
    ['a title that is not there', 'GET', () => `/trpc/movies.byId?${input({ id: 1e9 })}`],
    ['an input that is wrong', 'GET', () => `/trpc/movies.byId?${input({ id: 'x' })}`],
    ['an input that is no JSON', 'GET', () => '/trpc/movies.byId?input={'],
    ['an input twice', 'GET', () => `/trpc/movies.byId?${input({ id: 1 })}&${input({ id: 2 })}`],
    ['a call for members', 'GET', () => '/trpc/accounts.me'],
    ['a path of nothing', 'GET', () => '/trpc/movies.nothing'],
    ['a path of every object', 'GET', () => '/trpc/constructor'],
    ['a mutation by GET', 'GET', () => `/trpc/accounts.login?${input({})}`],
    ['a query by POST', 'POST', () => '/trpc/movies.popular', '{}'],
    ['a mutation', 'POST', () => '/trpc/accounts.login', login],
    ['a mutation without a body', 'POST', () => '/trpc/accounts.login'],
    ['a mutation of no JSON', 'POST', () => '/trpc/accounts.login', '{"email":'],
    [
      'a batch',
      'GET',
      () => `/trpc/movies.byId,movies.popular?batch=1&${input({ 0: { id: movieId }, 1: {} })}`,
    ],
    [
      'a batch where one fails',
      'GET',
      () => `/trpc/movies.byId,movies.popular?batch=1&${input({ 0: { id: 1e9 } })}`,
    ],
    ['a batch of one mutation', 'POST', () => '/trpc/accounts.login?batch=1', `{"0":${login}}`],
    ['a batch with a wrong input', 'GET', () => `/trpc/movies.popular?batch=1&${input([1])}`],
    ['a batch with no input', 'GET', () => `/trpc/movies.popular?batch=1&${input(null)}`],
    [
      'a batch with a path of nothing',
      'GET',
      () => `/trpc/movies.popular,movies.nothing?batch=1&${input({})}`,
    ],
    ['a batch that is too large', 'GET', () => `/trpc/${Array(21).fill('movies.popular').join(',')}?batch=1`],
  ])('%s', async (_what, method, url, body) => {
    const answer = await app.inject({
      method,
      url: url(),
      ...(body === undefined ? {} : { payload: body, headers: { 'content-type': 'application/json' } }),
    })
    expect({ status: answer.statusCode, body: answer.json() }).toEqual(await stock(method, url(), body))
  })
})
