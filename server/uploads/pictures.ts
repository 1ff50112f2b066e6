import type Sharp from 'sharp'
import { uploadWidths } from '#shared/domain/images.ts'
import { type Format, countScans, formats, sniff, withoutHiddenChunks } from './bytes.ts'
import { decodedBytesOf, sharedBytesMax } from './header.ts'

export type PictureStorage = {
  hasFreeSpace: () => Promise<boolean>
  /** No reader sees half a picture. */
  put: (name: string, bytes: Buffer) => Promise<void>
  /** Including temporary and unrelated files. `isOlder` returns false if the file no longer exists. */
  list: () => AsyncIterable<{ name: string; isOlder: (than: Date) => Promise<boolean> }>
  /** Returns false if there is no such file, as far as the storage reports it. */
  remove: (name: string) => Promise<boolean>
}

let loading: Promise<typeof Sharp> | undefined

/** The server, unlike the decoder, never needs sharp. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // The same file is rarely uploaded twice in a row.
    sharp.cache(false)
    // Each thread holds rows of its own. With `MALLOC_ARENA_MAX`, which the decoder sets, the default is a thread per core.
    sharp.concurrency(1)
    return sharp
  })
  return loading
}

/** As declared in the header, before anything is decoded. */
const sideMax = 16_384
const pixelsMax = 25_000_000
/** Several times as much memory per pixel as any other format. */
const avifPixelsMax = 12_500_000
/** Encoders write about ten scans; each takes a hundredth of a second at the largest size. */
const scansMax = 50
const decodedBytesMax = 325_000_000

/** By its header. Returns the bytes to decode. Throws an Error beyond a limit, or sharp's if it cannot be read. */
async function inspectPicture(original: Buffer, isAlone: boolean): Promise<Buffer> {
  const format = sniff(original)
  if (!format) throw new Error('The format is not one of those accepted.')
  const bytes = format === 'png' ? withoutHiddenChunks(original) : original
  const scans = format === 'jpeg' ? countScans(bytes) : 0
  if (scans > scansMax) throw new Error('The JPEG has too many scans.')
  const sharp = await loadSharp()
  const read = await sharp(bytes, { limitInputPixels: pixelLimitOf(format) }).metadata()
  if (read.format !== formats[format])
    throw new Error('The content does not have the format that the first bytes declare.')
  if (read.width > sideMax || read.height > sideMax) throw new Error('A side is too long.')
  const header = {
    ...read,
    isDeep: read.depth !== 'uchar',
    isBuffered: format === 'jpeg' ? scans > 1 : read.isProgressive,
  }
  if (decodedBytesOf(format, header) > (isAlone ? decodedBytesMax : sharedBytesMax))
    throw new Error('Decoding would take too much memory.')
  return bytes
}

function pixelLimitOf(format: Format | undefined): number {
  return format === 'avif' ? avifPixelsMax : pixelsMax
}

export type UploadWidth = (typeof uploadWidths)[number]
/** `path`, `width` and `height` are of the largest size, `bytes` of all sizes. */
export type Picture = { path: string; width: number; height: number; bytes: number }

/** `width` and `height` are of the largest size. */
export type Resized = { width: number; height: number; sizes: { pixels: number; data: Buffer }[] }

/**
 * To WebP in the widths that pages use, up to `widest`. Drops metadata and anything else hidden in the file; keeps only the first frame.
 * Throws an Error if the picture cannot be read or exceeds a limit.
 */
export async function resizePicture(
  original: Buffer,
  widest: UploadWidth,
  isAlone = true,
  quality = 80,
): Promise<Resized> {
  const bytes = await inspectPicture(original, isAlone)
  const sharp = await loadSharp()
  // Read once from top to bottom, which limits the memory.
  const source = sharp(bytes, {
    limitInputPixels: pixelLimitOf(sniff(bytes)),
    failOn: 'error',
    sequentialRead: true,
  }).autoOrient()
  const { autoOrient } = await source.metadata()
  const largest = uploadWidths.find((width) => width >= autoOrient.width || width === widest)!

  // Decoded once: smaller sizes are made from the largest.
  const { data: raw, info: rawInfo } = await source
    .resize({ width: largest, height: largest * 3, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const sizes = []
  for (const pixels of uploadWidths.filter((candidate) => candidate <= largest)) {
    const data = await sharp(raw, { raw: rawInfo })
      .resize({ width: pixels, height: pixels * 3, fit: 'inside', withoutEnlargement: true })
      // A higher effort takes twice as long to save one percent of the bytes.
      .webp({ quality, effort: 2 })
      .toBuffer()
    sizes.push({ pixels, data })
  }
  return { width: rawInfo.width, height: rawInfo.height, sizes }
}

export async function storePicture(
  storage: Pick<PictureStorage, 'put' | 'remove'>,
  name: string,
  { width, height, sizes }: Resized,
): Promise<Picture> {
  const stored: string[] = []
  try {
    for (const { pixels, data } of sizes) {
      const file = `${name}-${pixels}.webp`
      await storage.put(file, data)
      stored.push(file)
    }
  } catch (error) {
    await Promise.allSettled(stored.map((file) => storage.remove(file)))
    throw error
  }
  return {
    path: `/uploads/${name}-${sizes.at(-1)!.pixels}.webp`,
    width,
    height,
    bytes: sizes.reduce((sum, { data }) => sum + data.length, 0),
  }
}
