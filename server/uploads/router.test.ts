import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import { buildApp } from '#server/app.ts'
import { aServer } from '#server/testing.ts'
import { noWeb } from '#server/web.ts'

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
const headers = { 'content-type': 'multipart/form-data; boundary=x' }
const send = (payload: Buffer) => app.inject({ method: 'POST', url: '/upload', payload, headers })
const upload = (bytes: Buffer) => send(form(bytes))

type Format = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'
const flat = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' }, limitInputPixels: false })
/** Left half red, right half blue. */
const halves = () =>
  flat(200, 100).composite([
    { input: { create: { width: 100, height: 100, channels: 3, background: '#00f' } }, left: 100, top: 0 },
  ])

async function kept(answer: Awaited<ReturnType<typeof upload>>): Promise<Buffer> {
  expect(answer).toMatchObject({ statusCode: 201 })
  return (await app.inject(answer.json().imageUrl)).rawPayload
}

/** Red, green and blue of a point, given as shares of width and height. */
async function colorAt(picture: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  return [...data.subarray(at, at + 3)]
}
// Generous: ink cannot show the blue of a screen.
const isRed = ([r, g, b]: number[]) => r! > Math.max(g!, b!) + 60
const isBlue = ([r, g, b]: number[]) => b! > Math.max(r!, g!) + 60

/** A PNG whose header says another size than it has. */
async function pngThatSays(width: number, height: number): Promise<Buffer> {
  const png = await flat().png().toBuffer()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

describe('is refused and leaves nothing behind:', () => {
  const notAPicture = { code: 'BAD_REQUEST', message: messages.uploadNotAPicture }
  const jpegThatSays = async () => {
    const jpeg = await flat().jpeg().toBuffer()
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(65_500, frame + 5)
    jpeg.writeUInt16BE(65_500, frame + 7)
    return jpeg
  }
  const gifThatSays = async () => {
    const gif = await flat().gif().toBuffer()
    // The screen's size and the frame's: decoders go by the second.
    for (const at of [6, gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0])) + 5]) {
      gif.writeUInt16LE(65_535, at)
      gif.writeUInt16LE(65_535, at + 2)
    }
    return gif
  }
  const half = async (format: Format) => {
    const bytes = await sharp({
      create: {
        width: 300,
        height: 200,
        channels: 3,
        background: '#a33',
        noise: { type: 'gaussian', mean: 128, sigma: 50 },
      },
    })
      .toFormat(format)
      .toBuffer()
    return bytes.subarray(0, bytes.length / 2)
  }

  test.each([
    ['a PNG that says it has ten billion pixels', () => pngThatSays(100_000, 100_000)],
    ['a PNG that says it is as wide as can be', () => pngThatSays(2 ** 31 - 1, 1)],
    ['a JPEG that says it has four billion pixels', jpegThatSays],
    ['a GIF that says it has four billion pixels', gifThatSays],
    [
      'twenty-six million pixels in a few kilobytes',
      () => flat(5_000, 5_200).png({ compressionLevel: 1 }).toBuffer(),
    ],
    [
      'thirteen million pixels of AVIF, whose decoder is hungry',
      () => flat(3_600, 3_620).avif({ effort: 0 }).toBuffer(),
    ],
    ['half a JPEG', () => half('jpeg')],
    ['half a PNG', () => half('png')],
    ['half a GIF', () => half('gif')],
    ['half a WebP', () => half('webp')],
    ['half an AVIF', () => half('avif')],
    ['a script that begins like a GIF', async () => Buffer.from('GIF89a/*\n*/=1;alert(document.cookie)')],
    [
      'a page that begins like a GIF',
      async () => Buffer.from('GIF89a<html><script>alert(1)</script></html>'),
    ],
    [
      'an SVG that begins like a GIF',
      async () => Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    [
      'noise that begins like a WebP',
      async () =>
        Buffer.concat([Buffer.from('RIFF\xff\xff\x00\x00WEBPVP8 ', 'latin1'), Buffer.alloc(5_000, 7)]),
    ],
    [
      'noise that begins like an AVIF',
      async () => Buffer.concat([Buffer.from('\0\0\0\x20ftypavif', 'latin1'), Buffer.alloc(5_000, 7)]),
    ],
    [
      'noise that begins like a JPEG',
      async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5_000, 7)]),
    ],
  ])('%s', async (_name, make) => {
    const before = filesKept()
    const answer = await upload(await make())
    expect(answer.json()).toEqual(notAPicture)
    expect(answer.statusCode).toBe(400)
    expect(filesKept()).toEqual(before)
  })

  test.each([
    ['a BMP', Buffer.from('BM' + '\0'.repeat(60))],
    ['a TIFF', Buffer.from('II*\0' + '\0'.repeat(60), 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['an SVG behind a byte order mark', Buffer.from('\ufeff<?xml version="1.0"?><svg/>')],
    ['a HEIC', Buffer.from('\0\0\0\x18ftypheic', 'latin1')],
  ])('%s is no type that we take', async (_name, bytes) => {
    const answer = await upload(bytes)
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  function filesKept(): string[] {
    try {
      return readdirSync(`${server.config.dataDir}/uploads`)
    } catch {
      return []
    }
  }
})

describe('a form', () => {
  test('with two files, too many fields or none, without its end, or without its boundary is 400', async () => {
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
      const answer = await send(payload)
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'BAD_REQUEST'])
    }
    const headless = await app.inject({
      method: 'POST',
      url: '/upload',
      payload: form(png),
      headers: { 'content-type': 'multipart/form-data' },
    })
    expect(headless.statusCode).toBe(400)
  })

  test('that breaks off leaves the server well', async () => {
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

describe('what comes out', () => {
  test('a file that is a picture and something else besides is a picture alone', async () => {
    const secret = '<script>alert("polyglot")</script>PK\x03\x04'
    const png = await flat()
      .withExif({ IFD0: { Copyright: secret } })
      .png()
      .toBuffer()
    for (const bytes of [
      Buffer.concat([png, Buffer.from(secret)]),
      Buffer.concat([await flat().jpeg().toBuffer(), Buffer.from(secret)]),
      Buffer.concat([await flat().gif().toBuffer(), Buffer.from(secret)]),
    ]) {
      const picture = await kept(await upload(bytes))
      expect(picture.includes('polyglot')).toBe(false)
      expect(picture.includes('PK\x03\x04')).toBe(false)
    }
  })

  test('of an animated GIF and an animated WebP the first frame stays', async () => {
    const frames = [
      await flat(120, 90).png().toBuffer(),
      await sharp({ create: { width: 120, height: 90, channels: 3, background: '#00f' } })
        .png()
        .toBuffer(),
    ]
    for (const format of ['gif', 'webp'] as const) {
      const animation = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      expect((await sharp(animation).metadata()).pages).toBe(2)
      const picture = await kept(await upload(animation))
      const { pages = 1, width, height } = await sharp(picture, { animated: true }).metadata()
      expect([pages, width, height]).toEqual([1, 120, 90])
      expect(isRed(await colorAt(picture, 0.5, 0.5))).toBe(true)
    }
  })

  test('a photo that was taken upright stands upright, with nothing left to turn', async () => {
    const bytes = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const picture = await kept(await upload(bytes))
    const { width, height, orientation } = await sharp(picture).metadata()
    expect([width, height, orientation]).toEqual([100, 200, undefined])
    expect(isRed(await colorAt(picture, 0.5, 0.2))).toBe(true)
    expect(isBlue(await colorAt(picture, 0.5, 0.8))).toBe(true)
  })

  test('a JPEG for printing (CMYK), sixteen bits, grey, a palette and transparency look as they did', async () => {
    const cmyk = await halves().toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const sixteen = await halves().toColourspace('rgb16').png().toBuffer()
    expect((await sharp(sixteen).metadata()).depth).toBe('ushort')
    const palette = await halves().png({ palette: true }).toBuffer()
    for (const bytes of [cmyk, sixteen, palette]) {
      const picture = await kept(await upload(bytes))
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', space: 'srgb', depth: 'uchar' })
      expect(isRed(await colorAt(picture, 0.2, 0.5))).toBe(true)
      expect(isBlue(await colorAt(picture, 0.8, 0.5))).toBe(true)
    }
    const grey = await kept(await upload(await flat().greyscale().toColourspace('grey16').png().toBuffer()))
    const [r, g, b] = await colorAt(grey, 0.5, 0.5)
    expect(Math.max(r!, g!, b!) - Math.min(r!, g!, b!)).toBeLessThan(5)
    const clear = await kept(await upload(await flat().ensureAlpha(0).png().toBuffer()))
    expect((await sharp(clear).stats()).channels[3]!.max).toBe(0)
  })

  test.each([
    [1, 1, 160],
    [1, 5_000, 160],
    [5_000, 1, 1280],
    [100_000, 1, 1280],
    [1, 100_000, 160],
    [640, 640, 640],
    [641, 10, 1280],
    [2_700, 9_000, 1280],
  ])('%i by %i pixels are kept up to a width of %i, and never enlarged', async (width, height, largest) => {
    const answer = await upload(await flat(width, height).png().toBuffer())
    expect(answer.json().imageUrl).toMatch(new RegExp(`-${largest}\\.webp$`))
    const picture = await sharp(await kept(answer)).metadata()
    expect(picture.width).toBeLessThanOrEqual(Math.min(width, largest))
    expect(picture.height).toBeLessThanOrEqual(Math.min(height, largest * 3))
    const row = await server.db
      .selectFrom('uploads')
      .select(['width', 'height'])
      .where('path', '=', answer.json().imageUrl)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ width: picture.width, height: picture.height })
  })
})

test('of many at once two are decoded, the others wait, and what is too much is told to come again', async () => {
  const large = await sharp({ create: { width: 3_000, height: 2_000, channels: 3, background: '#3a3' } })
    .png({ progressive: true })
    .toBuffer()
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, sharp.counters().process)), 1)
  const answers = await Promise.all(Array.from({ length: 40 }, () => upload(large)))
  clearInterval(watching)
  expect(most).toBeLessThanOrEqual(2)
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(2)
  expect(answers.find(({ statusCode }) => statusCode === 503)!.json()).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    message: messages.busy,
  })
  // And when they are done, there is room again.
  expect((await upload(large)).statusCode).toBe(201)
}, 60_000)
