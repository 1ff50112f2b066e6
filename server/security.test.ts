import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sources } from '#shared/domain/kinds.ts'
import { type Caller, prepareCalls } from '#scripts/testing/calls.ts'
import { leaveUnwatched, slowness, threadCpuMs } from '#scripts/testing/event-loop.ts'
import { variation } from '#scripts/testing/variation.ts'
import { buildApp } from './app.ts'
import { inputOf, restProcedures } from '#server/calls/described.ts'
import { appRouter } from './router.ts'
import { aServer, aTitle, mailsTo } from './testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

/** Security across features. docs/security.md names the tests of each threat. */
const server = await aServer({ RATE_LIMITS: 'off', PUBLIC_URL: 'https://medley.example' })
const { db } = server
const app = await buildApp(server.services, { web: noWeb })
const { newCaller } = await prepareCalls(server)
let caller: Caller
let port: number

beforeAll(async () => {
  caller = await newCaller()
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const bearer = () => ({ authorization: `Bearer ${caller.token}` })
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { ...bearer(), ...headers } })
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

/** Sends raw bytes. Returns all that the server sends until it closes the connection. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setTimeout(60_000, () => socket.destroy(new Error('The connection was not closed.')))
    socket.on('data', (chunk) => (response += chunk.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(response))
  })
}

describe('a session', () => {
  test('is read from the Authorization header only', async () => {
    const { token } = caller
    for (const [url, headers] of [
      [`/users/me?token=${token}`, {}],
      [`/users/me?access_token=${token}&authorization=Bearer%20${token}`, {}],
      ['/users/me', { cookie: `token=${token}; session=${token}` }],
      ['/users/me', { 'x-access-token': token, 'x-auth-token': token }],
      ['/users/me', { authorization: token }],
      ['/users/me', { authorization: `Bearer ${token}, Bearer x` }],
    ] as [string, Record<string, string>][])
      expect((await get(url, headers)).statusCode, url).toBe(401)
    expect((await get('/users/me', bearer())).statusCode).toBe(200)
  })

  test('is new at every login, and cookies of responses are only those that open pages', async () => {
    const login = () =>
      post('/auth/login', { email: `${caller.username}@example.org`, password: 'six-or-more' })
    const responses = [await login(), await login()]
    const tokens = responses.map((response) => response.json().token as string)
    expect(new Set([...tokens, caller.token]).size).toBe(3)
    // 256 bits.
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    for (const { headers } of responses) expect(headers['set-cookie']).toMatch(/^__Host-medley-pages=/)
    expect((await get('/users/me', bearer())).headers['set-cookie']).toBeUndefined()
  })

  test('sets Cache-Control: no-store on every response', async () => {
    for (const url of ['/users/me', '/movies/popular', '/trpc/accounts.me'])
      expect((await get(url, bearer())).headers['cache-control']).toBe('no-store')
  })
})

describe('security headers', () => {
  const pages = ['/', '/movies/popular', '/docs', '/healthz', '/nowhere', '/trpc/movies.popular', '/users/me']

  test.each(pages)('of %s forbid framing, MIME sniffing and referrers', async (url) => {
    for (const accept of ['text/html', 'application/json']) {
      const { headers } = await get(url, { accept })
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'cross-origin',
        'permissions-policy':
          'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), ' +
          'magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
        'strict-transport-security': 'max-age=31536000',
      })
      expect(headers['x-powered-by'] ?? headers.server).toBeUndefined()
    }
  })

  test.each(pages)('of %s allow only scripts and styles of this host', async (url) => {
    const { headers } = await get(url, { accept: 'text/html' })
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((directive) => directive.split(' '))
        .map(([name, ...values]) => [name!, values]),
    )
    for (const name of ['default-src', 'connect-src', 'font-src', 'form-action'])
      expect([name, policy.get(name)]).toEqual([name, ["'self'"]])
    expect(policy.get('img-src')).toEqual([
      "'self'",
      'blob:',
      ...Object.values(sources).flatMap(({ pictures }) => pictures),
    ])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('script-src-attr')).toEqual(["'none'"])
    expect(policy.get('style-src')).toEqual(["'self'"])
    expect(policy.get('object-src')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'self'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(String(headers['content-security-policy'])).not.toMatch(/unsafe-eval|https?:[; ]|\s\*/)
  })

  test('include HSTS only if the public URL is https', async () => {
    const config = { ...server.config, publicUrl: 'http://localhost:3000' }
    const plain = await buildApp({ ...server.services, config }, { web: noWeb })
    expect((await plain.inject('/')).headers['strict-transport-security']).toBeUndefined()
    await plain.close()
  })
})

describe('a forged Host header', () => {
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-original-host': 'evil.example',
    forwarded: 'host=evil.example',
    origin: 'https://evil.example',
    referer: 'https://evil.example/',
  }

  test('changes no link in an email, with and without a trusted proxy', async () => {
    const config = { ...server.config, trustProxy: 'loopback' }
    const trusting = await buildApp({ ...server.services, config }, { web: noWeb })
    const email = 'host.header@example.org'
    for (const one of [app, trusting]) {
      const send = (url: string, payload: object) =>
        one.inject({ method: 'POST', url, payload, headers: forged })
      await send('/users/register', { username: 'host.header', email, password: 'six-or-more' })
      await send('/auth/resend-verification', { email })
      await send('/auth/forgot-password', { email })
      await db.deleteFrom('mail_counts').execute()
    }
    const mails = await mailsTo(db, email, server.config)
    expect(mails).toHaveLength(5)
    for (const { text } of mails) {
      expect(text).toContain('https://medley.example/')
      expect(text).not.toContain('evil')
    }
    await trusting.close()
  })

  test('appears in no response: no document, page or redirect', async () => {
    for (const url of [
      '/openapi.json',
      '/docs',
      '/',
      '/docs/',
      '/uploads',
      '//evil.example',
      '/%2Fevil.example',
    ]) {
      const response = await get(url, { ...forged, accept: 'text/html' })
      expect(response.headers.location, url).toBeUndefined()
      expect(response.body + JSON.stringify(response.headers)).not.toContain('evil')
    }
  })
})

describe('injection', () => {
  const attempts = [
    `'`,
    `"`,
    `' or '1'='1`,
    `'; drop table users; --`,
    `" or ""="`,
    `1); delete from reviews; --`,
    `\\'; select pg_sleep(9); --`,
    `$1`,
    `?`,
    `:name`,
    `matrix" OR "a`,
    `matrix OR star`,
    `NOT matrix`,
    `NEAR(matrix star, 9)`,
    `search_text : matrix`,
    `{search_text} : matrix`,
    `matrix*`,
    `^matrix`,
    `-matrix`,
    `(`,
    `matrix & star`,
    `matrix | star`,
    `!matrix`,
    `matrix:*`,
    `matrix <-> star`,
    `%`,
    `_`,
    `\\`,
    `%' escape '`,
    `a; where id > 0;`,
    `"; fields *; limit 500;`,
  ]
  /** Characters that are removed from every text. */
  const removed = ['\u0000', '\ud800', '\u202e']
  attempts.push(...removed)
  const searches = [
    '/items/search',
    '/movies/search',
    '/users/search',
    '/tmdb/search',
    '/books/search',
    '/games/search',
  ]

  test.each(searches)('%s interprets no character as syntax', async (path) => {
    const before = await db.selectFrom('users').select('id').execute()
    for (const attempt of attempts) {
      // toWellFormed: a URL cannot contain a lone surrogate.
      const response = await get(`${path}?q=${encodeURIComponent(attempt.toWellFormed())}`)
      expect([200, 400], `${attempt}: ${response.body}`).toContain(response.statusCode)
    }
    expect(await db.selectFrom('users').select('id').execute()).toEqual(before)
  })

  test('operators of the full-text search are plain words', async () => {
    const names = async (q: string) =>
      (
        (await get(`/items/search?limit=100&q=${encodeURIComponent(q)}`)).json().results as { name: string }[]
      ).map(({ name }) => name)
    await aTitle(db, 'movie', 'Zugzwang')
    await aTitle(db, 'movie', 'Ypsilanti')
    expect(await names('zugzwang')).toEqual(['Zugzwang'])
    for (const q of [
      'zugzwang OR ypsilanti',
      'zugzwang | ypsilanti',
      'zugzwang NOT ypsilanti',
      'NEAR(zugzwang)',
    ])
      expect(await names(q), q).toEqual([])
    for (const q of ['zugz*', '"zugzwang', '!zugzwang', '-zugzwang', '^zugzwang', 'zugzwang:*', '(zugzwang'])
      expect(await names(q), q).toEqual(['Zugzwang'])
  })

  test('sort and filter parameters accept only known values', async () => {
    const movieId = await aTitle(db)
    for (const query of [
      'sortBy=rating;drop table users',
      'sortBy=users.email',
      'order=asc, (select 1)',
      'order=DESC',
      'scope=network or 1=1',
      'page=1 or 1=1',
      'limit=1;1',
      `movieId=${movieId} or 1=1`,
    ]) {
      const url = `/reviews?${query.startsWith('movieId') ? '' : `movieId=${movieId}&`}${encodeURI(query)}`
      expect((await get(url)).statusCode, query).toBe(400)
    }
    expect((await get(`/items?category=${encodeURIComponent("Movie' or 1=1")}`)).statusCode).toBe(400)
  })

  test('a text with quotes and special characters is stored unchanged', async () => {
    for (const attempt of attempts.filter((text) => !removed.includes(text))) {
      const { review } = (
        await post('/reviews', { movieId: await aTitle(db), rating: 3, text: attempt })
      ).json()
      expect(review.text).toBe(attempt)
    }
  })
})

describe('markup in a text', () => {
  const markup = '<script>alert(1)</script><img src=x onerror=alert(2)>'

  test('is returned as JSON with nosniff, never as HTML', async () => {
    const { movie } = (await post('/movies', { name: markup, description: markup })).json()
    await post('/reviews', { movieId: movie.id, rating: 1, text: markup })
    for (const url of [`/movies/${movie.id}`, `/reviews?movieId=${movie.id}`, `/items/search?q=script`]) {
      const response = await get(url)
      expect(response.body, url).toContain(JSON.stringify(markup).slice(1, -1))
      expect(response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  test('in a URL appears in no page and no error', async () => {
    const path = encodeURIComponent(markup)
    for (const url of [
      `/${path}`,
      `/movies/${path}`,
      `/search?q=${path}`,
      `/docs?url=${path}`,
      `/uploads/${path}`,
    ]) {
      for (const accept of ['text/html', 'application/json'])
        expect((await get(url, { accept })).body, url).not.toContain('<script>alert')
    }
  })
})

describe('a picture URL', () => {
  const urls = [
    'http://169.254.169.254/latest/meta-data/',
    'https://evil.example/track.gif',
    '//evil.example/a-640.webp',
    'http://localhost:3000/uploads/a-640.webp',
    'file:///etc/passwd',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'javascript:alert(1)',
    '/uploads/../medley-640.webp',
    '/uploads/a-640.webp?x=//evil.example',
    '/uploads/a-640.webp\n',
    '/uploads/never-uploaded-640.webp',
  ]

  test.each(urls)('%j is refused in every field that takes a picture', async (imageUrl) => {
    const [created, changed, registered] = await Promise.all([
      post('/movies', { name: 'With a picture', imageUrl }),
      app.inject({
        method: 'PUT',
        url: '/users/profile',
        payload: { profilePicture: imageUrl },
        headers: bearer(),
      }),
      post('/users/register', {
        username: 'pictured',
        email: 'pictured@example.org',
        password: 'six-or-more',
        profilePicture: imageUrl,
      }),
    ])
    expect([created.statusCode, changed.statusCode, registered.statusCode]).toEqual([400, 400, 400])
  })
})

test.each([
  'a@example.org\r\nBcc: all@example.org',
  'a@example.org\nBcc: all@example.org',
  'a@example.org, b@example.org',
  'A <a@example.org>',
  'a@example.org;b@example.org',
  'a@example.org%0ABcc:b@example.org\u2028',
  '"a b"@example.org',
])('%j is refused as an email address', async (email) => {
  for (const [url, payload] of [
    ['/users/register', { username: 'injected', password: 'six-or-more', email }],
    ['/auth/forgot-password', { email }],
    ['/auth/resend-verification', { email }],
  ] as [string, object][])
    expect((await post(url, payload)).statusCode, url).toBe(400)
})

describe('the tRPC transport', () => {
  test('runs no mutation by GET, which any page can make a browser send', async () => {
    for (const path of ['accounts.logout', 'reviews.save', 'social.follow']) {
      const response = await get(
        `/trpc/${path}?input=${encodeURIComponent('{"userIdToFollow":1}')}`,
        bearer(),
      )
      expect(response.statusCode, path).toBe(405)
    }
    expect((await get('/users/me', bearer())).statusCode).toBe(200)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'refuses bodies of the type “%s”, which a cross-site form can send',
    async (contentType) => {
      const response = await app.inject({
        method: 'POST',
        url: '/trpc/accounts.forgotPassword',
        payload: '{"email":"a@example.org"}',
        headers: contentType ? { 'content-type': contentType } : {},
      })
      expect(response.statusCode).toBe(415)
      expect(response.json().error.data.code).toBe('UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('accepts at most a megabyte, and decompresses no body', async () => {
    const large = { movieId: 1, rating: 3, text: 'x'.repeat(1_100_000) }
    expect((await post('/trpc/reviews.save', large)).statusCode).toBe(413)
    // A compressed body is not decompressed, and is therefore invalid JSON.
    const packed = await app.inject({
      method: 'POST',
      url: '/reviews',
      payload: Buffer.from('1f8b0800000000000003', 'hex'),
      headers: { ...bearer(), 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect(packed.statusCode).toBe(400)
  })
})

test.each([
  '{"__proto__":{"polluted":1},"q":"a"}',
  '{"constructor":{"prototype":{"polluted":1}},"q":"a"}',
  '{"q":{"__proto__":{"polluted":1}}}',
  '[{"__proto__":{"polluted":1}}]',
])('%s pollutes no prototype on either transport', async (body) => {
  const headers = { ...bearer(), 'content-type': 'application/json' }
  for (const path of [
    'reviews.save',
    'accounts.updateProfile',
    'movies.create',
    '__proto__',
    'constructor.toString',
  ])
    await app.inject({ method: 'POST', url: `/trpc/${path}?batch=1`, payload: body, headers })
  for (const url of ['/reviews', '/movies', '/auth/login'])
    await app.inject({ method: 'POST', url, payload: body, headers })
  await get(`/trpc/items.search?input=${encodeURIComponent(body)}`)
  await get('/items/search?q=a&__proto__[polluted]=1&constructor[prototype][polluted]=1&__proto__=1')
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

// No text of this length reaches the database, so one project tests it.
describe.skipIf(inject('postgresUrl'))('a text crafted for slow processing (ReDoS)', () => {
  // Work that grows with the square of the length would take ten seconds.
  const length = 100_000
  const repeat = (text: string) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
  const texts = [' ', 'a', 'a.', 'a@', '<a', '<!--', '\u200d', 'e\u0301', '1,', '-', '\n', '"\\'].map(repeat)
  texts.push(
    ...texts.slice(0, 7).map((text) => `a@${text}!`),
    ...texts.slice(0, 7).map((text) => `${text}\n!`),
  )

  const fields = restProcedures(appRouter)
    .filter(([, procedure]) => procedure._def.type === 'mutation')
    .flatMap(([path, procedure]) =>
      Object.keys(inputOf(procedure)?.shape ?? {}).map((field) => [path, field]),
    )

  variation('is refused or accepted quickly in every field', async () => {
    leaveUnwatched()
    const slow: string[] = []
    for (const [path, field] of fields as [string, string][]) {
      for (const [index, text] of texts.entries()) {
        const before = threadCpuMs()
        await post(`/trpc/${path}`, { [field]: text })
        const ms = threadCpuMs() - before
        // Catastrophic backtracking would take minutes.
        if (ms > 2_000 && ms > 2_000 * slowness()) slow.push(`${path} ${field} ${index}: ${ms} ms`)
      }
    }
    expect(slow).toEqual([])
  })

  test('is processed quickly in headers and URLs', async () => {
    const before = threadCpuMs()
    for (const text of texts.map((each) => each.slice(0, 8_000).replaceAll(/[^\u0020-\u007e]/g, 'a'))) {
      await get('/movies/popular', { authorization: `Bearer ${text}`, accept: text, 'x-forwarded-for': text })
      await get(`/movies/exists/by-tmdb?tmdbIds=${encodeURIComponent(text)}`)
      await get(`/users/search?q=${encodeURIComponent(text)}`)
    }
    expect(threadCpuMs() - before).toBeLessThan(5_000 * slowness())
  })
})

describe('request smuggling', () => {
  const inner = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const json = 'Content-Type: application/json\r\n'

  test.each([
    [
      'Content-Length and chunked encoding',
      `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['two Content-Length headers', `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
    ['two lengths in one header', `Content-Length: 0, ${inner.length}\r\n\r\n${inner}`],
    ['a length with a sign', `Content-Length: +0\r\n\r\n${inner}`],
    ['a space before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['an unknown transfer coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    [
      'chunked as a coding that is not the last',
      `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`,
    ],
    [
      'two Transfer-Encoding headers',
      `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['a folded header', `X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['a line feed alone', `X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['a carriage return alone', `X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['an invalid chunk size', `Transfer-Encoding: chunked\r\n\r\n0x\r\n\r\n${inner}`],
    ['a chunk longer than its size', `Transfer-Encoding: chunked\r\n\r\n1\r\nZZ\r\n0\r\n\r\n${inner}`],
  ])('by %s is refused', async (_name, rest) => {
    const response = await sendRaw(`POST /auth/logout HTTP/1.1\r\nHost: x\r\n${json}${rest}`)
    expect(response.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).not.toContain('"ok"')
  })
})

describe('path traversal', () => {
  const secret = 'content-of-a-secret-file'
  beforeAll(() => {
    mkdirSync(join(server.config.dataDir, 'uploads'), { recursive: true })
    writeFileSync(join(server.config.dataDir, 'secret.txt'), secret)
    writeFileSync(join(server.config.dataDir, 'uploads', '.hidden'), secret)
  })

  const sequences = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '....//',
    '%252e%252e%252f',
    '..;/',
    './../',
    '..%c0%af',
  ]
  test.each(sequences)('with %s reads no file', async (sequence) => {
    for (const start of ['/uploads/', '/docs/ui/', '/uploads/x/', '/assets/', '/']) {
      for (const file of ['secret.txt', 'medley.sqlite', 'package.json', 'etc/passwd']) {
        for (const depth of [1, 2, 6]) {
          const path = start + sequence.repeat(depth) + file
          const response = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
          expect(response, path).toMatch(/^HTTP\/1\.1 (400|403|404) /)
          expect(response).not.toContain(secret)
        }
      }
    }
  })

  test.each([
    '/uploads/',
    '/uploads/.hidden',
    '/uploads/.',
    '/uploads/%00',
    '/uploads/a-640.webp%00.txt',
    '/docs/ui/',
  ])('%s lists no folder and serves no hidden file', async (url) => {
    const response = await get(url)
    expect([400, 403, 404]).toContain(response.statusCode)
    expect(response.body).not.toContain(secret)
    expect(response.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) })
  })
})
