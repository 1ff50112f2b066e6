import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** As expensive to decode as their format allows. */

type Channels = 3 | 4

function flat(width: number, height: number, channels: Channels = 3) {
  const background = channels === 4 ? { r: 160, g: 50, b: 50, alpha: 0.5 } : '#a33'
  return sharp({ create: { width, height, channels, background }, limitInputPixels: false })
}

export const formatsAtSize = {
  png: (width, height) => flat(width, height).png().toBuffer(),
  'png, 16 bits': (width, height) => flat(width, height, 4).toColourspace('rgb16').png().toBuffer(),
  'png, interlaced': (width, height) => flat(width, height, 4).png({ progressive: true }).toBuffer(),
  'png, 16 bits, interlaced': (width, height) =>
    flat(width, height, 4).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
  jpeg: (width, height) => flat(width, height).jpeg().toBuffer(),
  'jpeg, progressive': (width, height) =>
    flat(width, height).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  // The conversion to CMYK takes most of the time.
  'jpeg, progressive, CMYK': async (width, height) =>
    sharp(await flat(64, 64).toColourspace('cmyk').tiff().toBuffer())
      .pipelineColourspace('cmyk')
      .resize(width, height, { fit: 'fill', kernel: 'nearest' })
      .toColourspace('cmyk')
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4', quality: 95 })
      .toBuffer(),
  gif: (width, height) => flat(width, height, 4).gif().toBuffer(),
  'webp, lossless': (width, height) => flat(width, height, 4).webp({ lossless: true, effort: 0 }).toBuffer(),
  avif: (width, height) => flat(width, height, 4).avif({ effort: 0, chromaSubsampling: '4:4:4' }).toBuffer(),
  'avif, 12 bits': (width, height) =>
    flat(width, height, 4).avif({ effort: 0, chromaSubsampling: '4:4:4', bitdepth: 12 }).toBuffer(),
} satisfies Record<string, (width: number, height: number) => Promise<Buffer>>

function chunk(type: string, data: Buffer) {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

async function pngWith(chunks: readonly Buffer[]): Promise<Buffer> {
  const png = await flat(300, 200).png().toBuffer()
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
}

/** Four megabytes that decompress to four gigabytes of text. */
export function pngOfText(type: 'zTXt' | 'iTXt'): Promise<Buffer> {
  const text = Buffer.from(deflateSync(Buffer.alloc(50_000_000), { level: 9 }))
  const rest = type === 'zTXt' ? '\0\0' : '\0\x01\0\0\0'
  return pngWith(
    Array.from({ length: 80 }, (_, index) =>
      chunk(type, Buffer.concat([Buffer.from(`k${index}${rest}`), text])),
    ),
  )
}

/** Four megabytes whose colour profile decompresses to one gigabyte. */
export function pngOfProfile(): Promise<Buffer> {
  return pngWith([chunk('iCCP', Buffer.concat([Buffer.from('k\0\0'), deflatedZeros(1_000_000_000)]))])
}

/** Copies of a compressed block: compressing all zeros takes seconds. */
function deflatedZeros(length: number): Buffer {
  const blockLength = 100_000
  const block = deflateRawSync(Buffer.alloc(blockLength), { finishFlush: constants.Z_FULL_FLUSH, level: 1 })
  const lastBlock = deflateRawSync(Buffer.alloc(0))
  const adler = Buffer.alloc(4)
  adler.writeUInt16BE(length % 65_521, 0)
  adler.writeUInt16BE(1, 2)
  const blocks = Array.from({ length: length / blockLength }, () => block)
  return Buffer.concat([Buffer.from([0x78, 0x01]), ...blocks, lastBlock, adler])
}

export function pngOfExif(): Promise<Buffer> {
  const exif = Buffer.concat([Buffer.from('MM\0*\0\0\0\x08', 'latin1'), Buffer.alloc(4_900_000, 1)])
  return pngWith([chunk('eXIf', exif)])
}

/** As many empty IDAT chunks as the upload limit allows. */
export function pngOfChunks(): Promise<Buffer> {
  const empty = chunk('IDAT', Buffer.alloc(0))
  return pngWith([Buffer.concat(Array.from({ length: 400_000 }, () => empty))])
}

export function gifOfFrames(count: number): Buffer {
  const head = Buffer.alloc(19)
  head.write('GIF89a', 0, 'latin1')
  head.writeUInt16LE(4_000, 6)
  head.writeUInt16LE(4_000, 8)
  head[10] = 0x80
  head[16] = 255
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([head, Buffer.concat(Array.from({ length: count }, () => frame)), Buffer.from([0x3b])])
}

/** Each component is refined in many scans of a few bytes. */
export function jpegOfScans(side: number, components: 1 | 3, scansMax = Infinity): Buffer {
  const segment = (marker: number, data: readonly number[]) =>
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255, ...data])
  const ids = Array.from({ length: components }, (_, index) => index + 1)
  const blocks = Math.ceil(side / 8) ** 2
  /** The one-bit code `0` for the only symbol. */
  const huffman = (table: number, symbol: number) =>
    segment(0xc4, [table, 1, ...Array<number>(15).fill(0), symbol])
  // 0xe0 and 14 bits encode a run of unchanged blocks: 16,384 plus the bits.
  let bits = ''
  for (let left = blocks; left > 0;) {
    const run = Math.max(16_384, Math.min(left, 32_767))
    bits += `0${(run - 16_384).toString(2).padStart(14, '0')}`
    left -= run
  }
  const body = Buffer.from(bits.match(/.{1,8}/g)!.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2)))
  const unchanged = Buffer.from([...body].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
  const parts: Buffer[] = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [
      8,
      ...[side, side].flatMap((length) => [length >> 8, length & 255]),
      components,
      ...ids.flatMap((id) => [id, 0x11, 0]),
    ]),
    huffman(0, 0),
    huffman(0x10, 0xe0),
  ]
  let scans = 0
  const scan = (data: readonly number[], content: Buffer) => {
    if (scans++ < scansMax) parts.push(segment(0xda, data), content)
  }
  for (const id of ids) scan([1, id, 0, 0, 0, 0], Buffer.alloc(Math.ceil(blocks / 8)))
  for (const id of ids)
    for (let coefficient = 1; coefficient < 64; coefficient++)
      for (let low = 13; low >= 0; low--)
        scan([1, id, 0, coefficient, coefficient, (low === 13 ? 0 : (low + 1) << 4) | low], unchanged)
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])])
}

const u16 = (...numbers: number[]) => Buffer.from(numbers.flatMap((number) => [number >> 8, number & 255]))
const u32 = (...numbers: number[]) =>
  Buffer.concat(numbers.map((number) => u16(number >>> 16, number & 65_535)))

function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return Buffer.concat([u32(content.length + 8), Buffer.from(type), content])
}

function contentOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type)
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4))
}

/** `count` by `count` tiles that are the same AVIF. It declares `shown` by `shown` pixels, but decoders decode all tiles. */
export async function avifOfTiles(count: number, side: number, shown: number): Promise<Buffer> {
  const avif = await flat(side, side).avif({ effort: 0 }).toBuffer()
  const pixels = contentOf(avif, 'mdat')
  const grid = Buffer.concat([Buffer.from([0, 0, count - 1, count - 1]), u16(shown, shown)])
  const brand = box('ftyp', 'avif', u32(0), 'avifmif1miaf')
  const item = (id: number, type: string) => box('infe', u32(0x2000000), u16(id, 0), `${type}\0`)
  const metaAt = (offset: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), 'pict', Buffer.alloc(13)),
      box('pitm', u32(0), u16(1)),
      box(
        'iloc',
        u32(0x1000000),
        u16(0x4400, 2),
        Buffer.concat([u16(1, 0, 0, 1), u32(offset, grid.length)]),
        Buffer.concat([u16(2, 0, 0, 1), u32(offset + grid.length, pixels.length)]),
      ),
      box('iinf', u32(0), u16(2), item(1, 'grid'), item(2, 'av01')),
      box('iref', u32(0), box('dimg', u16(1, count ** 2, ...Array<number>(count ** 2).fill(2)))),
      box(
        'iprp',
        box(
          'ipco',
          box('av1C', contentOf(avif, 'av1C')),
          box('ispe', u32(0, side, side)),
          box('ispe', u32(0, shown, shown)),
        ),
        box('ipma', u32(0, 2), u16(1), Buffer.from([1, 3]), u16(2), Buffer.from([2, 0x81, 2])),
      ),
    )
  const offset = brand.length + metaAt(0).length + 8
  return Buffer.concat([brand, metaAt(offset), box('mdat', grid, pixels)])
}

/** Decoders notice the wrong declaration when they have decoded it. */
export async function avifDeclaring(declared: number, side: number): Promise<Buffer> {
  const avif = await flat(side, side).avif({ effort: 0 }).toBuffer()
  u32(declared, declared).copy(avif, avif.indexOf('ispe') + 8)
  return avif
}
