import { existsSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { startS3 } from '#scripts/testing/s3.ts'
import { buildApp } from '#server/app.ts'
import { connectionTimes } from '#server/http/limits/connections.ts'
import { readConfig } from '#server/config.ts'
import { aMember, aServer } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { removeOrphans } from './orphans.ts'
import { folderStorage, openStorage } from './storage.ts'

const s3 = await startS3()
afterAll(() => s3.remove())
const server = await aServer({ RATE_LIMITS: 'off', ...s3.env })
const { db, config } = server
const app = await buildApp(server.services, { web: noWeb })

const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a33' } })
  .png()
  .toBuffer()
const upload = (to = app) =>
  to.inject({
    method: 'POST',
    url: '/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([
      Buffer.from('--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n'),
      png,
      Buffer.from('\r\n--x--\r\n'),
    ]),
  })

describe('a picture in the bucket', () => {
  test('is served at the same URL and with the same headers as one in a folder', async () => {
    const response = await upload()
    expect(response.statusCode).toBe(201)
    const { imageUrl } = response.json<{ imageUrl: string }>()
    expect(existsSync(join(config.dataDir, imageUrl))).toBe(false)

    const picture = await app.inject(imageUrl)
    await folderStorage(config.dataDir).put('local-poster-320.webp', picture.rawPayload)
    const local = await app.inject('/uploads/local-poster-320.webp')
    expect([picture.statusCode, local.statusCode]).toEqual([200, 200])
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 300 })
    for (const name of ['content-type', 'content-length', 'cache-control', 'accept-ranges'])
      expect([name, picture.headers[name]]).toEqual([name, local.headers[name]])
    expect(picture.headers).toMatchObject({
      etag: expect.stringMatching(/^"/),
      'last-modified': expect.stringMatching(/GMT$/),
      'x-content-type-options': 'nosniff',
    })
  })

  test('supports HEAD, range requests and conditional requests', async () => {
    const { imageUrl } = (await upload()).json<{ imageUrl: string }>()
    const whole = await app.inject(imageUrl)
    const { length } = whole.rawPayload
    const get = (headers: Record<string, string>) => app.inject({ url: imageUrl, headers })

    const head = await app.inject({ method: 'HEAD', url: imageUrl })
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
      200,
      String(length),
      0,
    ])
    const part = await get({ range: 'bytes=10-19' })
    expect(part.statusCode).toBe(206)
    expect(part.headers).toMatchObject({
      'content-range': `bytes 10-19/${length}`,
      'content-length': '10',
      'content-type': 'image/webp',
    })
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(10, 20))
    expect((await get({ range: 'bytes=100-' })).rawPayload).toEqual(whole.rawPayload.subarray(100))
    expect((await get({ range: `bytes=${length}-` })).statusCode).toBe(416)
    for (const range of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=-']) {
      const response = await get({ range })
      expect([range, response.statusCode, response.rawPayload.length]).toEqual([range, 200, length])
    }
    const again = await get({ 'if-none-match': String(whole.headers.etag) })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  })

  test('returns 404 if it is missing or its name is not a picture’s', async () => {
    const name = 'a'.repeat(24)
    for (const url of [
      `/uploads/${name}-640.webp`,
      `/uploads/${name}-640.webp/`,
      `/uploads/${name}-640.png`,
      `/uploads/..%2f${name}-640.webp`,
      '/uploads/missing-160.webp',
    ]) {
      const response = await app.inject(url)
      expect([url, response.statusCode]).toEqual([url, 404])
      expect(response.json().code).toBe('NOT_FOUND')
    }
    expect((await app.inject({ method: 'HEAD', url: `/uploads/${name}-640.webp` })).statusCode).toBe(404)
  })

  test('is removed after a day if it is not in use, even in a paged listing; recent pictures and other files stay', async () => {
    const listing = await startS3({ allowsListing: true })
    const bucket = openStorage(readConfig(listing.env), { error: console.error })
    const names = async () => (await Array.fromAsync(bucket.list())).map(({ name }) => name).sort()
    const file = (index: number) => `${index.toString(16).padStart(24, '0')}-160.webp`
    for (let index = 0; index < 1_050; index += 50)
      await Promise.all(Array.from({ length: 50 }, (_, more) => bucket.put(file(index + more), png)))
    await bucket.put('notes.txt', Buffer.from('notes'))
    const { id } = await aMember(db)
    await db
      .updateTable('users')
      .set({ picture: `/uploads/${file(7)}` })
      .where('id', '=', id)
      .execute()
    expect(await removeOrphans(db, bucket, new Date())).toEqual({ uploads: 0, files: 0 })
    const tomorrow = new Date(Date.now() + 25 * 60 * 60_000)
    expect(await removeOrphans(db, bucket, tomorrow)).toMatchObject({ files: 1_049 })
    expect(await names()).toEqual([file(7), 'notes.txt'])
    await listing.remove()
  })
})

describe('a slow bucket or client', () => {
  const bytes = Buffer.alloc(6_000_000, 7)
  const url = (index: number) => `/uploads/${index.toString(16).padStart(24, '0')}-640.webp`

  /** A minimal S3 server for reads; `send` writes the body. */
  async function aBucket(send: (response: ServerResponse) => void, env: Record<string, string> = {}) {
    const origin = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length, etag: '"x"' })
      send(response)
    })
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', () => resolve()))
    const { port } = origin.address() as AddressInfo
    const config = readConfig({ ...s3.env, ...env, S3_ENDPOINT: `http://127.0.0.1:${port}` })
    const errors: string[] = []
    const error = (about: object) => void errors.push(String(Object.values(about)[0]))
    const own = await buildApp(
      {
        ...server.services,
        config: { ...server.config, hasRateLimits: config.hasRateLimits },
        storage: openStorage(config, { error }),
      },
      { web: noWeb, times: { ...connectionTimes, idleMs: 2_000 } },
    )
    return {
      own,
      errors,
      async close() {
        await own.close()
        origin.closeAllConnections()
        origin.close()
      },
    }
  }

  test('clients that never read hold no connection to the bucket, and only their own share of the memory', async () => {
    const { own, close } = await aBucket((response) => response.end(bytes), { RATE_LIMITS: 'on' })
    const { port } = new URL(await own.listen({ port: 0, host: '127.0.0.1' }))
    const status = async (remoteAddress: string) =>
      (await own.inject({ url: url(99), remoteAddress })).statusCode
    // More than the S3 client has connections.
    const sockets = Array.from({ length: 60 }, (_, index) => {
      const socket = connect(Number(port), '127.0.0.1').pause()
      socket.on('error', () => {})
      socket.write(`GET ${url(index)} HTTP/1.1\r\nhost: x\r\n\r\n`)
      return socket
    })
    // Rarely, because each of these calls reads a large picture from the bucket.
    const patience = { timeout: 170_000, interval: 200 }
    await expect.poll(() => status('127.0.0.1'), patience).toBe(429)
    expect(await status('192.0.2.1')).toBe(200)
    // The connections without progress are closed, and the address is served again.
    await expect.poll(() => status('127.0.0.1'), patience).toBe(200)
    for (const socket of sockets) socket.destroy()
    await close()
  })

  test('a picture that stalls on its way from the bucket returns 503 after a timeout of about ten seconds', async () => {
    const { own, errors, close } = await aBucket((response) => response.write(bytes.subarray(0, 100)))
    const response = await own.inject(url(1))
    expect(response.statusCode).toBe(503)
    expect(errors).toHaveLength(1)
    await close()
  })
})

describe('a bucket that is down or misconfigured', () => {
  test('returns 503 with a message and logs the reason while it is down, and recovers by itself', async () => {
    let errors = 0
    const error = () => void errors++
    const own = await buildApp(
      { ...server.services, storage: openStorage(config, { error }) },
      { web: noWeb },
    )
    const { imageUrl } = (await upload(own)).json<{ imageUrl: string }>()
    await s3.stop()
    for (const response of [
      await upload(own),
      await own.inject(imageUrl),
      await own.inject({ url: `/uploads/${'b'.repeat(24)}-640.webp` }),
    ]) {
      expect(response.statusCode).toBe(503)
      expect(response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
      expect(response.headers['cache-control'] ?? 'none').not.toContain('immutable')
    }
    expect(errors).toBe(3)
    // There is no row for the upload that failed.
    const { count } = await db
      .selectFrom('uploads')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('path', '=', imageUrl)
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)

    await s3.start()
    expect((await own.inject(imageUrl)).statusCode).toBe(200)
    expect((await upload(own)).statusCode).toBe(201)
    await own.close()
  })

  test.each([
    ['a wrong secret', { S3_SECRET_ACCESS_KEY: 'not-the-secret' }],
    ['no such bucket', { S3_BUCKET: 'elsewhere' }],
  ])('%s returns 503, and the log does not contain the secret', async (_name, env) => {
    const lines: string[] = []
    const error = (about: object) => void lines.push(JSON.stringify(about) + String(Object.values(about)[0]))
    const own = readConfig({ ...s3.env, ...env })
    const other = await buildApp({ ...server.services, storage: openStorage(own, { error }) }, { web: noWeb })
    expect((await upload(other)).statusCode).toBe(503)
    expect((await other.inject(`/uploads/${'c'.repeat(24)}-640.webp`)).statusCode).toBe(503)
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain(own.s3!.credentials!.secretAccessKey)
    await other.close()
  })
})
