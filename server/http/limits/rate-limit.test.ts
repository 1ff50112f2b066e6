import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTRPCClient, httpBatchLink, type TRPCClientError } from '@trpc/client'
import type { AnyProcedure } from '@trpc/server'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dayMs } from '#shared/domain/days.ts'
import { messages } from '#shared/texts/messages.ts'
import { setPassword } from '#server/accounts/credentials-store.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { buildApp } from '#server/app.ts'
import { type AppRouter, appRouter } from '#server/router.ts'
import { countTexts, type Meta } from '#server/calls/procedures.ts'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { fieldsOf } from '#scripts/testing/hostile-texts.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aSignedInMember, aMember, aServer, aTitle } from '#server/testing.ts'
import { LocalStore } from './rate-limit-store.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer()
const app = await buildApp(server.services, { web: noWeb })
// No window ends during a test, however slow the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

let lastAddress = 0
/** Returns an address that has not called yet. */
const anAddress = () => `198.51.${Math.floor(++lastAddress / 256)}.${lastAddress % 256}`

type TestCall = {
  method?: 'GET' | 'POST' | 'PUT'
  url: string
  payload?: object
  headers?: Record<string, string>
}
const call = async (remoteAddress: string, options: TestCall) => {
  // Calls that are refused or cached leave no turn to others.
  await nextTurn()
  return app.inject({ method: 'GET', ...options, remoteAddress })
}
/** All at once, in one turn of the event loop. */
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  withoutWatch(() => Promise.all(Array.from({ length: count }, (_, index) => work(index))))

const aToken = async () => (await aSignedInMember(server.db)).token

const login = { method: 'POST', url: '/auth/login', payload: {} } as const
const popular = { url: '/movies/popular' }

/** Tries a password. Returns the status. */
const guess = async (from: string, email: string, password = 'wrong password') =>
  (await call(from, { ...login, payload: { email, password } })).statusCode

describe('each limit has its own maximum and window', () => {
  test.each([
    ['login', login, 20, 300],
    ['setting a password', { method: 'POST', url: '/auth/reset-password', payload: {} }, 20, 300],
    ['registering', { method: 'POST', url: '/users/register', payload: {} }, 20, 3600],
    ['password emails', { method: 'POST', url: '/auth/forgot-password', payload: {} }, 30, 3600],
    ['verification emails', { method: 'POST', url: '/auth/resend-verification', payload: {} }, 30, 3600],
    ['challenges', { url: '/auth/challenge' }, 30, 3600],
    ['invites that are looked up', { url: '/invites/unknown' }, 30, 3600],
    ['searches of external sources', { url: '/tmdb/search?q=' }, 60, 60],
    ['uploads', { method: 'POST', url: '/upload', payload: {} }, 30, 600],
    ['verifying', { url: '/auth/verify-email' }, 120, 60],
    ['popular titles over a year', { url: '/movies/popular?days=365' }, 30, 60],
  ] satisfies [string, TestCall, number, number][])('%s', async (_name, request, max, seconds) => {
    const address = anAddress()
    // Sequentially: concurrent uploads of an address have a separate limit.
    const before = []
    for (let at = 0; at < max; at++) before.push(await call(address, request))
    expect(before.map(({ statusCode }) => statusCode)).not.toContain(429)
    const refused = await call(address, request)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({ code: 'TOO_MANY_REQUESTS', message: messages.tooManyRequests })
    expect(refused.headers).toMatchObject({
      'ratelimit-limit': String(max),
      'ratelimit-remaining': '0',
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
    })
    const retryAfter = Number(refused.headers['retry-after'])
    expect(retryAfter).toBeGreaterThan(seconds - 30)
    expect(retryAfter).toBeLessThanOrEqual(seconds)
    // Other addresses and other calls are not affected.
    expect((await call(anAddress(), request)).statusCode).not.toBe(429)
    expect((await call(address, popular)).statusCode).toBe(200)
  })

  test('calls are allowed again after the window', async () => {
    const address = anAddress()
    await times(20, () => call(address, login))
    expect((await call(address, login)).statusCode).toBe(429)
    vi.advanceTimersByTime(299_000)
    expect((await call(address, login)).statusCode).toBe(429)
    vi.advanceTimersByTime(1_000)
    expect((await call(address, login)).statusCode).toBe(400)
  })
})

describe('a dear call counts as several', () => {
  const dear = (address: string, at: number) => call(address, { url: `/lists?q=word${at}` })

  test('against the general limit; one that is refused leaves the rest to cheap ones', async () => {
    const address = anAddress()
    for (let at = 0; at < 119; at++) expect((await dear(address, at)).statusCode).toBe(200)
    // Once for the request if the response is cached, which Postgres allows for a moment only.
    const left = Number((await dear(address, 0)).headers['ratelimit-remaining'])
    expect(isSqlite(server.db) ? [9] : [9, 0]).toContain(left)
    // Cached or not, the request itself counts once.
    const refused = await dear(address, 200)
    expect([refused.statusCode, refused.headers['ratelimit-limit']]).toEqual([429, '1200'])
    for (let at = 1; at < left; at++) expect((await call(address, popular)).statusCode).toBe(200)
    expect((await call(address, popular)).statusCode).toBe(429)
    expect((await dear(anAddress(), 300)).statusCode).toBe(200)
  })

  test('on both transports, also in a batch', async () => {
    const address = anAddress()
    const input = encodeURIComponent(
      JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, { q: `batch${at}` }]))),
    )
    const url = `/trpc/${Array(20).fill('lists.search').join()}?batch=1&input=${input}`
    const statuses: number[] = []
    for (let round = 0; round < 7; round++) {
      // Another input, so that the response is not cached.
      const { body } = await call(address, {
        url: url.replaceAll('batch', (word, at) => (at > 300 ? `b${round}` : word)),
      })
      statuses.push(
        ...(body.match(/"result"|"error"/g) ?? []).map((found) => (found === '"result"' ? 200 : 429)),
      )
    }
    const passed = statuses.filter((status) => status === 200).length
    expect(passed).toBeGreaterThan(100)
    expect(passed).toBeLessThanOrEqual(120)
  })

  test('against the limit of writes of a member', async () => {
    const headers = { authorization: `Bearer ${await aToken()}` }
    const copy = () => call(anAddress(), { method: 'POST', url: '/lists/1/copy', payload: {}, headers })
    for (let at = 0; at < 24; at++) expect((await copy()).statusCode).toBe(404)
    expect((await copy()).statusCode).toBe(429)
  })

  test('if it is one of these', () => {
    const costs = Object.entries(
      appRouter._def.procedures as unknown as Record<string, AnyProcedure>,
    ).flatMap(([path, procedure]) => {
      const { cost } = procedure._def.meta as Meta
      return cost === undefined ? [] : [path]
    })
    expect(costs).toEqual(
      expect.arrayContaining([
        'lists.search',
        'lists.copy',
        'lists.changeItems',
        'diary.year',
        'diary.yearTwin',
        'social.tasteMatches',
        'items.search',
        'movies.search',
        'sources.search',
        'imports.again',
        'imports.undo',
      ]),
    )
  })
})

describe('the texts that a member writes in a day', () => {
  const day = 24 * 60 * 60_000
  const note = 'ä'.repeat(500)

  test('are limited in bytes, of all calls together and across restarts; invalid input, reads and other members do not count', async () => {
    const member = await aSignedInMember(server.db)
    const headers = { authorization: `Bearer ${member.token}` }
    const itemId = await aTitle(server.db, 'book')
    const { list } = await server.as(member).lists.create({ title: 'Notes' })
    const items = Array.from({ length: 100 }, () => ({ itemId, note }))
    const change = async (given: object[], from: { authorization: string } = headers) => {
      const url = `/lists/${list.id}/items/batch`
      // The limit of writes is another one.
      vi.advanceTimersByTime(10_000)
      const payload = { action: 'add', items: given }
      return call(anAddress(), { method: 'POST', url, payload, headers: from })
    }
    expect((await change([{ itemId, note: 'x'.repeat(100_000) }])).statusCode).toBe(400)
    for (let batch = 0; batch < 49; batch++) expect((await change(items)).statusCode).toBe(200)
    // The next one does not fit; a short text does.
    const refused = await change(items)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({ code: 'TOO_MANY_REQUESTS', message: messages.textQuotaUsed })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(day / 1_000 - 1_000)
    const review = (text: string) =>
      call(anAddress(), { method: 'POST', url: '/reviews', payload: { itemId, rating: 4, text }, headers })
    expect((await review('Short.')).statusCode).toBe(201)
    for (let at = 0; at < 9; at++) await review(String(at).repeat(10_000))
    expect((await review('x'.repeat(10_000))).statusCode).toBe(429)
    expect((await call(anAddress(), { url: '/users/me', headers })).statusCode).toBe(200)
    // Also after a restart.
    const restarted = await buildApp(server.services, { web: noWeb })
    const payload = { itemId, rating: 4, text: 'x'.repeat(10_000) }
    const send = { method: 'POST', url: '/reviews', payload, headers } as const
    expect((await restarted.inject(send)).json()).toMatchObject({ message: messages.textQuotaUsed })
    await restarted.close()
    const other = await aSignedInMember(server.db)
    expect((await change(items, { authorization: `Bearer ${other.token}` })).statusCode).toBe(404)
    vi.advanceTimersByTime(day)
    expect((await change(items)).statusCode).toBe(200)
  })

  test('are counted in every change of a member that has a text', () => {
    const [counting] = (countTexts as unknown as { _middlewares: unknown[] })._middlewares
    expect(counting).toBeTypeOf('function')
    const uncounted = Object.entries(
      appRouter._def.procedures as unknown as Record<string, AnyProcedure>,
    ).flatMap(([path, procedure]) => {
      const { type, meta, middlewares } = procedure._def as unknown as {
        type: string
        meta: Meta
        middlewares: unknown[]
      }
      if (type !== 'mutation' || !meta.requiresMember) return []
      const hasText = fieldsOf(procedure).some(({ isText }) => isText)
      return hasText && !middlewares.includes(counting) ? [path] : []
    })
    expect(uncounted).toEqual([])
  })
})

test('plays that a member marks are limited in a day, also of calls at the same time; what is played already does not count', async () => {
  const aShow = async () => {
    const id = await aTitle(server.db, 'tvShow')
    const [first] = await saveSeasons(server.db, id, { 1: ['2020-01-01', '2020-01-02'] })
    return { first, url: `/tv-shows/${id}/progress` }
  }
  const [{ first, url }, other] = [await aShow(), await aShow()]
  const request = { method: 'PUT', url } as const
  const headers = { authorization: `Bearer ${await aToken()}` }
  expect((await call(anAddress(), { ...request, headers, payload: { season: 1 } })).statusCode).toBe(200)
  // Of the limits in a day.
  const days = sql`ends_at > ${Date.now() + dayMs / 2}`
  const setMarked = (from: number, count: number) =>
    sql`update limit_counts set count = ${count} where count = ${from} and ${days}`.execute(server.db)
  await setMarked(2, 99_999)
  const restarted = await buildApp(server.services, { web: noWeb })
  const mark = async (payload: object, to = url) =>
    (await restarted.inject({ ...request, url: to, headers, payload })).statusCode
  expect(await mark({ season: 1, again: true })).toBe(429)
  expect(await mark({ season: 1 })).toBe(200)
  expect(await mark({ episodeIds: [first], again: true })).toBe(200)
  expect(await mark({ season: 1 })).toBe(429)

  await setMarked(100_000, 99_999)
  const both = await Promise.all([
    mark({ episodeIds: [first], again: true }),
    mark({ episodeIds: [other.first] }, other.url),
  ])
  expect(both.sort()).toEqual([200, 429])
  await restarted.close()
})

describe('limits by account', () => {
  test('count password guesses from all addresses, regardless of the email’s letter case', async () => {
    // A few at a time: under overload, requests are shed before they count as guesses.
    for (let round = 0; round < 5; round++) {
      const responses = await times(20, (index) =>
        guess(anAddress(), index % 2 ? 'ada@example.org' : 'ADA@Example.org'),
      )
      expect(new Set(responses)).toEqual(new Set([401]))
    }
    expect(await guess(anAddress(), 'ada@example.org')).toBe(429)
    expect(await guess(anAddress(), 'grace@example.org')).toBe(401)
  })

  test('lock out only the attacker if all guesses come from one address', async () => {
    const [stranger, owner] = [anAddress(), anAddress()]
    const { username } = await aMember(server.db)
    const responses = await times(10, () => guess(stranger, `${username}@example.org`))
    expect(new Set(responses)).toEqual(new Set([401]))
    expect(await guess(stranger, `${username}@example.org`)).toBe(429)
    // Refused guesses do not count against the account.
    await times(200, () => guess(stranger, `${username}@example.org`))
    expect(await guess(owner, `${username}@example.org`)).toBe(401)
  })

  test('allow further logins from an address with a successful login, despite guesses from elsewhere', async () => {
    const [home, elsewhere] = [anAddress(), anAddress()]
    const { id, username } = await aMember(server.db)
    await setPassword(server.db, id, await hashPassword('six-or-more'), new Date())
    const email = `${username}@example.org`
    expect(await guess(home, email, 'six-or-more')).toBe(200)
    for (let round = 0; round < 5; round++) await times(20, () => guess(anAddress(), email))
    expect(await guess(elsewhere, email, 'six-or-more')).toBe(429)
    expect(await guess(home, email, 'six-or-more')).toBe(200)
    // Guesses from that address are limited too.
    await times(8, () => guess(home, email))
    expect(await guess(home, email)).toBe(429)
  })

  test('allow confirmations from an address with a successful login, despite guesses of a stolen session elsewhere', async () => {
    const home = anAddress()
    const { id, username } = await aMember(server.db)
    await setPassword(server.db, id, await hashPassword('six-or-more'), new Date())
    const payload = { email: `${username}@example.org`, password: 'six-or-more' }
    const { token } = (await call(home, { ...login, payload })).json<{ token: string }>()
    const headers = { authorization: `Bearer ${token}` }
    const confirm = async (from: string, given: string) =>
      (
        await call(from, {
          method: 'POST',
          url: '/users/me/confirmation',
          payload: { password: given },
          headers,
        })
      ).statusCode
    for (let round = 0; round < 5; round++) await times(20, () => confirm(anAddress(), 'wrong password'))
    expect(await confirm(anAddress(), 'six-or-more')).toBe(429)
    expect(await confirm(home, 'six-or-more')).toBe(200)
  })

  test('count emails to one account by requesting address: a stranger cannot block the owner', async () => {
    const [stranger, owner] = [anAddress(), anAddress()]
    const ask = async (from: string, url: string, email = 'unknown@example.org') =>
      (await call(from, { method: 'POST', url, payload: { email } })).statusCode
    await times(5, () => ask(stranger, '/auth/forgot-password'))
    await times(5, () => ask(stranger, '/auth/resend-verification'))
    expect(await ask(stranger, '/auth/forgot-password')).toBe(429)
    expect(await ask(stranger, '/auth/forgot-password', 'other@example.org')).toBe(200)
    expect(await ask(owner, '/auth/forgot-password')).toBe(200)
  })

  test('count writes of one member from all addresses', async () => {
    const headers = { authorization: `Bearer ${await aToken()}` }
    const write = () => call(anAddress(), { method: 'POST', url: '/reviews', payload: {}, headers })
    await times(120, write)
    const refused = await write()
    expect([refused.statusCode, refused.headers['ratelimit-limit']]).toEqual([429, '120'])
    const another = { authorization: `Bearer ${await aToken()}` }
    const response = await call(anAddress(), {
      method: 'POST',
      url: '/reviews',
      payload: {},
      headers: another,
    })
    expect(response.statusCode).toBe(400)
    // Reads are not affected.
    expect((await call(anAddress(), { url: '/users/me', headers })).statusCode).toBe(200)
  })

  test.each([
    ['/upload', 30],
    ['/imports', 10],
  ])('count files that one member sends to %s from all addresses', async (url, max) => {
    const headers = { authorization: `Bearer ${await aToken()}` }
    const send = () => call(anAddress(), { method: 'POST', url, payload: {}, headers })
    const before = await times(max, send)
    expect(before.map(({ statusCode }) => statusCode)).not.toContain(429)
    expect((await send()).statusCode).toBe(429)
  })
})

describe('the general limit', () => {
  const max = 1_200
  const page = { url: '/movies/popular', headers: { accept: 'text/html' } }

  test('counts data, pages and unknown paths alike; files and the health check are exempt', async () => {
    const address = anAddress()
    const requests = [popular, page, { url: '/nowhere' }, { url: '/somewhere/else', headers: page.headers }]
    const responses = await times(max, (index) => call(address, requests[index % requests.length]!))
    expect(responses.map(({ statusCode }) => statusCode)).not.toContain(429)
    for (const request of [...requests, { url: '/assets/nothing.js' }, { url: '/healthz/x' }]) {
      const refused = await call(address, request)
      expect(refused.statusCode).toBe(429)
      expect(refused.json()).toEqual({ code: 'TOO_MANY_REQUESTS', message: messages.tooManyRequests })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30)
    }
    for (const url of ['/healthz', '/starter/backdrop-1-books-a-brief-history-of-time-1280.webp'])
      expect((await call(address, { url })).statusCode).toBe(200)
  })

  /** Uses up a part of the limit; a few calls at a time, so that the server does not shed load. */
  const use = async (address: string, calls: number) => {
    for (let left = calls; left > 0; left -= 100)
      await times(Math.min(left, 100), () => call(address, { url: '/nowhere' }))
  }

  test('counts missing files, and returns no page for them', async () => {
    const urls = [
      '/uploads/nothing-160.webp',
      '/%75ploads/nothing.webp',
      '/uploads/..%2fmedley.sqlite',
      '/starter/nothing.webp',
      '/assets/nothing.js',
    ]
    const address = anAddress()
    for (const url of urls) {
      const response = await call(address, { url, headers: page.headers })
      expect(response.json()).toMatchObject({ code: expect.stringMatching(/^(NOT_FOUND|FORBIDDEN)$/) })
      expect(response.body.length).toBeLessThan(200)
    }
    await use(address, max - urls.length)
    for (const url of [...urls, '/movies/popular']) {
      const refused = await call(address, { url, headers: page.headers })
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'TOO_MANY_REQUESTS'])
      expect(refused.headers['retry-after']).toBeDefined()
    }
    expect(
      (await call(address, { url: '/starter/backdrop-1-books-a-brief-history-of-time-1280.webp' }))
        .statusCode,
    ).toBe(200)
  })

  test('counts each call of a batch; calls within the limit succeed', async () => {
    const address = anAddress()
    const batch = (calls: number) => {
      const inputs = encodeURIComponent(JSON.stringify({ ...Array.from({ length: calls }, () => ({})) }))
      return { url: `/trpc/${Array(calls).fill('movies.popular').join(',')}?batch=1&input=${inputs}` }
    }
    const remaining = async (request: TestCall) =>
      Number((await call(address, request)).headers['ratelimit-remaining'])
    expect(await remaining(batch(20))).toBe(max - 20)
    // Encoded commas and streamed results do not bypass it.
    expect(await remaining({ url: batch(20).url.replaceAll(',movies', '%2Cmovies') })).toBe(max - 40)
    const headers = { 'trpc-accept': 'application/jsonl' }
    expect(await remaining({ url: batch(20).url, headers })).toBe(max - 60)
    await use(address, max - 65)
    const last = await call(address, batch(15))
    expect(last.statusCode).toBe(207)
    const codes = last.json().map((one: { error?: { data: { code: string } } }) => one.error?.data.code)
    expect(codes).toEqual([...Array(5).fill(undefined), ...Array(10).fill('TOO_MANY_REQUESTS')])
    expect(last.headers).toMatchObject({ 'ratelimit-remaining': '0', 'retry-after': expect.any(String) })
  })

  test('does not count the health check', async () => {
    const address = anAddress()
    await times(max, () => call(address, { url: '/healthz' }))
    const response = await call(address, popular)
    expect(response.headers).toMatchObject({
      'ratelimit-limit': String(max),
      'ratelimit-remaining': String(max - 1),
      'ratelimit-reset': '60',
    })
    expect(response.headers['retry-after']).toBeUndefined()
  })

  test('headers show the limit with the fewest calls remaining', async () => {
    const response = await call(anAddress(), login)
    expect(response.headers).toMatchObject({ 'ratelimit-limit': '20', 'ratelimit-remaining': '19' })
  })
})

describe('the tRPC transport', () => {
  const clientFrom = (url: string) =>
    createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({
          maxItems: 20,
          url: `${url}/trpc`,
          fetch: async (...args) => {
            const response = await fetch(...(args as Parameters<typeof fetch>))
            seen.push(response)
            return response
          },
        }),
      ],
    })
  const seen: Response[] = []

  test('returns 429 and Retry-After for a limited call, and runs the other calls of its batch', async () => {
    const ownApp = await buildApp(server.services, { web: noWeb })
    const client = clientFrom(await ownApp.listen({ port: 0, host: '127.0.0.1' }))
    const search = () => client.sources.searchTmdb.query({ q: ' ' }).catch((error: unknown) => error)
    await times(60, search)
    seen.length = 0
    const [refused, succeeded] = await Promise.all([
      search() as Promise<TRPCClientError<AppRouter>>,
      client.movies.popular.query({}),
    ])
    expect(refused.data).toMatchObject({ code: 'TOO_MANY_REQUESTS', httpStatus: 429 })
    expect(refused.message).toBe(messages.tooManyRequests)
    expect(succeeded).toEqual({ popular: [] })
    expect(seen.map(({ status }) => status)).toEqual([207])
    expect(Number(seen[0]!.headers.get('retry-after'))).toBeGreaterThan(30)
    await search()
    expect(seen[1]!.status).toBe(429)
    expect(Number(seen[1]!.headers.get('retry-after'))).toBeGreaterThan(30)
    await ownApp.close()
  })

  test('accepts at most twenty calls per request', async () => {
    const batch = (count: number) =>
      app.inject(`/trpc/${Array.from({ length: count }, () => 'accounts.me').join(',')}?batch=1&input={}`)
    expect((await batch(20)).statusCode).toBe(401)
    expect((await batch(21)).statusCode).toBe(400)
  })

  test('returns errors of the general limit in tRPC’s shape', async () => {
    const ownApp = await buildApp(server.services, { web: noWeb })
    const url = await ownApp.listen({ port: 0, host: '127.0.0.1' })
    const client = clientFrom(url)
    await times(1_200, () => ownApp.inject('/nowhere'))
    const errors = await Promise.all([
      client.movies.popular.query({}).catch((error: unknown) => error),
      client.books.popular.query({}).catch((error: unknown) => error),
    ])
    for (const error of errors as TRPCClientError<AppRouter>[]) {
      expect(error.data).toMatchObject({ code: 'TOO_MANY_REQUESTS', httpStatus: 429 })
      expect(error.message).toBe(messages.tooManyRequests)
    }
    await ownApp.close()
  })
})

describe('the client’s address', () => {
  type From = { remoteAddress: string; headers?: Record<string, string> }
  /** Exhausts the login limit of a client. Returns a function that tells whether another client is limited too. */
  const exhaustLimit = async (one: typeof app, from: From) => {
    await times(20, () => one.inject({ ...login, ...from }))
    return async (other: From) => (await one.inject({ ...login, ...other })).statusCode === 429
  }

  test('a /64 of IPv6 counts as one address', async () => {
    const isLimited = await exhaustLimit(app, { remoteAddress: '2001:db8:1:2::1' })
    expect(await isLimited({ remoteAddress: '2001:db8:1:2:ffff:ffff:ffff:ffff' })).toBe(true)
    expect(await isLimited({ remoteAddress: '2001:db8:1:3::1' })).toBe(false)
  })

  test('a /48 of IPv6 counts as four networks of /64, and what one of them has too much does not use that up', async () => {
    const from = (network: number) => `2001:db8:48:${network.toString(16)}::1`
    await times(25, () => call(from(1), login))
    for (const network of [2, 3, 4]) await times(19, () => call(from(network), login))
    const last = []
    for (const network of [5, 6, 7, 8]) last.push(await call(from(network), login))
    expect(last.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 429])
    expect(last[3]!.headers).toMatchObject({ 'ratelimit-limit': '80', 'ratelimit-remaining': '0' })
    expect(Number(last[3]!.headers['retry-after'])).toBeGreaterThan(270)
    expect((await call('2001:db8:49::1', login)).statusCode).toBe(400)
  })

  test('a /48 has the password guesses of one address; its owner’s network keeps its own', async () => {
    const { id, username } = await aMember(server.db)
    await setPassword(server.db, id, await hashPassword('six-or-more'), new Date())
    const email = `${username}@example.org`
    const home = '2001:db8:50:1::1'
    expect(await guess(home, email, 'six-or-more')).toBe(200)
    await times(10, (index) => guess(`2001:db8:50:${10 + index}::1`, email))
    expect(await guess('2001:db8:50:99::1', email, 'six-or-more')).toBe(429)
    expect(await guess('2001:db8:51::1', email, 'six-or-more')).toBe(200)
    expect(await guess(home, email, 'six-or-more')).toBe(200)
  })

  test('an IPv4-mapped IPv6 address counts as the IPv4 address', async () => {
    const isLimited = await exhaustLimit(app, { remoteAddress: '203.0.113.7' })
    expect(await isLimited({ remoteAddress: '::ffff:203.0.113.7' })).toBe(true)
    expect(await isLimited({ remoteAddress: '::ffff:203.0.113.8' })).toBe(false)
  })

  const forwarded = (remoteAddress: string, list: string) => ({
    remoteAddress,
    headers: { 'x-forwarded-for': list, 'x-real-ip': list, forwarded: `for=${list}` },
  })

  test('forwarding headers are ignored if no proxy is trusted', async () => {
    const address = anAddress()
    const isLimited = await exhaustLimit(app, { remoteAddress: address })
    expect(await isLimited(forwarded(address, '203.0.113.50'))).toBe(true)
  })

  test('behind a trusted proxy, the address that the proxy saw counts, and not the header that the client sent', async () => {
    const config = { ...server.config, trustProxy: 'loopback, linklocal, uniquelocal' }
    const ownApp = await buildApp({ ...server.services, config }, { web: noWeb })
    const isLimited = await exhaustLimit(ownApp, forwarded('10.0.0.2', '203.0.113.60'))
    expect(await isLimited(forwarded('10.0.0.3', '192.0.2.99, 203.0.113.60'))).toBe(true)
    expect(await isLimited(forwarded('10.0.0.2', '203.0.113.61'))).toBe(false)
    // A client on a trusted network controls the entries before its address: invalid addresses share one count.
    const isJunkLimited = await exhaustLimit(ownApp, forwarded('10.0.0.2', `${'x'.repeat(2_000)}, 10.0.0.9`))
    expect(await isJunkLimited(forwarded('10.0.0.2', 'y, 10.0.0.9'))).toBe(true)
    // A client that bypasses the proxy is counted by its own address.
    const isOutsiderLimited = await exhaustLimit(ownApp, { remoteAddress: '203.0.113.70' })
    expect(await isOutsiderLimited(forwarded('203.0.113.70', '203.0.113.71'))).toBe(true)
    await ownApp.close()
  })
})

describe('counts in memory', () => {
  const counting = (store = new LocalStore()) => {
    return (key: string, windowMs = 60_000) => {
      let counted!: { current: number; ttl: number }
      store.incr(key, (_error, result) => (counted = result!), windowMs, 10)
      return counted
    }
  }
  let others = 0
  const flood = (count: ReturnType<typeof counting>) => {
    for (let key = 0; key < 25_000; key++) count(`other ${++others}`)
  }

  test('are not dropped before their window ends, whatever else is counted', async () => {
    const count = counting()
    for (let calls = 1; calls <= 3; calls++) expect(count('early')).toEqual({ current: calls, ttl: 60_000 })
    vi.advanceTimersByTime(20_000)
    await withoutWatch(() => flood(count))
    expect(count('early')).toEqual({ current: 4, ttl: 40_000 })
    // The memory is full: these keys share counts.
    const { current } = count('late')
    vi.advanceTimersByTime(39_999)
    await withoutWatch(() => flood(count))
    expect(count('early')).toEqual({ current: 5, ttl: 1 })
    expect(count('late').current).toBeGreaterThan(current)
    // Free memory does not restart a count.
    vi.advanceTimersByTime(1)
    expect(count('late').current).toBeGreaterThan(current + 1)
    vi.advanceTimersByTime(60_000)
    expect(count('early')).toEqual({ current: 1, ttl: 60_000 })
  })

  test('restart after their window', () => {
    const count = counting()
    expect([count('key'), count('key')]).toMatchObject([{ current: 1 }, { current: 2 }])
    vi.advanceTimersByTime(59_999)
    expect(count('key')).toEqual({ current: 3, ttl: 1 })
    vi.advanceTimersByTime(1)
    expect(count('key')).toEqual({ current: 1, ttl: 60_000 })
    vi.advanceTimersByTime(3_600_000)
    expect(count('key')).toEqual({ current: 1, ttl: 60_000 })
  })
})

test('logins with a member’s own account do not make other members’ addresses forgotten', async () => {
  const [owner, attacker] = [await aMember(server.db), await aMember(server.db)]
  for (const { id } of [owner, attacker])
    await setPassword(server.db, id, await hashPassword('six-or-more'), new Date())
  const emailOf = ({ username }: typeof owner) => `${username}@example.org`
  const home = anAddress()
  expect(await guess(home, emailOf(owner), 'six-or-more')).toBe(200)
  for (let login = 0; login < 30; login++) await guess(anAddress(), emailOf(attacker), 'six-or-more')
  for (let round = 0; round < 5; round++) await times(20, () => guess(anAddress(), emailOf(owner)))
  expect(await guess(anAddress(), emailOf(owner), 'six-or-more')).toBe(429)
  expect(await guess(home, emailOf(owner), 'six-or-more')).toBe(200)
})

test('with rate limits off, nothing is counted and no header is sent', async () => {
  const config = { ...server.config, hasRateLimits: false }
  const ownApp = await buildApp({ ...server.services, config }, { web: noWeb })
  const responses = await times(30, () => ownApp.inject(login))
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([400]))
  expect(Object.keys(responses[0]!.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([])
  await ownApp.close()
})
