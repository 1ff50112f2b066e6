import { connect } from 'node:net'
import sharp from 'sharp'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { imageSrcSet } from '#shared/domain/images.ts'
import { uploadBytesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { aMember, anUpload, aServer, aSignedInMember } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { withoutHiddenChunks } from '#server/uploads/bytes.ts'
import { resizeInChild } from '#server/uploads/decoder.ts'
import { folderStorage } from '#server/uploads/storage.ts'

/** Runs `action` whenever the decoding of a picture starts, until the test ends. */
function onDecoding(action: () => void): void {
  const decode = vi.mocked(resizeInChild).getMockImplementation()!
  vi.mocked(resizeInChild).mockImplementation((...picture) => {
    action()
    return decode(...picture)
  })
  onTestFinished(() => void vi.mocked(resizeInChild).mockReset())
}

/** On Postgres, only the tests that depend on the database run. */
const isPostgres = inject('postgresUrl') !== null
const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const head = (field = 'image') =>
  `--x\r\ncontent-disposition: form-data; name="${field}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
const form = (...files: Buffer[]) =>
  Buffer.concat([
    ...files.flatMap((file) => [Buffer.from(head()), file, Buffer.from('\r\n')]),
    Buffer.from('--x--\r\n'),
  ])
const writers = await Promise.all([1, 2, 3].map(() => aSignedInMember(server.db)))
const headers = { 'content-type': 'multipart/form-data; boundary=x' }
const asMember = (index = 0): Record<string, string> => ({
  ...headers,
  authorization: `Bearer ${writers[index]!.token}`,
})
const send = (payload: Buffer, as = asMember(), remoteAddress = '127.0.0.1') =>
  app.inject({ method: 'POST', url: '/upload', payload, headers: as, remoteAddress })
const upload = (bytes: Buffer, as = asMember(), address?: string) => send(form(bytes), as, address)

const flat = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' }, limitInputPixels: false })

async function storedPicture(response: Awaited<ReturnType<typeof upload>>): Promise<Buffer> {
  expect(response).toMatchObject({ statusCode: 201 })
  return (await app.inject(response.json().imageUrl)).rawPayload
}

// Decoding takes much CPU time and uses no database, so one project tests it.
describe.skipIf(isPostgres)('a form', () => {
  test('with a file or a whole of more than the limit returns 413', async () => {
    const png = await flat().png().toBuffer()
    const large = Buffer.concat([png, Buffer.alloc(uploadBytesMax - png.length)])
    expect((await upload(large)).statusCode).toBe(201)
    for (const payload of [
      form(Buffer.concat([large, Buffer.alloc(1)])),
      Buffer.concat([form(png), Buffer.alloc(uploadBytesMax + 100_000)]),
    ]) {
      const response = await send(payload)
      expect([response.statusCode, response.json()]).toEqual([
        413,
        { code: 'PAYLOAD_TOO_LARGE', message: messages.uploadTooLarge },
      ])
    }
  })

  test('with two files, too many or no fields, a missing end or a missing boundary returns 400', async () => {
    const png = await flat().png().toBuffer()
    const fields = Array.from(
      { length: 9 },
      (_, index) => `--x\r\ncontent-disposition: form-data; name="f${index}"\r\n\r\n1\r\n`,
    ).join('')
    for (const payload of [
      form(png, png),
      Buffer.from(`${fields}--x--\r\n`),
      Buffer.from('--x--\r\n'),
      Buffer.from(''),
      form(png).subarray(0, 400),
      Buffer.from(head()),
      Buffer.from('nonsense'),
    ]) {
      const response = await send(payload)
      expect([response.statusCode, response.json().code]).toEqual([400, 'BAD_REQUEST'])
    }
    const headless = await app.inject({
      method: 'POST',
      url: '/upload',
      payload: form(png),
      headers: { 'content-type': 'multipart/form-data' },
    })
    expect(headless.statusCode).toBe(400)
  })

  test('that is aborted does not affect the server', async () => {
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /upload HTTP/1.1\r\nhost: x\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: 100000\r\n\r\n${head()}`,
        )
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on('close', () => resolve())
    })
    expect((await upload(await flat().png().toBuffer())).statusCode).toBe(201)
  })
})

test.skipIf(isPostgres)(
  'PNG chunks that are not needed for display are removed without decompressing them',
  () => {
    const chunk = (type: string, length: number) => {
      const bytes = Buffer.alloc(length + 12)
      bytes.writeUInt32BE(length, 0)
      bytes.write(type, 4, 'latin1')
      return bytes
    }
    const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
    const shown = ['IHDR', 'iCCP', 'eXIf', 'PLTE', 'IDAT'].map((type) => chunk(type, 100))
    const hidden = [
      ...['tEXt', 'zTXt', 'iTXt', 'acTL', 'fdAT', 'prIv'].map((type) => chunk(type, 100)),
      chunk('eXIf', 70_000),
      chunk('iCCP', 2_000_001),
    ]
    const [head, ...rest] = shown
    const end = chunk('IEND', 0)
    expect(
      withoutHiddenChunks(Buffer.concat([start, head!, ...hidden, ...rest, end, Buffer.from('<script>')])),
    ).toEqual(Buffer.concat([start, ...shown, end]))
    for (const broken of [
      start,
      Buffer.concat([start, head!.subarray(0, 50)]),
      Buffer.concat([start, Buffer.alloc(50, 255)]),
    ])
      expect(withoutHiddenChunks(broken).length).toBeLessThanOrEqual(broken.length)
  },
)

describe('without a login', () => {
  test('a picture is stored only in the sizes of an avatar', async () => {
    const response = await upload(await flat(3_000, 2_000).png().toBuffer(), headers)
    expect(response.json().imageUrl).toMatch(/-320\.webp$/)
    expect(await sharp(await storedPicture(response)).metadata()).toMatchObject({ width: 320, height: 213 })
    const { imageUrl } = response.json<{ imageUrl: string }>()
    const sizes = imageSrcSet(imageUrl)!
      .split(', ')
      .map((size) => size.split(' ')[0]!)
    expect(sizes).toHaveLength(2)
    for (const url of sizes) expect((await app.inject(url)).statusCode).toBe(200)
    expect((await app.inject(imageUrl.replace('-320', '-640'))).statusCode).toBe(404)
  })

  test.each([
    ['bytes', [200_000_000]],
    ['number of uploads', Array.from({ length: 1_999 }, () => 1)],
  ])(
    'all uploads together have a quota (%s) that excludes uploads in use and old ones',
    async (_name, sizes) => {
      await server.db.deleteFrom('uploads').execute()
      const png = await flat().png().toBuffer()
      const shown = await anUpload(server.db, { bytes: 200_000_000 })
      const { id } = await aMember(server.db)
      await server.db.updateTable('users').set({ picture: shown }).where('id', '=', id).execute()
      await anUpload(server.db, { bytes: 200_000_000, at: new Date(Date.now() - 3 * 60 * 60_000) })
      expect((await upload(png, headers)).statusCode).toBe(201)
      for (const bytes of sizes) await anUpload(server.db, { bytes })
      const full = await upload(png, headers)
      expect([full.statusCode, full.json()]).toEqual([
        503,
        { code: 'SERVICE_UNAVAILABLE', message: messages.uploadsFull },
      ])
      expect(full.headers['retry-after']).toMatch(/^\d+$/)
      expect((await upload(png)).statusCode).toBe(201)
      await server.db.deleteFrom('uploads').execute()
    },
  )
})

test.each([
  ['bytes', [100_000_000]],
  ['number of uploads', Array.from({ length: 199 }, () => 1)],
])('a member has a daily quota (%s), and the error has Retry-After', async (_name, sizes) => {
  await server.db.deleteFrom('uploads').execute()
  const png = await flat().png().toBuffer()
  const [ownerId, hour] = [writers[1]!.id, 60 * 60_000]
  await anUpload(server.db, { ownerId, bytes: 200_000_000, at: new Date(Date.now() - 25 * hour) })
  const stored = await upload(png, asMember(1))
  expect(stored.statusCode).toBe(201)
  const rows = server.db.selectFrom('uploads').select('owner_id').where('path', '=', stored.json().imageUrl)
  expect(await rows.execute()).toEqual([{ owner_id: ownerId }])
  for (const bytes of sizes)
    await anUpload(server.db, { ownerId, bytes, at: new Date(Date.now() - 23 * hour) })
  const refused = await upload(png, asMember(1))
  expect([refused.statusCode, refused.json()]).toEqual([
    429,
    { code: 'TOO_MANY_REQUESTS', message: messages.uploadQuotaUsed },
  ])
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(3_500 - 120)
  expect(seconds).toBeLessThanOrEqual(3_600)
  expect((await upload(png, asMember(2))).statusCode).toBe(201)
  await server.db.deleteFrom('uploads').execute()
})

test('uploads are refused, and nothing is stored, while free disk space is below the reserve', async () => {
  let hasSpace = false
  const storage = { ...server.services.storage, hasFreeSpace: async () => hasSpace }
  const own = await buildApp({ ...server.services, storage }, { web: noWeb })
  const payload = form(await flat().png().toBuffer())
  const send = () => own.inject({ method: 'POST', url: '/upload', payload, headers })
  expect((await send()).json()).toEqual({ code: 'SERVICE_UNAVAILABLE', message: messages.uploadsNoRoom })
  hasSpace = true
  expect((await send()).statusCode).toBe(201)
  await own.close()
  expect(await folderStorage(server.config.dataDir, 2 ** 60).hasFreeSpace()).toBe(false)
  expect(await folderStorage(server.config.dataDir, 1).hasFreeSpace()).toBe(true)
})

test.skipIf(isPostgres)('if the disk fills while a picture is stored, none of its sizes stays', async () => {
  const stored = new Set<string>()
  const { storage } = server.services
  const filling = {
    ...storage,
    async put(name: string) {
      if (stored.size === 2) throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })
      stored.add(name)
    },
    remove: async (name: string) => stored.delete(name),
  }
  const own = await buildApp({ ...server.services, storage: filling }, { web: noWeb })
  const payload = form(await flat(1_300, 900).png().toBuffer())
  const response = await own.inject({ method: 'POST', url: '/upload', payload, headers: asMember(2) })
  expect([response.statusCode, response.json().message]).toEqual([503, messages.cannotSave])
  expect([...stored]).toEqual([])
  await own.close()
})

describe.skipIf(isPostgres)('concurrent uploads', () => {
  test('from one IP address are limited to four, and the others get 429 with Retry-After', async () => {
    const png = await flat().png().toBuffer()
    for (const addresses of [['192.0.2.1'], ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3']]) {
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          upload(png, asMember(), addresses[index % addresses.length]),
        ),
      )
      const statuses = responses.map(({ statusCode }) => statusCode)
      expect(statuses.filter((status) => status === 201)).toHaveLength(4)
      expect(statuses.filter((status) => status === 429)).toHaveLength(8)
      expect(responses.find(({ statusCode }) => statusCode === 429)!.headers['retry-after']).toBe('5')
    }
    expect((await upload(png, asMember(), '192.0.2.1')).statusCode).toBe(201)
  })

  variation(
    'from many IP addresses are limited by memory, and uploads are accepted again afterwards',
    async () => {
      const large = await flat(3_000, 2_000).png({ progressive: true }).toBuffer()
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) => upload(large, asMember(), `192.0.2.${index}`)),
      )
      const statuses = responses.map(({ statusCode }) => statusCode)
      expect(new Set(statuses)).toEqual(new Set([201, 503]))
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(16)
      expect(responses.find(({ statusCode }) => statusCode === 503)!.json()).toEqual({
        code: 'SERVICE_UNAVAILABLE',
        message: messages.busy,
      })
      expect((await upload(large)).statusCode).toBe(201)
    },
  )

  test('without a login leave room for members', async () => {
    const png = await flat(1_000, 1_000).png().toBuffer()
    const visitors = Array.from({ length: 24 }, (_, index) => upload(png, headers, `192.0.2.${index}`))
    const members = Array.from({ length: 6 }, (_, index) => upload(png, asMember(), `198.51.100.${index}`))
    const statuses = (await Promise.all(visitors)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(18)
    expect(statuses.filter((status) => status === 503)).toHaveLength(6)
    for (const { statusCode } of await Promise.all(members)) expect(statusCode).toBe(201)
  })
})

describe.skipIf(isPostgres)('decoders', () => {
  const finished: string[] = []
  const uploadFrom = async (address: string, bytes: Buffer) => {
    expect((await upload(bytes, asMember(), address)).statusCode).toBe(201)
    finished.push(address)
  }

  test('are shared by the networks: one that sends many large pictures delays another by no more than one', async () => {
    const heavy = await flat(4_000, 3_000).png({ progressive: true }).toBuffer()
    const small = await flat().png().toBuffer()
    let decoded = 0
    const hasBegun = new Promise<void>((resolve) => {
      onDecoding(() => {
        if (decoded++ === 0) resolve()
      })
    })
    const many = Array.from({ length: 4 }, () => uploadFrom('2001:db8:5::1', heavy))
    await hasBegun
    await Promise.all([...many, uploadFrom('192.0.2.5', small)])
    expect(finished.indexOf('192.0.2.5')).toBeLessThanOrEqual(1)
  })

  test('that a picture takes for long count it as several uploads', async () => {
    const own = await aServer({ RATE_LIMITS: 'on' })
    const limited = await buildApp(own.services, { web: noWeb })
    const payload = form(await flat().png().toBuffer())
    const remaining = async () => {
      const response = await limited.inject({ method: 'POST', url: '/upload', payload, headers })
      expect(response.statusCode).toBe(201)
      return Number(response.headers['ratelimit-remaining'])
    }
    const first = await remaining()
    vi.useFakeTimers({ toFake: ['performance'] })
    onDecoding(() => vi.advanceTimersByTime(5_000))
    const second = await remaining()
    vi.useRealTimers()
    expect(first - second).toBe(3)
    await limited.close()
  })
})
