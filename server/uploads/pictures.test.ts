import { readdirSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { formWith } from '#scripts/testing/form.ts'
import { formatsAtSize, jpegOfScans } from '#scripts/testing/worst-pictures.ts'
import { buildApp } from '#server/app.ts'
import { aServer, aSignedInMember } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())
const { token } = await aSignedInMember(server.db)

function upload(bytes: Buffer) {
  const { headers, payload } = formWith(bytes, 'a.png', 'image')
  const authorization = `Bearer ${token}`
  return app.inject({ method: 'POST', url: '/upload', payload, headers: { ...headers, authorization } })
}

type Format = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'
const flat = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' }, limitInputPixels: false })
/** Left half red, right half blue. */
const halves = () =>
  flat(200, 100).composite([
    { input: { create: { width: 100, height: 100, channels: 3, background: '#00f' } }, left: 100, top: 0 },
  ])

async function storedPicture(response: Awaited<ReturnType<typeof upload>>): Promise<Buffer> {
  expect(response).toMatchObject({ statusCode: 201 })
  return (await app.inject(response.json().imageUrl)).rawPayload
}

/** Returns red, green and blue of a point; `x` and `y` are fractions of width and height. */
async function colorAt(picture: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  return [...data.subarray(at, at + 3)]
}
// Tolerant: CMYK cannot represent the blue of a screen.
const isRed = ([r, g, b]: number[]) => r! > Math.max(g!, b!) + 60
const isBlue = ([r, g, b]: number[]) => b! > Math.max(r!, g!) + 60

/** A PNG whose header declares a wrong size. */
async function pngDeclaring(width: number, height: number): Promise<Buffer> {
  const png = await flat().png().toBuffer()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

describe('is refused and stores no files:', () => {
  const notAPicture = { code: 'BAD_REQUEST', message: messages.uploadNotAPicture }
  const jpegDeclaring = async () => {
    const jpeg = await flat().jpeg().toBuffer()
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(65_500, frame + 5)
    jpeg.writeUInt16BE(65_500, frame + 7)
    return jpeg
  }
  const gifDeclaring = async () => {
    const gif = await flat().gif().toBuffer()
    // The size of the screen and of the frame; decoders use the latter.
    for (const at of [6, gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0])) + 5]) {
      gif.writeUInt16LE(65_535, at)
      gif.writeUInt16LE(65_535, at + 2)
    }
    return gif
  }
  const interlaced = () => formatsAtSize['png, 16 bits, interlaced'](4_700, 4_700)
  const avifDeclaring = async (width: number, height: number) => {
    const avif = await flat(6_000, 5_000).avif({ effort: 0 }).toBuffer()
    const size = avif.indexOf('ispe')
    avif.writeUInt32BE(width, size + 8)
    avif.writeUInt32BE(height, size + 12)
    return avif
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
    ['a PNG that declares ten billion pixels', () => pngDeclaring(100_000, 100_000)],
    ['a PNG that declares the maximum width', () => pngDeclaring(2 ** 31 - 1, 1)],
    ['a JPEG that declares four billion pixels', jpegDeclaring],
    ['a GIF that declares four billion pixels', gifDeclaring],
    [
      'twenty-six million pixels in a few kilobytes',
      () => flat(5_000, 5_200).png({ compressionLevel: 1 }).toBuffer(),
    ],
    [
      'an AVIF of thirteen million pixels, whose decoder takes much memory',
      () => flat(3_600, 3_620).avif({ effort: 0 }).toBuffer(),
    ],
    ['a PNG of 25,000,000 by 1', () => flat(25_000_000, 1).png().toBuffer()],
    ['a PNG of 1 by 16,385', () => flat(1, 16_385).png().toBuffer()],
    ['a JPEG of 16,385 by 1', () => flat(16_385, 1).jpeg().toBuffer()],
    ['a JPEG of 1 by 65,500', () => flat(1, 65_500).jpeg({ progressive: true }).toBuffer()],
    ['a GIF of 65,535 by 1', () => flat(65_535, 1).gif().toBuffer()],
    ['a GIF of 1 by 16,385', () => flat(1, 16_385).gif().toBuffer()],
    ['an AVIF that declares 16,385 by 2,000', () => avifDeclaring(16_385, 2_000)],
    ['an interlaced 16-bit PNG, which the decoder would hold as a whole', interlaced],
    ['a progressive JPEG with 51 scans', async () => jpegOfScans(200, 1, 51)],
    ['an AVIF whose header declares fewer pixels than it has', () => avifDeclaring(3_000, 2_000)],
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
    const before = storedFiles()
    const response = await upload(await make())
    expect(response.json()).toEqual(notAPicture)
    expect(response.statusCode).toBe(400)
    expect(storedFiles()).toEqual(before)
  })

  test.each([
    ['a BMP', Buffer.from('BM' + '\0'.repeat(60))],
    ['a TIFF', Buffer.from('II*\0' + '\0'.repeat(60), 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['an SVG after a byte order mark', Buffer.from('\ufeff<?xml version="1.0"?><svg/>')],
    ['a HEIC', Buffer.from('\0\0\0\x18ftypheic', 'latin1')],
  ])('the unsupported format %s returns 415', async (_name, bytes) => {
    const response = await upload(bytes)
    expect([response.statusCode, response.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  function storedFiles(): string[] {
    try {
      return readdirSync(`${server.config.dataDir}/uploads`)
    } catch {
      return []
    }
  }
})

describe('a stored picture', () => {
  test('contains nothing but the picture if the upload is a polyglot file', async () => {
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
      const picture = await storedPicture(await upload(bytes))
      expect(picture.includes('polyglot')).toBe(false)
      expect(picture.includes('PK\x03\x04')).toBe(false)
    }
  })

  test('is the first frame of an animated GIF or WebP', async () => {
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
      const picture = await storedPicture(await upload(animation))
      const { pages = 1, width, height } = await sharp(picture, { animated: true }).metadata()
      expect([pages, width, height]).toEqual([1, 120, 90])
      expect(isRed(await colorAt(picture, 0.5, 0.5))).toBe(true)
    }
  })

  test('has the EXIF orientation applied and removed', async () => {
    const bytes = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const picture = await storedPicture(await upload(bytes))
    const { width, height, orientation } = await sharp(picture).metadata()
    expect([width, height, orientation]).toEqual([100, 200, undefined])
    expect(isRed(await colorAt(picture, 0.5, 0.2))).toBe(true)
    expect(isBlue(await colorAt(picture, 0.5, 0.8))).toBe(true)
  })

  test('looks like the original if that is CMYK, 16-bit, grayscale, paletted or transparent', async () => {
    const cmyk = await halves().toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const sixteen = await halves().toColourspace('rgb16').png().toBuffer()
    expect((await sharp(sixteen).metadata()).depth).toBe('ushort')
    const palette = await halves().png({ palette: true }).toBuffer()
    for (const bytes of [cmyk, sixteen, palette]) {
      const picture = await storedPicture(await upload(bytes))
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', space: 'srgb', depth: 'uchar' })
      expect(isRed(await colorAt(picture, 0.2, 0.5))).toBe(true)
      expect(isBlue(await colorAt(picture, 0.8, 0.5))).toBe(true)
    }
    const grey = await storedPicture(
      await upload(await flat().greyscale().toColourspace('grey16').png().toBuffer()),
    )
    const [r, g, b] = await colorAt(grey, 0.5, 0.5)
    expect(Math.max(r!, g!, b!) - Math.min(r!, g!, b!)).toBeLessThan(5)
    const clear = await storedPicture(await upload(await flat().ensureAlpha(0).png().toBuffer()))
    expect((await sharp(clear).stats()).channels[3]!.max).toBe(0)
  })

  test.each([
    [1, 1, 160],
    [1, 5_000, 160],
    [5_000, 1, 1280],
    [16_384, 1, 1280],
    [1, 16_384, 160],
    [640, 640, 640],
    [641, 10, 1280],
    [2_700, 9_000, 1280],
  ])(
    'of an upload with %i by %i pixels has up to %i pixels in width, and is never enlarged',
    async (width, height, largest) => {
      const response = await upload(await flat(width, height).png().toBuffer())
      expect(response.json().imageUrl).toMatch(new RegExp(`-${largest}\\.webp$`))
      const picture = await sharp(await storedPicture(response)).metadata()
      expect(picture.width).toBeLessThanOrEqual(Math.min(width, largest))
      expect(picture.height).toBeLessThanOrEqual(Math.min(height, largest * 3))
      const row = await server.db
        .selectFrom('uploads')
        .select(['width', 'height'])
        .where('path', '=', response.json().imageUrl)
        .executeTakeFirstOrThrow()
      expect(row).toEqual({ width: picture.width, height: picture.height })
    },
  )
})

test('a photo of 24 megapixels from a phone is accepted', async () => {
  const photo = await flat(6_000, 4_000).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await sharp(await storedPicture(await upload(photo))).metadata()).toMatchObject({
    width: 1_280,
    height: 1_920,
  })
})
