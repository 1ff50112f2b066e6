import { readFileSync } from 'node:fs'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { buildApp } from './app.ts'
import { inputOf, type RestMeta, restProcedures } from '#server/http/rest.ts'
import { type AppRouter, appRouter } from './router.ts'
import { aMember, aServer, aTitle } from './testing.ts'
import { noWeb } from '#server/http/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
await checkResponses(app)
let movieId: number
let token: string

beforeAll(async () => {
  const member = await aMember(server.db)
  movieId = await aTitle(server.db, 'movie', 'The Long Way')
  token = 'a-token-of-a-test'
  await server.db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: member.id,
      created_at: new Date().toISOString(),
      last_used_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + 1e7).toISOString(),
      user_agent: null,
    })
    .execute()
})
afterAll(() => app.close())

const auth = () => ({ authorization: `Bearer ${token}` })

describe('the REST door', () => {
  test('answers the documented path with the procedure’s answer', async () => {
    const answer = await app.inject(`/movies/${movieId}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      movie: { id: movieId, name: 'The Long Way', genres: [] },
      stats: { avg: null, count: 0 },
    })
  })

  test('a fixed word in a path wins over an id', async () => {
    expect((await app.inject('/movies/popular')).json()).toEqual({ popular: [] })
  })

  test.each([
    'abc',
    '0',
    '-1',
    '1.5',
    '1.0',
    '007',
    '1e3',
    '99999999999999999999',
    '%00',
    '12abc',
    '%F0%9F%98%80',
  ])('the junk id %s is 400 in the error shape', async (id) => {
    const answer = await app.inject(`/movies/${id}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.any(String),
      issues: [{ path: ['id'] }],
    })
  })

  test('an id of nothing is 404 with the kind’s words', async () => {
    const answer = await app.inject('/games/9007199254740991')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ code: 'NOT_FOUND', message: 'Game not found.' })
  })

  test('an id of another kind is 404', async () => {
    expect((await app.inject(`/books/${movieId}`)).json()).toEqual({
      code: 'NOT_FOUND',
      message: 'Book not found.',
    })
  })

  test('a limit outside 1 to 100 is 400 and names the field', async () => {
    for (const limit of ['0', '101', 'x', '']) {
      const answer = await app.inject(`/movies/popular?limit=${limit}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().message).toMatch(/^limit: /)
    }
  })

  test('a repeated key is 400, not a guess', async () => {
    expect((await app.inject('/movies/popular?limit=3&limit=4')).statusCode).toBe(400)
  })

  test('a field that the schema does not name goes no further', async () => {
    const answer = await app.inject('/games/exists/by-igdb?igdbIds=72&more=1&more=2')
    expect([answer.statusCode, answer.json()]).toEqual([200, { exists: {} }])
  })

  test.each([
    ['an escape that is none', '/movies/%zz'],
    ['half a character', '/items/%E0%A4%A/reviews'],
    ['five thousand digits', `/movies/${'1'.repeat(5_000)}`],
  ])('a path with %s is 400 in the error shape, with a request id', async (_name, url) => {
    const answer = await app.inject(url)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'BAD_REQUEST', message: 'The request is not valid.' },
    ])
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('an address of nothing is 404 whatever was sent to it', async () => {
    for (const [contentType, payload] of [
      ['text/plain', 'x'],
      ['application/json', '{'],
    ]) {
      const headers = { 'content-type': contentType! }
      const answer = await app.inject({ method: 'POST', url: '/nowhere', payload: payload!, headers })
      expect(answer.statusCode).toBe(404)
    }
  })

  test('a login with what Postgres cannot compare is a wrong login', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { email: 'a\0@example.org', password: '\0' },
    })
    expect([answer.statusCode, answer.json().message]).toEqual([401, 'Invalid email or password.'])
  })

  const post = (payload: string | Buffer, contentType = 'application/json') =>
    app.inject({
      method: 'POST',
      url: '/reviews',
      payload,
      headers: { ...auth(), 'content-type': contentType },
    })

  test.each([
    ['broken JSON', '{"movieId": 1,', 'application/json', 400],
    ['text that is no UTF-8', Buffer.from('{"text":"caf\xe9"}', 'latin1'), 'application/json', 400],
    ['an array for a body', '[1]', 'application/json', 400],
    ['null for a body', 'null', 'application/json', 400],
    ['text for a number', '{"movieId":"1","rating":5}', 'application/json', 400],
    ['a poisoned prototype', '{"__proto__":{"x":1},"movieId":1,"rating":5}', 'application/json', 400],
    ['a form', 'movieId=1&rating=5', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{}', 'text/plain', 415],
    [
      'two megabytes',
      JSON.stringify({ movieId: 1, rating: 5, text: 'x'.repeat(2_000_000) }),
      'application/json',
      413,
    ],
  ])('%s is refused with the right status in the error shape', async (_name, body, contentType, status) => {
    const answer = await post(body, contentType)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({
      message: expect.any(String),
      code: expect.stringMatching(/^[A-Z_]+$/),
    })
  })

  test('an empty body is welcome whatever its content type says', async () => {
    for (const contentType of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const answer = await app.inject({
        method: 'POST',
        url: '/auth/logout',
        payload: '',
        headers: { 'content-type': contentType },
      })
      expect(answer.json()).toEqual({ code: 'UNAUTHORIZED', message: 'Please log in.' })
    }
  })

  test('without a token, and with a dead one, a member’s call is 401', async () => {
    for (const headers of [{}, { authorization: 'Bearer dead' }, { authorization: 'Basic x' }]) {
      const answer = await app.inject({ url: '/users/me', headers })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({ code: 'UNAUTHORIZED', message: 'Please log in.' })
    }
  })

  test('on a public read a dead token is a visitor', async () => {
    const answer = await app.inject({ url: `/movies/${movieId}`, headers: { authorization: 'Bearer dead' } })
    expect(answer.statusCode).toBe(200)
  })

  test('what is made answers 201', async () => {
    const answer = await post(JSON.stringify({ movieId, rating: 4 }))
    expect(answer.statusCode).toBe(201)
    expect(answer.json().review).toMatchObject({ movieId, itemId: movieId, rating: 4, text: '' })
  })

  test('an unknown path is 404 in the error shape, as is an unknown method', async () => {
    for (const method of ['GET', 'POST', 'PUT'] as const) {
      const answer = await app.inject({ method, url: '/nowhere/at/all' })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ code: 'NOT_FOUND', message: 'Not found.' })
    }
  })

  test('HEAD answers like GET without a body', async () => {
    const answer = await app.inject({ method: 'HEAD', url: `/movies/${movieId}` })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
  })

  test('leaves the shared schemas as it found them: /trpc still refuses text for a number', async () => {
    await app.inject('/movies/popular?limit=3')
    await app.inject(`/movies/${movieId}`)
    const answer = await app.inject(
      `/trpc/movies.byId?input=${encodeURIComponent(JSON.stringify({ id: String(movieId) }))}`,
    )
    expect(answer.statusCode).toBe(400)
  })

  test('finds procedures where tRPC keeps them', () => {
    const paths = restProcedures(appRouter).map(
      ([, procedure]) => (procedure._def.meta as { openapi: { path: string } }).openapi.path,
    )
    expect(paths).toContain('/movies/{id}')
    expect(paths.length).toBeGreaterThan(60)
    expect(inputOf(restProcedures(appRouter).find(([path]) => path === 'movies.byId')![1])).toBeInstanceOf(
      z.ZodObject,
    )
  })
})

describe('one address for the page and the data', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.each([
    [browser, 'text/html; charset=utf-8'],
    ['text/html;q=0.9,application/json;q=0.1', 'text/html; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json,text/html;q=0.5', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html;q=0', 'application/json; charset=utf-8'],
  ])('Accept %s gets %s', async (accept, type) => {
    const answer = await app.inject({ url: '/movies/popular', headers: { accept } })
    expect(answer.headers['content-type']).toBe(type)
    expect(answer.headers.vary).toContain('Accept')
  })

  test('no Accept gets the data', async () => {
    const answer = await app.inject('/movies/popular')
    expect(answer.headers['content-type']).toContain('json')
    expect(answer.headers.vary).toContain('Accept')
  })

  test('a browser that opens an address of no call gets the web app', async () => {
    expect((await app.inject({ url: '/for-you', headers: { accept: browser } })).body).toContain(
      '<!doctype html>',
    )
  })

  test('a POST is data whatever it accepts', async () => {
    const answer = await app.inject({ method: 'POST', url: '/auth/login', headers: { accept: browser } })
    expect(answer.json().code).toBe('BAD_REQUEST')
  })
})

describe('the tRPC door', () => {
  test('gives a typed client the same answers, in batches', async () => {
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${url}/trpc` })] })
    const [detail, popular] = await Promise.all([
      client.movies.byId.query({ id: movieId }),
      client.books.popular.query({}),
    ])
    expect(detail.movie.name).toBe('The Long Way')
    expect(popular).toEqual({ popular: [] })
    await expect(client.books.byId.query({ id: 1e9 })).rejects.toMatchObject({
      message: 'Book not found.',
      data: { httpStatus: 404 },
    })
  })

  test('takes nothing but JSON', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/trpc/accounts.login',
      payload: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(answer.statusCode).toBe(415)
  })

  test('shows no stack and no query of an error that nobody foresaw', async () => {
    const broken = await buildApp(
      { ...server.services, db: undefined as never, replica: undefined },
      { web: noWeb },
    )
    await checkResponses(broken)
    for (const url of ['/movies/popular', '/trpc/movies.popular?input={}']) {
      const answer = await broken.inject(url)
      expect(answer.statusCode).toBe(500)
      expect(answer.body).toContain('Something went wrong.')
      expect(answer.body).not.toMatch(/undefined|selectFrom|stack|\.ts/)
      expect(answer.body).toContain(answer.headers['x-request-id'])
    }
    await broken.close()
  })
})

describe('the document', () => {
  test('has every REST call, its aliases and the upload', async () => {
    const document = (await app.inject('/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    for (const [, procedure] of restProcedures(appRouter)) {
      const { openapi, aliases = [], status = 200, otherStatus } = procedure._def.meta as RestMeta
      for (const { path, operationId } of [openapi, ...aliases]) {
        const operation = document.paths[path]?.[openapi.method.toLowerCase()]
        expect(operation, `${openapi.method} ${path}`).toMatchObject({
          operationId,
          summary: expect.any(String),
        })
        const successes = Object.keys(operation.responses).filter((known) => Number(known) < 300)
        expect(successes.map(Number)).toEqual(
          [status, otherStatus?.status ?? status]
            .filter((one, index, all) => all.indexOf(one) === index)
            .sort(),
        )
      }
    }
    for (const path of ['/upload', '/healthz', '/readyz']) expect(document.paths[path]).toBeDefined()
  })

  test('is shown as a page', async () => {
    expect((await app.inject('/docs')).headers['content-type']).toContain('text/html')
    expect((await app.inject('/docs/ui/swagger-ui-bundle.js')).statusCode).toBe(200)
  })
})

describe('pictures', () => {
  const picture = (format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif', width = 900) =>
    sharp({ create: { width, height: 600, channels: 3, background: '#a33' } })
      .toFormat(format)
      .toBuffer()
  const upload = (bytes: Buffer, field = 'image', filename = 'a.png') => {
    const head = `--x\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: image/png\r\n\r\n`
    const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')])
    return app.inject({
      method: 'POST',
      url: '/upload',
      payload,
      headers: { 'content-type': 'multipart/form-data; boundary=x', ...auth() },
    })
  }

  test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'a %s is kept as WebP in the sizes of the pages',
    async (format) => {
      const answer = await upload(await picture(format))
      expect(answer.statusCode).toBe(201)
      const { imageUrl } = answer.json()
      expect(imageUrl).toMatch(/^\/uploads\/[a-f0-9]+-1280\.webp$/)
      const small = await app.inject(imageUrl.replace('-1280', '-160'))
      expect(small.headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
      })
      expect(small.headers['cache-control']).toContain('immutable')
      expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 160 })
    },
  )

  test('metadata of the camera is dropped', async () => {
    const bytes = await sharp(await picture('jpeg'))
      .withExif({ IFD0: { Copyright: 'somebody at home' } })
      .jpeg()
      .toBuffer()
    const { imageUrl } = (await upload(bytes)).json()
    const kept = await app.inject(imageUrl)
    expect((await sharp(kept.rawPayload).metadata()).exif).toBeUndefined()
  })

  test.each([
    ['text that calls itself a picture', Buffer.from('hello'), 415],
    [
      'an SVG, which can hold scripts',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      415,
    ],
    ['an empty file', Buffer.alloc(0), 400],
    ['the first bytes of a PNG alone', Buffer.from('89504e470d0a1a0a', 'hex'), 400],
    ['more than five megabytes', Buffer.alloc(5 * 1024 * 1024 + 1, 1), 413],
  ])('%s is refused', async (_name, bytes, status) => {
    const answer = await upload(bytes)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ message: expect.any(String), code: expect.any(String) })
  })

  test('another field, and no multipart at all, are refused', async () => {
    expect((await upload(await picture('png'), 'file')).statusCode).toBe(400)
    expect((await app.inject({ method: 'POST', url: '/upload', payload: { image: 'x' } })).statusCode).toBe(
      415,
    )
  })

  test('a name cannot leave the folder', async () => {
    const answer = await upload(await picture('png'), 'image', '../../../etc/passwd')
    expect(answer.json().imageUrl).toMatch(/^\/uploads\/[a-f0-9]+-1280\.webp$/)
    expect((await app.inject('/uploads/..%2fmedley.sqlite')).statusCode).toBe(404)
  })
})

test('the version of tRPC is pinned exactly, because the REST transport reads semi-internal properties', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  for (const name of ['@trpc/server', '@trpc/client', '@trpc/react-query'])
    expect(dependencies[name] ?? devDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/)
})
