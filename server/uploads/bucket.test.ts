import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import { startS3 } from '#scripts/testing/s3.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { aMember, aServer } from '#server/testing.ts'
import { noWeb } from '#server/web.ts'
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
  test('is served at the same address and with the same headers as one in the folder', async () => {
    const answer = await upload()
    expect(answer.statusCode).toBe(201)
    const { imageUrl } = answer.json<{ imageUrl: string }>()
    expect(existsSync(join(config.dataDir, imageUrl))).toBe(false)

    const picture = await app.inject(imageUrl)
    await folderStorage(config.dataDir).put('poster-of-nothing-320.webp', picture.rawPayload)
    const drawn = await app.inject('/uploads/poster-of-nothing-320.webp')
    expect([picture.statusCode, drawn.statusCode]).toEqual([200, 200])
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 300 })
    for (const name of ['content-type', 'content-length', 'cache-control', 'accept-ranges'])
      expect([name, picture.headers[name]]).toEqual([name, drawn.headers[name]])
    expect(picture.headers).toMatchObject({
      etag: expect.stringMatching(/^"/),
      'last-modified': expect.stringMatching(/GMT$/),
      'x-content-type-options': 'nosniff',
    })
  })

  test('comes without a body for HEAD, in part for a range, and not again to who has it', async () => {
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
      const answer = await get({ range })
      expect([range, answer.statusCode, answer.rawPayload.length]).toEqual([range, 200, length])
    }
    const again = await get({ 'if-none-match': String(whole.headers.etag) })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  })

  test('that is not there is 404, as is every other name', async () => {
    const name = 'a'.repeat(24)
    for (const url of [
      `/uploads/${name}-640.webp`,
      `/uploads/${name}-640.webp/`,
      `/uploads/${name}-640.png`,
      `/uploads/..%2f${name}-640.webp`,
      '/uploads/nothing-160.webp',
    ]) {
      const answer = await app.inject(url)
      expect([url, answer.statusCode]).toEqual([url, 404])
      expect(answer.json().code).toBe('NOT_FOUND')
    }
    expect((await app.inject({ method: 'HEAD', url: `/uploads/${name}-640.webp` })).statusCode).toBe(404)
  })

  test('that nothing shows is removed after a day, in however many pages they are listed; what is young or no picture stays', async () => {
    const listing = await startS3({ isToList: true })
    const bucket = openStorage(readConfig(listing.env), { error: console.error })
    const names = async () => (await Array.fromAsync(bucket.list())).map(({ name }) => name).sort()
    const file = (index: number) => `${index.toString(16).padStart(24, '0')}-160.webp`
    for (let index = 0; index < 1_050; index += 50)
      await Promise.all(Array.from({ length: 50 }, (_, more) => bucket.put(file(index + more), png)))
    await bucket.put('notes.txt', Buffer.from('ours'))
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

describe('a bucket that cannot be used', () => {
  test('is a 503 in words while it is down, with a reason in the log, and works again by itself', async () => {
    let faults = 0
    const error = () => void faults++
    const own = await buildApp(
      { ...server.services, storage: openStorage(config, { error }) },
      { web: noWeb },
    )
    const { imageUrl } = (await upload(own)).json<{ imageUrl: string }>()
    await s3.stop()
    for (const answer of [
      await upload(own),
      await own.inject(imageUrl),
      await own.inject({ url: `/uploads/${'b'.repeat(24)}-640.webp` }),
    ]) {
      expect(answer.statusCode).toBe(503)
      expect(answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
      expect(answer.headers['cache-control'] ?? 'none').not.toContain('immutable')
    }
    expect(faults).toBe(3)
    // Nothing says that there is a picture which is not.
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
  ])('%s is a 503 as well, and the log does not have the secret', async (_name, env) => {
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
