import type Sharp from 'sharp'
import type { Metadata } from 'sharp'
import { uploadWidths } from '#shared/images.ts'
import { type Format, countScans, formats, sniff, withoutHiddenChunks } from './bytes.ts'

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

/** Lazy-loads sharp with the first picture: many processes never need it. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // The same bytes are hardly ever uploaded twice in a row: a cache of decoded pictures would only take memory.
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
export const secondsMax = 20
/** Limits on the memory that decoding takes: for a picture that is decoded concurrently with another, and for any. */
const sharedBytesMax = 60_000_000
const decodedBytesMax = 325_000_000

/** The file is not a picture, or exceeds a limit. */
export class UnusablePicture extends Error {}

/** An upload whose header is within all limits. A heavy one must be decoded alone. */
export type InspectedPicture = { bytes: Buffer; isHeavy: boolean }

/** Checks a picture by its header only. Throws UnusablePicture, or sharp's error if it cannot be read. */
export async function inspectPicture(original: Buffer): Promise<InspectedPicture> {
  const format = sniff(original)
  if (!format) throw new UnusablePicture('The format is not one of those accepted.')
  const bytes = format === 'png' ? withoutHiddenChunks(original) : original
  const scans = format === 'jpeg' ? countScans(bytes) : 0
  if (scans > scansMax) throw new UnusablePicture('The JPEG has too many scans.')
  const sharp = await loadSharp()
  const header = await sharp(bytes, { limitInputPixels: pixelLimitOf(format) }).metadata()
  if (header.format !== formats[format])
    throw new UnusablePicture('The content does not have the format that the first bytes declare.')
  if (header.width > sideMax || header.height > sideMax) throw new UnusablePicture('A side is too long.')
  const decodedBytes = header.width * header.height * bytesPerPixel(format, header, scans)
  if (decodedBytes > decodedBytesMax) throw new UnusablePicture('Decoding would take too much memory.')
  return { bytes, isHeavy: decodedBytes > sharedBytesMax }
}

/** Returns an upper bound of the decoder's memory per pixel, measured with sharp's libraries; 0 if it streams rows. */
function bytesPerPixel(format: Format, { channels, depth, isProgressive }: Metadata, scans: number): number {
  const isDeep = depth !== 'uchar'
  if (format === 'avif') return isDeep ? 34 : 20
  if (format === 'gif') return 10
  if (format === 'webp') return 5
  // With several scans, which a baseline JPEG can have too, the decoder holds all coefficients, two bytes each.
  if (format === 'jpeg') return scans > 1 ? 2 * channels : 0
  return (isProgressive ? 16 : 12) / (isDeep ? 1 : 2)
}

function pixelLimitOf(format: Format | undefined): number {
  return format === 'avif' ? avifPixelsMax : pixelsMax
}

export type UploadWidth = (typeof uploadWidths)[number]
/** A stored picture: `path`, `width` and `height` of the largest size, `bytes` of all sizes together. */
export type Picture = { path: string; width: number; height: number; bytes: number }

/** A picture re-encoded to WebP in several widths; `width` and `height` are those of the largest. */
export type Resized = { width: number; height: number; sizes: { pixels: number; data: Buffer }[] }

/**
 * Re-encodes a picture to WebP in the widths that pages use, up to `widest`. Drops metadata and anything else hidden in the
 * file; keeps only the first frame of an animation. An upload must pass `inspectPicture` before. Throws sharp's error if
 * the picture cannot be read.
 */
export async function resizePicture(bytes: Buffer, widest: UploadWidth): Promise<Resized> {
  const sharp = await loadSharp()
  // sequentialRead: the file is read once from top to bottom, which limits the memory.
  const source = sharp(bytes, {
    limitInputPixels: pixelLimitOf(sniff(bytes)),
    failOn: 'error',
    sequentialRead: true,
  })
    .autoOrient()
    .timeout({ seconds: secondsMax })
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
      .webp({ quality: 80, effort: 2 })
      .toBuffer()
    sizes.push({ pixels, data })
  }
  return { width: rawInfo.width, height: rawInfo.height, sizes }
}

/** Stores all sizes of a picture, or none. `resize` can move the decoding to another process. */
export async function storePicture(
  storage: Pick<PictureStorage, 'put' | 'remove'>,
  name: string,
  bytes: Buffer,
  widest: UploadWidth = 1280,
  resize: typeof resizePicture = resizePicture,
): Promise<Picture> {
  const { width, height, sizes } = await resize(bytes, widest)
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
