import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { once } from 'node:events'
import { type AddressInfo, connect, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { memoryOf } from '#scripts/bench/bench.ts'
import { aDataFolder, startProgram } from '#scripts/testing/program.ts'
import { commentTextMax } from '#shared/domain/limits.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { buildApp } from '#server/app.ts'
import {
  connectionsMax,
  connectionTimes,
  registerConnections,
  requestsPerConnectionMax,
} from './connections.ts'
import { sendError } from '#server/http/errors.ts'
import { aSession, aMember, aServer, aTitle } from '#server/testing.ts'
import type { Services } from '#server/calls/context.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
/** More than the buffers of a connection hold. */
const large = Buffer.alloc(30_000_000, 'x')
const patience = { timeout: 60_000, interval: 50 }
let movieId: number
beforeAll(async () => {
  movieId = await aTitle(server.db)
  const uploads = join(server.config.dataDir, 'uploads')
  await mkdir(uploads, { recursive: true })
  writeFileSync(join(uploads, 'large.webp'), large)
})

async function anApp(times: Partial<typeof connectionTimes>, services: Partial<Services> = {}) {
  const app = await buildApp(
    { ...server.services, ...services },
    { web: noWeb, times: { ...connectionTimes, ...times } },
  )
  let accepted = 0
  app.server.on('connection', () => accepted++)
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    /** Returns how many connections there have been. */
    accepted: () => accepted,
    connections: () =>
      new Promise<number>((resolve, reject) =>
        app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
  }
}

async function aClient(port: number, text: string, options: Partial<NetConnectOpts> = {}): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...options } as NetConnectOpts)
  // The server may end or reset the connection.
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

async function responseOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  await once(socket, 'close')
  return text
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('a client that sends slowly', () => {
  test('is refused with 408 if its headers take too long', async () => {
    const { port } = await anApp({ headersMs: 300, checkMs: 50 })
    const client = await aClient(port, 'GET /items HTTP/1.1\r\nHost: x\r\nA: ')
    const dripping = setInterval(() => client.write('x'), 50)
    expect(await responseOf(client)).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(dripping)
  })

  test.each(['/auth/login', '/trpc/accounts.login', '/upload'])(
    'is refused with 408 if a body to %s stalls',
    async (path) => {
      const { port } = await anApp({ headersMs: 200, requestMs: 300, checkMs: 50 })
      const type = path === '/upload' ? 'multipart/form-data; boundary=x' : 'application/json'
      const client = await aClient(
        port,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`,
      )
      const response = await responseOf(client)
      expect(response).toMatch(/^HTTP\/1\.1 408 /)
      expect(JSON.parse(response.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'TIMEOUT' })
    },
  )

  test('is served if its body keeps arriving', async () => {
    const { port } = await anApp({ idleMs: 6_000 })
    const body = JSON.stringify({ email: 'unknown@example.org', password: 'wrong password' })
    const client = await aClient(
      port,
      `POST /auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    const response = responseOf(client)
    for (const character of body) {
      client.write(character)
      await wait(110)
    }
    expect(await response).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('meets the limits of Node, as many connections as the process accepts, and as many requests as a connection', async () => {
    const { app } = await anApp({})
    const { headersMs, requestMs, idleMs } = connectionTimes
    expect(app.server).toMatchObject({
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      timeout: idleMs,
      maxConnections: connectionsMax,
      maxRequestsPerSocket: requestsPerConnectionMax,
    })
  })
})

test('of more pipelined requests than a connection may have, the rest is not run', async () => {
  const { port } = await anApp({})
  const client = await aClient(port, get('/healthz').repeat(requestsPerConnectionMax + 10))
  let text = ''
  client.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  await expect.poll(() => text, patience).toContain('HTTP/1.1 503')
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(requestsPerConnectionMax)
})

describe('a client that does not read its responses', () => {
  /** Opens a connection that never reads. */
  const unread = async (port: number, text: string) => (await aClient(port, text)).pause()

  test.each([
    ['responses of calls', () => get('/openapi.json').repeat(100), {}],
    ['a file', () => get('/uploads/large.webp'), {}],
    [
      'a picture from the bucket',
      () => get(`/uploads/${'0'.repeat(24)}-160.webp`),
      {
        storage: {
          ...server.services.storage,
          bucket: { get: async () => ({ status: 200, headers: {}, body: Readable.from([large]) }) },
        } as unknown as Services['storage'],
      },
    ],
    [
      'a live stream',
      () => get(`/trpc/reviews.live?input=${encodeURIComponent(JSON.stringify({ movieId }))}`),
      {
        live: {
          ...server.services.live,
          async *follow() {
            for (;;) yield { text: large.toString('latin1', 0, 1_000_000) } as never
          },
        },
      },
    ],
  ])(
    'is disconnected: %s',
    async (_what, request, services: Partial<Services>) => {
      const { port, accepted, connections } = await anApp({ idleMs: 500 }, services)
      await unread(port, request())
      await expect.poll(accepted, patience).toBe(1)
      await expect.poll(connections, patience).toBe(0)
    },
    180_000,
  )

  test('quickly is still served as long as it reads', async () => {
    const { port } = await anApp({ idleMs: 6_000 })
    const client = await aClient(
      port,
      get('/uploads/large.webp').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    const startedAt = performance.now()
    let bytes = 0
    for await (const chunk of client as AsyncIterable<Buffer>) {
      bytes += chunk.length
      await wait(20)
    }
    expect(bytes).toBeGreaterThan(large.length)
    expect(performance.now() - startedAt).toBeGreaterThan(6_000)
  })

  test('holds no more memory than its response: 25 batches of 20 comment lists', async () => {
    const clients = 25
    const { folder, remove } = aDataFolder()
    onTestFinished(remove)
    const db = openDatabase({ databaseUrl: undefined, dataDir: folder })
    await migrate(db)
    const { id: user_id } = await aMember(db)
    const media_id = await aTitle(db)
    const at = new Date().toISOString()
    const times = { created_at: at, updated_at: at, rated_at: at }
    const values = { media_id, kind: 'movie' as const, user_id, rating: 30, text: 'Well.', ...times }
    const { id } = await db.insertInto('reviews').values(values).returning('id').executeTakeFirstOrThrow()
    for (let part = 0; part < 10; part++)
      await db
        .insertInto('comments')
        .values(
          Array.from({ length: 50 }, () => ({
            review_id: id,
            user_id,
            text: '字'.repeat(commentTextMax),
            created_at: at,
          })),
        )
        .execute()
    // A member’s token, because visitors would share one cached response.
    const token = await aSession(db, { id: user_id })
    await db.destroy()

    const program = await startProgram({ DATA_DIR: folder })
    onTestFinished(() => void program.end('SIGKILL'))
    const port = Number(new URL(program.url).port)
    const inputs = encodeURIComponent(JSON.stringify({ ...Array.from({ length: 20 }, () => ({ id })) }))
    const path = `/trpc/${Array(20).fill('reviews.comments').join(',')}?batch=1&input=${inputs}`
    const authorization = `Bearer ${token}`
    // As many at once that read: afterwards, the process has the memory that computing the responses takes.
    const read = async () => {
      const response = await fetch(program.url + path, { headers: { authorization } })
      expect(response.status).toBe(207)
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(2.1 * 2 ** 20)
    }
    await Promise.all(Array.from({ length: clients }, read))
    const before = memoryOf(program.child.pid)
    // Waits for the first bytes, so that the response exists, and then stops reading.
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
    const readers = await Promise.all(
      Array.from({ length: clients }, async () => {
        const client = await aClient(port, request)
        await once(client, 'readable')
        return client
      }),
    )
    expect(readers.filter(({ destroyed }) => destroyed)).toEqual([])
    expect(memoryOf(program.child.pid) - before).toBeLessThan(clients * 2 + 20)
    // Other clients do not wait for them.
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200)
  })

  // The kernel’s buffers are larger than any real response, so this route has a larger one.
  test.each([
    ['an address', true, 2, 429, 'TOO_MANY_REQUESTS'],
    ['all addresses', false, 18, 503, 'SERVICE_UNAVAILABLE'],
  ])(
    'gets no further large responses until it reads: quota of %s',
    async (_scope, hasRateLimits, readersMax, status, code) => {
      const app = Fastify()
      onTestFinished(() => app.close())
      app.setErrorHandler(sendError)
      registerConnections(app, { hasRateLimits })
      app.get('/large', (_request, reply) => reply.type('image/webp').send(large.subarray(0, 7 * 2 ** 20)))
      app.get('/small', (_request, reply) => reply.send({}))
      await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo
      const url = `http://127.0.0.1:${port}`
      const readers: Socket[] = []
      for (let reader = 0; reader < readersMax; reader++) {
        const client = await unread(port, get('/large'))
        await once(client, 'readable')
        readers.push(client)
      }
      const refused = await fetch(`${url}/large`)
      expect([refused.status, (await refused.json()).code]).toEqual([status, code])
      expect(refused.headers.get('content-type')).toMatch('application/json')
      expect((await fetch(`${url}/small`)).status).toBe(200)
      readers[0]!.destroy()
      await expect.poll(async () => (await fetch(`${url}/large`)).status, patience).toBe(200)
    },
    180_000,
  )

  test('holds no quota if it left before its response was ready', async () => {
    const app = Fastify()
    onTestFinished(() => app.close())
    app.setErrorHandler(sendError)
    registerConnections(app, { hasRateLimits: true })
    let [started, sent] = [0, 0]
    app.get('/large', async ({ raw, query }, reply) => {
      started++
      if ((query as { waits?: string }).waits) await once(raw.socket, 'close')
      sent++
      return reply.type('image/webp').send(large.subarray(0, 7 * 2 ** 20))
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    for (let count = 1; count <= 3; count++) {
      const client = await aClient(port, get('/large?waits=1'))
      await expect.poll(() => started).toBe(count)
      client.destroy()
      await expect.poll(() => sent).toBe(count)
    }
    expect((await fetch(`http://127.0.0.1:${port}/large`)).status).toBe(200)
  })

  test.each(['/reviews/{id}/comments', '/trpc/reviews.comments?input={"id":{id}}'])(
    'is told by %s when to try again',
    async (path) => {
      const { id: user_id } = await aMember(server.db)
      const created_at = new Date().toISOString()
      const times = { created_at, updated_at: created_at, rated_at: created_at }
      const { id: review_id } = await server.db
        .insertInto('reviews')
        .values({ media_id: movieId, kind: 'movie', user_id, rating: 30, text: 'Well.', ...times })
        .returning('id')
        .executeTakeFirstOrThrow()
      const text = '字'.repeat(commentTextMax)
      const comments = Array.from({ length: 20 }, () => ({ review_id, user_id, text, created_at }))
      await server.db.insertInto('comments').values(comments).execute()
      const config = { ...server.config, hasRateLimits: true }
      const app = await buildApp({ ...server.services, config }, { web: noWeb })
      onTestFinished(() => app.close())
      app.get('/half', (_request, reply) => reply.type('image/webp').send(large.subarray(0, 8_380_000)))
      await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo
      const url = `http://127.0.0.1:${port}${path.replace('{id}', String(review_id))}`
      const headers = { 'accept-encoding': 'identity' }
      expect((await fetch(url, { headers })).status).toBe(200)
      for (let half = 0; half < 2; half++) await once(await unread(port, get('/half')), 'readable')
      const refused = await fetch(url, { headers })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
      // Clients and caches must not store the error as the response.
      expect([refused.headers.get('etag'), refused.headers.get('cache-control')]).toEqual([null, 'no-store'])
    },
    180_000,
  )
})

test.each([
  ['Host: a', 'Host: b'],
  ['Host: a', 'host: a'],
  ['Host: a', 'Authorization: Bearer a', 'authorization: Bearer b'],
  ['Host: a', 'Content-Type: application/json', 'Content-Type: text/plain'],
  ['Host: a', 'Content-Length: 0', 'Content-Length: 0'],
  ['Host: a', 'Content-Length: 0', 'Transfer-Encoding: chunked'],
  ['Accept: */*'],
])('a request with the headers %j %j %j is refused with 400', async (...headers) => {
  const { port } = await anApp({})
  const client = await aClient(
    port,
    `GET /healthz HTTP/1.1\r\n${headers.filter(Boolean).join('\r\n')}\r\n\r\n`,
  )
  const response = await responseOf(client)
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(response).toMatch(/^connection: close/im)
})
