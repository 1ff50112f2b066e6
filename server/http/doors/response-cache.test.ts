import { openInboxWatch } from '#server/notifications/watch.ts'
import { TRPCError } from '@trpc/server'
import fastify, { type FastifyRequest } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { seeded } from '#scripts/testing/random.ts'
import { buildApp } from '#server/app.ts'
import { openDatabase } from '#server/db/open.ts'
import { openLive } from '#server/reviews/live.ts'
import { appRouter } from '#server/router.ts'
import { aSession, aMember, aServer, aTitle } from '#server/testing.ts'
import type { Member } from '#server/calls/context.ts'
import {
  type Computed,
  openResponseCache,
  type PreparedResponse,
  prepareResponse,
  servePrepared,
} from './response-cache.ts'
import { noWeb, type Web } from '#server/http/pages/web.ts'

/** Pages with the data that the loaders of a title page read. */
const web: Web = {
  ...noWeb,
  async page(url, { procedures }) {
    const id = Number(/^\/movies\/(\d+)/.exec(url)?.[1])
    if (!id) return noWeb.shell(url)
    const call = appRouter.createCaller(await procedures.createContext())
    const [title, { reviews }] = await Promise.all([
      call.movies.byId({ id }),
      call.reviews.list({ movieId: id }),
    ])
    return { status: 200, html: `<!doctype html>${JSON.stringify({ title, reviews })}` }
  },
}

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, config, services } = server
const isPostgres = config.databaseUrl !== undefined
let counts!: { hits: number; misses: number }
const app = await buildApp(services, {
  web,
  metrics: { measure: (_app, cache) => (counts = cache.counts), text: async () => '' },
})
/** The same database without a version, so that no result is cached. */
const unversioned = { ...services, db: db.withoutPlugins(), config: { ...config, cacheBytes: 0 } }
const uncached = await buildApp(unversioned, { web })
/** The same database as another process sees it. */
const otherDb = openDatabase(config)
const otherLive = await openLive({
  config,
  db: otherDb,
  log: app.log,
  inboxes: openInboxWatch(otherDb, app.log),
})
const other = await buildApp({ ...services, db: otherDb, live: otherLive }, { web })
afterAll(async () => {
  await Promise.all([app.close(), uncached.close(), other.close()])
  await otherLive.close()
  await otherDb.destroy()
})

const realNow = performance.now.bind(performance)
/** Advances the monotonic clock. */
function pass(ms: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
}
afterEach(() => vi.restoreAllMocks())

const get = (url: string, headers: Record<string, string> = {}, of = app) => of.inject({ url, headers })
const trpc = (path: string, input?: object) =>
  `/trpc/${path}${input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`

const aToken = (member: Pick<Member, 'id'>) => aSession(db, member)

let movieId: number
let member: Member
beforeAll(async () => {
  movieId = await aTitle(db, 'movie', 'The Long Way')
  member = await aMember(db)
  await server.as(member).reviews.save({ movieId, rating: 4, text: 'A review. '.repeat(200) })
})

describe('a read that begins after a write was acknowledged shows the write', () => {
  test.each([1, 2, 3])('after random writes of this process and of another, seed %i', async (seed) => {
    const random = seeded(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const members = await Promise.all(Array.from({ length: 3 }, () => aMember(db)))
    const movies = await Promise.all(Array.from({ length: 3 }, () => aTitle(db)))
    const reviews: number[] = []
    type Writer = ReturnType<typeof server.as>
    const writes: ((as: Writer) => Promise<unknown>)[] = [
      async (as) => {
        const text = random() < 0.7 ? `Text ${random()} ${'long '.repeat(random() * 500)}` : undefined
        const { review } = await as.reviews.save({
          movieId: pick(movies),
          rating: 1 + Math.floor(random() * 5),
          ...(text && { text }),
        })
        reviews.push(review.id)
      },
      (as) => as.reviews.react({ id: pick(reviews), reaction: pick(['like', 'dislike', 'none']) }),
      (as) => as.reviews.addComment({ id: pick(reviews), text: `Comment ${random()}` }),
      (as) => as.reviews.remove({ id: pick(reviews) }),
      (as) => as.social.follow({ userIdToFollow: pick(members).id }),
      (as) => as.social.unfollow({ userIdToUnfollow: pick(members).id }),
      (as) => as.favoriteMovies.add({ movieId: pick(movies) }),
      (as) => as.favoriteMovies.remove({ id: pick(movies) }),
      (as) => as.accounts.updateProfile({ username: `name${seed}x${Math.floor(random() * 1e9)}` }),
      async (as) => movies.push((await as.movies.create({ name: `Movie ${random()}` })).movie.id),
    ]
    // Some are refused (a review that another member wrote, the caller's own id), which changes nothing.
    const write = (on = db) =>
      pick(writes)(server.as(pick(members), { services: { db: on } })).catch((error: unknown) => {
        if (!(error instanceof TRPCError)) throw error
      })
    const title = () => pick(movies)
    const headers = { authorization: `Bearer ${await aToken(members[0]!)}` }
    const reads: (() => { url: string; headers?: Record<string, string> })[] = [
      () => ({ url: `/movies/${title()}` }),
      () => ({ url: `/movies/${title()}/rating-histogram` }),
      () => ({ url: `/reviews?movieId=${title()}&sortBy=rating` }),
      () => ({ url: `/reviews/${pick(reviews) ?? 1}/comments` }),
      () => ({ url: '/movies/popular?limit=5' }),
      () => ({ url: '/items?limit=5' }),
      () => ({ url: '/movies/search?q=movie' }),
      () => ({ url: '/users/search?q=name' }),
      () => ({ url: `/users/${pick(members).id}/profile` }),
      () => ({ url: `/users/${pick(members).id}/followers` }),
      () => ({ url: `/favorite-movies/${pick(members).id}` }),
      () => ({ url: trpc('reviews.list', { movieId: title() }) }),
      () => ({
        url: `/trpc/movies.byId,movies.popular?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: { id: title() }, 1: {} }))}`,
      }),
      () => ({ url: `/movies/${title()}`, headers: { accept: 'text/html' } }),
      // Results that are the same for all members are cached as well.
      () => ({ url: '/movies/popular?limit=5', headers }),
      () => ({ url: '/movies/search?q=movie', headers }),
      () => ({ url: '/items/search?q=movie', headers }),
    ]
    const known = new Map<string, string>()
    let notModified = 0
    let elapsedMs = 0
    for (let step = 0; step < 60; step++) {
      // Concurrent reads may return the state before or after the write, but must not leave the older one in the cache.
      const beside = Array.from({ length: 3 }, () => pick(reads)())
      const isOther = random() < 0.3
      await Promise.all([
        ...beside.map(({ url, headers }) => get(url, headers)),
        write(isOther ? otherDb : db),
        ...beside.map(({ url, headers }) => get(url, headers)),
      ])
      // On Postgres the writes of another process show within a second.
      if (isOther && isPostgres) pass((elapsedMs += 1_000))
      for (const { url, headers } of [...beside, pick(reads)()]) {
        const expected = await get(url, headers, uncached)
        const key = `${url} ${headers?.['accept']} ${headers?.['authorization']}`
        const etag = known.get(key)
        const response = await get(url, { ...headers, ...(etag && { 'if-none-match': etag }) })
        if (response.statusCode === 304) {
          notModified++
          expect([url, etag]).toEqual([url, expected.headers['etag']])
        } else {
          expect([url, response.statusCode, response.body]).toEqual([url, expected.statusCode, expected.body])
          expect(response.headers['etag']).toBe(expected.headers['etag'])
        }
        if (response.headers['etag']) known.set(key, String(response.headers['etag']))
      }
    }
    expect(notModified).toBeGreaterThan(20)
  })

  test('of a review that another process saved, as soon as it is announced', async () => {
    const id = await aTitle(db)
    const url = `/movies/${id}/rating-histogram`
    // The age of a response does not matter.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    expect((await get(url, {}, other)).json().total).toBe(0)
    await server.as(member).reviews.save({ movieId: id, rating: 5 })
    await expect.poll(async () => (await get(url, {}, other)).json().total).toBe(1)
  })

  test('also if the write comes while the first read runs', async () => {
    const cache = openResponseCache(services, () => Buffer.alloc(0))
    const read = (text: string, until: Promise<unknown>) =>
      cache.read('key', async (): Promise<Computed> => {
        await until
        return { response: prepareResponse(200, {}, text), isShareable: true }
      })
    let finish!: () => void
    const slow = read('old', new Promise<void>((resolve) => (finish = resolve)))
    await aTitle(db)
    const fresh = await read('new', Promise.resolve())
    finish()
    expect([(await slow).identity, fresh.identity]).toEqual(['old', 'new'])
    expect(cache.find('key')?.identity).toBe('new')
  })
})

describe('the cache', () => {
  const answer = (text: string, isShareable = true): Computed => ({
    response: prepareResponse(200, {}, text),
    isShareable,
  })
  const aCache = (cacheBytes = 100_000) =>
    openResponseCache({ db, config: { cacheBytes } }, (_encoding, content) => Buffer.from(content as string))

  test('runs concurrent reads of one key once', async () => {
    const cache = aCache()
    const compute = vi.fn<() => Promise<Computed>>(async () => answer('one'))
    const responses = await Promise.all([1, 2, 3].map(() => cache.read('key', compute)))
    expect(responses.map(({ identity }) => identity)).toEqual(['one', 'one', 'one'])
    expect(compute).toHaveBeenCalledTimes(1)
    expect(cache.counts).toEqual({ hits: 2, misses: 1 })
  })

  test('shares neither failures nor what counted against a rate limit, except that the server is busy', async () => {
    const cache = aCache()
    let calls = 0
    const fails = async (): Promise<Computed> => {
      throw new TRPCError({ code: 'NOT_FOUND', message: String(++calls) })
    }
    const failures = await Promise.allSettled([cache.read('a', fails), cache.read('a', fails)])
    expect(failures.map((one) => (one as PromiseRejectedResult).reason.message)).toEqual(['1', '2'])
    const counted = async () => answer(String(++calls), false)
    await Promise.all([cache.read('b', counted), cache.read('b', counted)])
    expect([calls, cache.has('b')]).toEqual([4, false])
    const busy = async (): Promise<Computed> => {
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: String(++calls) })
    }
    await Promise.allSettled([cache.read('c', busy), cache.read('c', busy)])
    expect(calls).toBe(5)
  })

  test('takes no more memory than it may, however many keys, long keys and large responses there are', async () => {
    const cache = aCache(100_000)
    const keys = Array.from({ length: 1_000 }, (_, at) => `key ${at}`)
    for (const key of keys) await cache.read(key, async () => answer('x'.repeat(1_000)))
    const kept = keys.filter(cache.has)
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.length).toBeLessThan(40)
    const long = 'k'.repeat(3_000)
    await cache.read(long, async () => answer('x'))
    await cache.read('large', async () => answer('x'.repeat(50_000)))
    expect([cache.has(long), cache.has('large')]).toEqual([false, false])
  })

  test('counts the compressed bodies of its responses too', async () => {
    const cache = aCache(100_000)
    const request = {
      headers: { 'accept-encoding': 'br' },
      accepts: () => ({ encoding: () => 'br' }),
    } as unknown as FastifyRequest
    const reply = { hasHeader: () => true } as Record<string, unknown>
    for (const method of ['status', 'headers', 'header', 'send']) reply[method] = () => reply
    const keys = Array.from({ length: 60 }, (_, at) => `key ${at}`)
    for (const key of keys) await cache.read(key, async () => answer('x'.repeat(2_000)))
    const uncompressed = keys.filter(cache.has)
    for (const key of uncompressed) {
      const response = cache.find(key)
      if (response) cache.send(request, reply as never, response)
    }
    // A response takes 5 KB, and 7 KB with a compressed body.
    expect(uncompressed).toHaveLength(19)
    expect(keys.filter(cache.has)).toHaveLength(14)
  })

  test('is limited by the age of a response, because some depend on the time', async () => {
    const cache = aCache()
    await cache.read('key', async () => answer('x'))
    expect(cache.has('key')).toBe(true)
    pass(10_000)
    expect(cache.has('key')).toBe(false)
  })

  test('keeps nothing of size 0', async () => {
    const cache = aCache(0)
    expect((await cache.read('key', async () => answer('x'))).identity).toBe('x')
    expect([cache.has('key'), cache.find('key')]).toEqual([false, undefined])
  })
})

describe('visitors', () => {
  test.each<[what: string, url: () => string, headers: Record<string, string>]>([
    ['REST', () => `/reviews?movieId=${movieId}`, {}],
    ['tRPC', () => trpc('reviews.list', { movieId }), {}],
    ['a page', () => `/movies/${movieId}`, { accept: 'text/html' }],
  ])('get a tag, and 304 if they have the response: %s', async (_what, url, headers) => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const all = { ...headers, 'accept-encoding': encoding }
      const first = await get(url(), all)
      const again = await get(url(), all)
      expect(first.statusCode).toBe(200)
      expect(first.headers).toMatchObject({
        'cache-control': 'public, no-cache',
        vary: expect.stringContaining('Accept, Accept-Encoding, Authorization'),
        etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      })
      expect(first.headers['content-encoding'] ?? 'identity').toBe(encoding)
      const { 'x-request-id': _one, ...sent } = first.headers
      const { 'x-request-id': _other, ...sentAgain } = again.headers
      expect({ ...sentAgain, date: 0 }).toEqual({ ...sent, date: 0 })
      expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
      const etag = String(first.headers['etag'])
      for (const tags of [etag, `"x", ${etag}`, etag.replace('W/', ''), '*']) {
        const known = await get(url(), { ...all, 'if-none-match': tags })
        expect([known.statusCode, known.body]).toEqual([304, ''])
        for (const name of ['etag', 'vary', 'cache-control', 'content-security-policy'])
          expect([name, known.headers[name]]).toEqual([name, first.headers[name]])
      }
      expect((await get(url(), { ...all, 'if-none-match': 'W/"other"' })).statusCode).toBe(200)
    }
  })

  test('may send HEAD, which has the headers of GET', async () => {
    const url = `/reviews?movieId=${movieId}`
    for (const headers of [{}, { 'accept-encoding': 'br' }, { accept: 'text/html' }]) {
      const full = await get(url, headers)
      const head = await app.inject({ method: 'HEAD', url, headers })
      expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
      for (const name of ['content-length', 'content-encoding', 'content-type', 'etag', 'vary'])
        expect([name, head.headers[name]]).toEqual([name, full.headers[name]])
      const etag = String(full.headers['etag'])
      const known = await app.inject({ method: 'HEAD', url, headers: { ...headers, 'if-none-match': etag } })
      expect(known.statusCode).toBe(304)
    }
  })

  test('get no error from the cache: a title is found as soon as it exists', async () => {
    const id = (await aTitle(db)) + 1
    const missing = await get(`/movies/${id}`)
    expect([missing.statusCode, missing.headers['etag']]).toEqual([404, undefined])
    expect(await aTitle(db)).toBe(id)
    expect((await get(`/movies/${id}`)).statusCode).toBe(200)
  })

  test.each([
    '/trpc/sources.searchTmdb?input={"q":"a"}',
    '/healthz',
    '/movies/for-you',
    trpc('accounts.me'),
    '/trpc/movies.popular,accounts.me?batch=1&input={}',
  ])('get no tag for %s', async (url) => {
    expect((await get(url)).headers['etag']).toBeUndefined()
  })

  test.each<[what: string, first: () => string, second: () => string, isShared: boolean]>([
    [
      'the order of parameters',
      () => `/reviews?movieId=${movieId}&limit=7`,
      () => `/reviews?limit=7&movieId=${movieId}`,
      true,
    ],
    ['an unknown parameter', () => `/movies/${movieId}?a=1`, () => `/movies/${movieId}?b=2`, true],
    ['percent-encoding', () => '/movies/search?q=long', () => '/movies/search?q=%6Cong', true],
    ['a slash at the end', () => '/tv-shows/popular?limit=3', () => '/tv-shows/popular/?limit=3', true],
    [
      'a second path of the call',
      () => `/favorite-movies/${member.id}`,
      () => `/users/${member.id}/favorite-movies`,
      true,
    ],
    ['a parameter of another value', () => '/books/popular?limit=3', () => '/books/popular?limit=4', false],
    ['a parameter that is sent twice', () => '/movies/search?q=a', () => '/movies/search?q=a&q=b', false],
    [
      'a parameter named like one of the path',
      () => `/movies/${movieId}`,
      () => `/books/${movieId}?id=${movieId}`,
      false,
    ],
    ['another transport', () => '/games/popular', () => '/trpc/games.popular', false],
    [
      'a batch of one',
      () => '/trpc/books.popular?input={}',
      () => '/trpc/books.popular?batch=1&input={}',
      false,
    ],
    ['no input', () => '/trpc/games.popular', () => '/trpc/games.popular?input=undefined', false],
  ])('share a response only if their requests mean the same: %s', async (_what, first, second, isShared) => {
    const expected = await get(second(), {}, uncached)
    await get(first())
    const before = counts.hits
    const response = await get(second())
    expect(counts.hits - before).toBe(isShared ? 1 : 0)
    expect([response.statusCode, response.body]).toEqual([expected.statusCode, expected.body])
  })

  test('share no header that depends on a request', async () => {
    const url = `/movies/${movieId}`
    const hostile = {
      origin: 'https://evil.example',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'host=evil.example',
      cookie: 'a=evil',
      'x-request-id': 'evil',
      'accept-language': 'evil',
    }
    for (const accept of ['application/json', 'text/html'])
      for (const path of [url, trpc('movies.byId', { id: movieId }), '/']) {
        // The write invalidates the cache, so that the response to the hostile request is computed.
        await aTitle(db)
        const first = await get(path, { accept, ...hostile })
        const second = await get(path, { accept })
        expect(JSON.stringify([first.headers, first.body, second.headers, second.body])).not.toMatch(
          /evil|gopher|203\.0/,
        )
        expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
        expect(second.headers['access-control-allow-origin']).toBe(path.startsWith('/trpc') ? undefined : '*')
      }
  })

  test('with a token that is not valid get a response of their own, which is not stored', async () => {
    const url = `/movies/${movieId}`
    await get(url)
    const before = { ...counts }
    for (const authorization of ['Bearer invalid', 'Bearer ', 'Basic YTpi', ''])
      for (const path of [url, trpc('movies.byId', { id: movieId })]) {
        const { statusCode, headers } = await get(path, { authorization })
        expect(statusCode).toBe(200)
        expect(headers['cache-control']).toBe('no-store')
      }
    expect(counts).toEqual(before)
  })
})

describe('members', () => {
  test('never get the response of a visitor or of another member, and give none to others', async () => {
    const [one, two] = [await aMember(db), await aMember(db)]
    const { review } = await server.as(one).reviews.save({ movieId, rating: 2, text: 'Mine.' })
    await server.as(one).reviews.react({ id: review.id, reaction: 'like' })
    const tokens = [await aToken(one), await aToken(two)]
    const url = `/reviews?movieId=${movieId}`
    const reaction = async (token?: string) => {
      const { headers, ...response } = await get(url, token ? { authorization: `Bearer ${token}` } : {})
      if (token) expect(headers['cache-control']).toBe('no-store')
      return response.json().reviews.find(({ id }: { id: number }) => id === review.id).userReaction
    }
    for (let round = 0; round < 2; round++)
      expect([await reaction(), await reaction(tokens[0]), await reaction(tokens[1])]).toEqual([
        'none',
        'like',
        'none',
      ])
  })

  test('get the same pages, feeds and embeds as visitors, in any order', async () => {
    const one = await aMember(db)
    const { review } = await server
      .as(await aMember(db))
      .reviews.save({ movieId, rating: 2, text: 'Theirs.' })
    await server.as(one).reviews.react({ id: review.id, reaction: 'like' })
    const authorization = `Bearer ${await aToken(one)}`
    const permalink = encodeURIComponent(`${config.publicUrl}/movies/${movieId}?review=${review.id}`)
    for (const [url, accept] of [
      [`/movies/${movieId}`, 'text/html'],
      [`/movies/${movieId}/reviews.atom`, '*/*'],
      [`/oembed?url=${permalink}`, '*/*'],
    ] as const) {
      const ofMember = await get(url, { accept, authorization })
      const ofVisitor = await get(url, { accept })
      expect([ofMember.statusCode, ofMember.body]).toEqual([200, ofVisitor.body])
      expect(ofVisitor.body).toContain('Theirs.')
      expect(ofVisitor.body).not.toContain('"like"')
      expect(ofMember.headers['cache-control']).toBe('no-store')
    }
  })

  const me = (token: string) => get('/users/me', { authorization: `Bearer ${token}` })

  test('are logged out for the very next request, also by another process', async () => {
    const ends: ((id: number, token: string) => Promise<unknown>)[] = [
      (_id, token) =>
        app.inject({ method: 'POST', url: '/auth/logout', headers: { authorization: `Bearer ${token}` } }),
      (_id, token) =>
        other.inject({ method: 'POST', url: '/auth/logout', headers: { authorization: `Bearer ${token}` } }),
      (id) => otherDb.deleteFrom('sessions').where('user_id', '=', id).execute(),
      (id) => otherDb.deleteFrom('users').where('id', '=', id).execute(),
      (id) =>
        otherDb
          .updateTable('sessions')
          .set({ expires_at: '2020-01-01T00:00:00.000Z' })
          .where('user_id', '=', id)
          .execute(),
    ]
    for (const end of ends) {
      const { id } = await aMember(db)
      const token = await aToken({ id })
      for (let call = 0; call < 3; call++) expect((await me(token)).statusCode).toBe(200)
      await end(id, token)
      expect((await me(token)).statusCode).toBe(401)
    }
  })

  test('are logged out when their session expires, and their last use is recorded every hour', async () => {
    const { id } = await aMember(db)
    const token = await aToken({ id })
    expect((await me(token)).statusCode).toBe(200)
    const sessions = db.updateTable('sessions').where('user_id', '=', id)
    const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
    await sessions.set({ last_used_at: soon(-2 * 60 * 60_000) }).execute()
    expect((await me(token)).statusCode).toBe(200)
    const { last_used_at } = await db
      .selectFrom('sessions')
      .select('last_used_at')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(Date.parse(last_used_at)).toBeGreaterThan(Date.now() - 60_000)
    await sessions.set({ expires_at: soon(60_000) }).execute()
    expect((await me(token)).statusCode).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect((await me(token)).statusCode).toBe(401)
  })

  test('have the name that they changed, also by another process', async () => {
    const { id, username } = await aMember(db)
    const token = await aToken({ id })
    expect((await me(token)).json().user.username).toBe(username)
    await otherDb.updateTable('users').set({ username: 'renamed' }).where('id', '=', id).execute()
    expect((await me(token)).json().user.username).toBe('renamed')
  })
})

test('every request counts against the rate limits, those for cached responses too', async () => {
  const limited = await buildApp({ ...services, config: { ...config, hasRateLimits: true } }, { web })
  onTestFinished(() => limited.close())
  const remaining = async (url: string, headers = {}) =>
    Number((await get(url, headers, limited)).headers['ratelimit-remaining'])
  const url = `/movies/${movieId}`
  const etag = String((await get(url, {}, limited)).headers['etag'])
  const left = await remaining(url)
  const batch = `/trpc/${Array(5).fill('movies.popular').join(',')}?batch=1&input={}`
  const cases: [url: string, headers: object, cost: number][] = [
    [url, {}, 1],
    [url, { 'if-none-match': etag }, 1],
    [url, { accept: 'text/html' }, 1],
    [url, { accept: 'text/html' }, 1],
    ['/trpc/movies.popular', {}, 1],
    ['/trpc/movies.popular', {}, 1],
    [batch, {}, 5],
    [batch, {}, 5],
  ]
  let expected = left
  for (const [path, headers, cost] of cases) {
    expected -= cost
    // A batch reports the count of the request itself; the next request shows the others.
    await get(path, headers as Record<string, string>, limited)
  }
  expect(await remaining(url)).toBe(expected - 1)
  const statuses = []
  for (let call = 0; call < 31; call++)
    statuses.push((await get('/movies/popular?days=365', {}, limited)).statusCode)
  expect(statuses).toEqual([...Array(30).fill(200), 429])
})

test('a document whose preparation failed is prepared again', async () => {
  const plain = fastify()
  onTestFinished(() => plain.close())
  const prepare = vi
    .fn<() => Promise<PreparedResponse>>(async () => prepareResponse(200, {}, 'the document'))
    .mockRejectedValueOnce(new Error('EMFILE'))
  const cache = openResponseCache({ config, db }, () => Promise.resolve(undefined))
  servePrepared(plain, cache, '/document', prepare)
  const read = () => plain.inject('/document')
  expect(await read()).toMatchObject({ statusCode: 500 })
  expect(await read()).toMatchObject({ statusCode: 200, body: 'the document' })
  expect(await read()).toMatchObject({ statusCode: 200 })
  expect(prepare).toHaveBeenCalledTimes(2)
})
