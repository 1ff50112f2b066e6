import { readFileSync } from 'node:fs'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { leaveUnwatched } from '#scripts/testing/event-loop.ts'
import type { OpenApiDocument } from '#server/http/document/openapi-schema.ts'
import { buildApp } from './app.ts'
import { inputOf, type RestMeta, restProcedures } from '#server/calls/described.ts'
import { type AppRouter, appRouter } from './router.ts'
import { aSession, aMember, aServer, aTitle } from './testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
await checkResponses(app)
let movieId: number
let token: string

beforeAll(async () => {
  const member = await aMember(server.db)
  movieId = await aTitle(server.db, 'movie', 'The Long Way')
  token = await aSession(server.db, member)
})
afterAll(() => app.close())

const auth = () => ({ authorization: `Bearer ${token}` })

describe('the REST transport', () => {
  test('returns the procedure’s result on the documented path', async () => {
    const response = await app.inject(`/movies/${movieId}`)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      movie: { id: movieId, name: 'The Long Way', genres: [] },
      stats: { avg: null, count: 0 },
    })
  })

  test('a static path segment takes precedence over a parameter', async () => {
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
  ])('the invalid id %s is 400 in the error shape', async (id) => {
    const response = await app.inject(`/movies/${id}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.any(String),
      issues: [{ path: ['id'] }],
    })
  })

  test('an unknown id is 404 with the message of the kind', async () => {
    const response = await app.inject('/games/9007199254740991')
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({ code: 'NOT_FOUND', message: 'Game not found.' })
  })

  test('an id of another kind is 404', async () => {
    expect((await app.inject(`/books/${movieId}`)).json()).toEqual({
      code: 'NOT_FOUND',
      message: 'Book not found.',
    })
  })

  test('a limit outside 1 to 100 is 400 and names the field', async () => {
    for (const limit of ['0', '101', 'x', '']) {
      const response = await app.inject(`/movies/popular?limit=${limit}`)
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toMatch(/^limit: /)
    }
  })

  test('a page that is not the last has the address of the next one in Link', async () => {
    for (const kind of ['movie', 'book', 'game'] as const) await aTitle(server.db, kind)
    const url = '/items?limit=1&sort=added&unknown=%3E%0d%0ax'
    for (const headers of [{}, auth()]) {
      const first = await app.inject({ url, headers })
      expect(first.headers.link).toMatch(/^<\/items\?limit=1&sort=added&cursor=[\w-]+>; rel="next"$/)
      const last = await app.inject({
        url: `/items?page=${first.json().pagination.totalPages}&limit=1`,
        headers,
      })
      expect(last.headers).not.toHaveProperty('link')
    }
  })

  test('a repeated query parameter is 400', async () => {
    expect((await app.inject('/movies/popular?limit=3&limit=4')).statusCode).toBe(400)
  })

  test('undeclared query parameters are ignored', async () => {
    const response = await app.inject('/games/exists/by-igdb?igdbIds=72&more=1&more=2')
    expect([response.statusCode, response.json()]).toEqual([200, { exists: {} }])
  })

  test.each([
    ['an invalid escape', '/movies/%zz'],
    ['an incomplete UTF-8 sequence', '/items/%E0%A4%A/reviews'],
    ['five thousand digits', `/movies/${'1'.repeat(5_000)}`],
  ])('a path with %s is 400 in the error shape, with a request id', async (_name, url) => {
    const response = await app.inject(url)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { code: 'BAD_REQUEST', message: 'The request is not valid.' },
    ])
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('an unknown path is 404 whatever the body', async () => {
    for (const [contentType, payload] of [
      ['text/plain', 'x'],
      ['application/json', '{'],
    ]) {
      const headers = { 'content-type': contentType! }
      const response = await app.inject({ method: 'POST', url: '/nowhere', payload: payload!, headers })
      expect(response.statusCode).toBe(404)
    }
  })

  test('a login with characters that Postgres cannot store is an invalid login', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { email: 'a\0@example.org', password: '\0' },
    })
    expect([response.statusCode, response.json().message]).toEqual([401, 'Invalid email or password.'])
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
    ['text that is not UTF-8', Buffer.from('{"text":"caf\xe9"}', 'latin1'), 'application/json', 400],
    ['an array as the body', '[1]', 'application/json', 400],
    ['null as the body', 'null', 'application/json', 400],
    ['text instead of a number', '{"movieId":"1","rating":5}', 'application/json', 400],
    ['a poisoned prototype', '{"__proto__":{"x":1},"movieId":1,"rating":5}', 'application/json', 400],
    ['a form', 'movieId=1&rating=5', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{}', 'text/plain', 415],
    [
      'two megabytes',
      JSON.stringify({ movieId: 1, rating: 5, text: 'x'.repeat(2_000_000) }),
      'application/json',
      413,
    ],
  ])(
    '%s is refused with the documented status in the error shape',
    async (_name, body, contentType, status) => {
      const response = await post(body, contentType)
      expect(response.statusCode).toBe(status)
      expect(response.json()).toMatchObject({
        message: expect.any(String),
        code: expect.stringMatching(/^[A-Z_]+$/),
      })
    },
  )

  test('an empty body is accepted with any content type', async () => {
    for (const contentType of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const response = await app.inject({
        method: 'POST',
        url: '/auth/logout',
        payload: '',
        headers: { 'content-type': contentType },
      })
      expect(response.json()).toEqual({ code: 'UNAUTHORIZED', message: 'Please log in.' })
    }
  })

  test('a call for members without a token, or with an invalid one, is 401', async () => {
    for (const headers of [{}, { authorization: 'Bearer invalid' }, { authorization: 'Basic x' }]) {
      const response = await app.inject({ url: '/users/me', headers })
      expect(response.statusCode).toBe(401)
      expect(response.json()).toEqual({ code: 'UNAUTHORIZED', message: 'Please log in.' })
    }
  })

  test('a public query treats an invalid token as a visitor', async () => {
    const response = await app.inject({
      url: `/movies/${movieId}`,
      headers: { authorization: 'Bearer invalid' },
    })
    expect(response.statusCode).toBe(200)
  })

  test('creating returns 201', async () => {
    const response = await post(JSON.stringify({ movieId, rating: 4 }))
    expect(response.statusCode).toBe(201)
    expect(response.json().review).toMatchObject({ movieId, itemId: movieId, rating: 4, text: '' })
  })

  test('an unknown path is 404 in the error shape, as is an unknown method', async () => {
    for (const method of ['GET', 'POST', 'PUT'] as const) {
      const response = await app.inject({ method, url: '/nowhere/at/all' })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toEqual({ code: 'NOT_FOUND', message: 'Not found.' })
    }
  })

  test('HEAD returns the status of GET without a body', async () => {
    const response = await app.inject({ method: 'HEAD', url: `/movies/${movieId}` })
    expect([response.statusCode, response.body]).toEqual([200, ''])
  })

  test('does not modify the shared schemas: /trpc still refuses text instead of a number', async () => {
    await app.inject('/movies/popular?limit=3')
    await app.inject(`/movies/${movieId}`)
    const response = await app.inject(
      `/trpc/movies.byId?input=${encodeURIComponent(JSON.stringify({ id: String(movieId) }))}`,
    )
    expect(response.statusCode).toBe(400)
  })

  test('finds the procedures in tRPC’s semi-internal properties', () => {
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

describe('a path that is both a page and a REST call', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.each([
    [browser, 'text/html; charset=utf-8'],
    ['text/html;q=0.9,application/json;q=0.1', 'text/html; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json,text/html;q=0.5', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html;q=0', 'application/json; charset=utf-8'],
  ])('Accept: %s returns %s', async (accept, type) => {
    const response = await app.inject({ url: '/movies/popular', headers: { accept } })
    expect(response.headers['content-type']).toBe(type)
    expect(response.headers.vary).toContain('Accept')
  })

  test('a request without Accept returns JSON', async () => {
    const response = await app.inject('/movies/popular')
    expect(response.headers['content-type']).toContain('json')
    expect(response.headers.vary).toContain('Accept')
  })

  test('a browser gets the web app on paths that are not REST calls', async () => {
    expect((await app.inject({ url: '/for-you', headers: { accept: browser } })).body).toContain(
      '<!doctype html>',
    )
  })

  test('a POST returns JSON whatever it accepts', async () => {
    const response = await app.inject({ method: 'POST', url: '/auth/login', headers: { accept: browser } })
    expect(response.json().code).toBe('BAD_REQUEST')
  })
})

describe('the tRPC transport', () => {
  test('returns the same results to a typed client, in batches', async () => {
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${url}/trpc` })] })
    const [detail, popular] = await Promise.all([
      client.movies.byId.query({ id: movieId }),
      client.books.popular.query({}),
    ])
    expect(detail.movie?.name).toBe('The Long Way')
    expect(popular).toEqual({ popular: [] })
    await expect(client.books.byId.query({ id: 1e9 })).rejects.toMatchObject({
      message: 'Book not found.',
      data: { httpStatus: 404 },
    })
  })

  test('accepts only JSON', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/trpc/accounts.login',
      payload: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(response.statusCode).toBe(415)
  })

  test('returns neither stack nor query of an unknown error', async () => {
    const broken = await buildApp(
      { ...server.services, db: undefined as never, replica: undefined },
      { web: noWeb },
    )
    await checkResponses(broken)
    for (const url of ['/movies/popular', '/trpc/movies.popular?input={}']) {
      const response = await broken.inject(url)
      expect(response.statusCode).toBe(500)
      expect(response.body).toContain('Something went wrong.')
      expect(response.body).not.toMatch(/undefined|selectFrom|stack|\.ts/)
      expect(response.body).toContain(response.headers['x-request-id'])
    }
    await broken.close()
  })
})

describe('the OpenAPI document', () => {
  type Described = { description?: string }
  test('lists every REST call, its aliases and the upload', async () => {
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
    for (const path of ['/upload', '/export', '/healthz', '/readyz'])
      expect(document.paths[path]).toBeDefined()
  })

  test('has the description of every parameter', async () => {
    const { paths } = (await app.inject('/openapi.json')).json()
    for (const [name, procedure] of restProcedures(appRouter)) {
      const { openapi } = procedure._def.meta as RestMeta
      const { parameters = [] } = paths[openapi.path][openapi.method.toLowerCase()]
      const schema = inputOf(procedure) ?? z.object({})
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      for (const parameter of parameters) {
        if (parameter.in === 'header') continue
        const { description } = properties[parameter.name] as Described
        expect(parameter.description, `${name}: ${parameter.name}`).toBe(description)
      }
    }
  })

  test('is sent minified and compressed, and as 304 to a client that has it', async () => {
    const plain = await app.inject('/openapi.json')
    expect(plain.body).toBe(JSON.stringify(plain.json()))
    for (const encoding of ['br', 'gzip']) {
      const { headers, rawPayload } = await app.inject({
        url: '/openapi.json',
        headers: { 'accept-encoding': encoding },
      })
      expect(headers['content-encoding']).toBe(encoding)
      expect(rawPayload.length).toBeLessThan(plain.body.length / 8)
    }
    const known = { 'if-none-match': String(plain.headers.etag) }
    expect((await app.inject({ url: '/openapi.json', headers: known })).statusCode).toBe(304)
  })

  test('is rendered at /docs, with the API part of the changelog', async () => {
    // The test searches a long page.
    leaveUnwatched()
    const { headers, body } = await app.inject('/docs')
    expect(headers['content-type']).toContain('text/html')
    const { paths } = (await app.inject('/openapi.json')).json() as OpenApiDocument
    for (const { operationId } of Object.values(paths).flatMap((path) => Object.values(path)))
      expect(body).toContain(`<details class="call" id="${operationId}">`)
    for (const [, file] of body.matchAll(/(?:src|href)="(\/docs[^"]*)"/g))
      expect((await app.inject(file!)).statusCode, file).toBe(200)
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!)
    expect(targets.filter((id) => !body.includes(`id="${id}"`))).toEqual([])
    expect((await app.inject('/docs/changelog')).body).toContain('@medley/client')
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
    'a %s is stored as WebP in the sizes that pages use',
    async (format) => {
      const response = await upload(await picture(format))
      expect(response.statusCode).toBe(201)
      const { imageUrl } = response.json()
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

  test('EXIF metadata is removed', async () => {
    const bytes = await sharp(await picture('jpeg'))
      .withExif({ IFD0: { Copyright: 'a private address' } })
      .jpeg()
      .toBuffer()
    const { imageUrl } = (await upload(bytes)).json()
    const stored = await app.inject(imageUrl)
    expect((await sharp(stored.rawPayload).metadata()).exif).toBeUndefined()
  })

  test.each([
    ['text with the media type of a picture', Buffer.from('hello'), 415],
    [
      'an SVG, which can hold scripts',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      415,
    ],
    ['an empty file', Buffer.alloc(0), 400],
    ['a PNG signature without data', Buffer.from('89504e470d0a1a0a', 'hex'), 400],
    ['more than five megabytes', Buffer.alloc(5 * 1024 * 1024 + 1, 1), 413],
  ])('%s is refused', async (_name, bytes, status) => {
    const response = await upload(bytes)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ message: expect.any(String), code: expect.any(String) })
  })

  test('another field name, and a body that is not multipart, are refused', async () => {
    expect((await upload(await picture('png'), 'file')).statusCode).toBe(400)
    expect((await app.inject({ method: 'POST', url: '/upload', payload: { image: 'x' } })).statusCode).toBe(
      415,
    )
  })

  test('a file name cannot escape the upload folder', async () => {
    const response = await upload(await picture('png'), 'image', '../../../etc/passwd')
    expect(response.json().imageUrl).toMatch(/^\/uploads\/[a-f0-9]+-1280\.webp$/)
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
