import type Sharp from 'sharp'
import { uploadWidths } from '#shared/domain/images.ts'
import { type Format, countScans, formats, sniff, withoutHiddenChunks } from './bytes.ts'
import { decodedBytesOf, sharedBytesMax } from './header.ts'

/** Stores pictures in a folder or a bucket, by file name: `3f9c2a7d5e-640.webp`. */
export type PictureStorage = {
  /** Returns false while the storage has less free space than its reserve. */
  hasFreeSpace: () => Promise<boolean>
  /** Writes atomically: no reader sees half a picture. */
  put: (name: string, bytes: Buffer) => Promise<void>
  /** Lists all files, including temporary and unrelated ones. `isOlder` returns false if the file no longer exists. */
  list: () => AsyncIterable<{ name: string; isOlder: (than: Date) => Promise<boolean> }>
  /** Returns false if there is no such file, as far as the storage reports it. */
  remove: (name: string) => Promise<boolean>
}

let loading: Promise<typeof Sharp> | undefined

/** Lazy-loads sharp, which the server, unlike the decoder, never needs. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // A cache of decoded pictures would only take memory, because the same file is rarely uploaded twice in a row.
    sharp.cache(false)
    // Each thread holds rows of its own. With `MALLOC_ARENA_MAX`, which the decoder sets, the default is a thread per core.
    sharp.concurrency(1)
    return sharp
  })
  return loading
}

/** Limits on width, height and their product as declared in the header, checked before anything is decoded. */
const sideMax = 16_384
const pixelsMax = 25_000_000
/** AVIF takes several times as much memory per pixel as any other format. */
const avifPixelsMax = 12_500_000
/** Encoders write about ten scans; each takes a hundredth of a second to decode at the largest size. */
const scansMax = 50
/** Limit on the memory that decoding takes. */
const decodedBytesMax = 325_000_000

/**
 * Checks a picture by its header. Returns the bytes to decode. Throws an Error if the picture exceeds a limit, or sharp's if it
 * cannot be read.
 */
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
/** A stored picture: `path`, `width` and `height` of the largest size, `bytes` of all sizes together. */
export type Picture = { path: string; width: number; height: number; bytes: number }

/** A picture re-encoded to WebP in several widths; `width` and `height` describe the largest. */
export type Resized = { width: number; height: number; sizes: { pixels: number; data: Buffer }[] }

/**
 * Re-encodes a picture to WebP in the widths that pages use, up to `widest`. Drops metadata and anything else hidden in the file;
 * keeps only the first frame of an animation. Throws an Error if the picture cannot be read or exceeds a limit; the limit of memory
 * depends on `isAlone`.
 */
export async function resizePicture(
  original: Buffer,
  widest: UploadWidth,
  isAlone = true,
  quality = 80,
): Promise<Resized> {
  const bytes = await inspectPicture(original, isAlone)
  const sharp = await loadSharp()
  // sequentialRead: the file is read once from top to bottom, which limits the memory.
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

/** Stores all sizes of a picture, or none. */
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
