import type Sharp from 'sharp'
import type { Metadata } from 'sharp'
import { uploadWidths } from '#shared/images.ts'
import { type Format, countScans, formats, sniff, withoutHiddenChunks } from './bytes.ts'

/** Where pictures are kept: a folder or a bucket. A name is that of a file: `3f9c2a7d5e-640.webp`. */
export type PictureStorage = {
  /** Returns false while the storage has less free space than its reserve. */
  hasRoom: () => Promise<boolean>
  /** Nobody is served half of it. */
  put: (name: string, bytes: Buffer) => Promise<void>
  /** What is there, unfinished pictures and foreign files too; `isOlder` is false for what is gone meanwhile. */
  list: () => AsyncIterable<{ name: string; isOlder: (than: Date) => Promise<boolean> }>
  /** False where there is none, as far as the storage tells. */
  remove: (name: string) => Promise<boolean>
}

let loading: Promise<typeof Sharp> | undefined

/** With the first picture: many processes never see one. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Nobody uploads the same bytes twice in a row; what was decoded would only stay in memory.
    sharp.cache(false)
    return sharp
  })
  return loading
}

/** Of width, height and their product, as the header declares them: more is refused before anything is decoded. */
const sideMax = 16_384
const pixelsMax = 25_000_000
/** AVIF takes several times as much memory per pixel as every other format. */
const avifPixelsMax = 12_500_000
/** Encoders write ten or so; each takes a hundredth of a second at the largest size. */
const scansMax = 50
export const secondsMax = 20
/** Upper bounds of the memory to decode a picture: of one that is decoded beside another, and of every one. */
const sharedBytesMax = 80_000_000
const decodedBytesMax = 325_000_000

/** A file that is not a picture, or exceeds a limit. */
export class UnusablePicture extends Error {}

/** An upload whose header is within all limits. */
export type InspectedPicture = { bytes: Buffer; isHeavy: boolean }

/** Reads no more than the header. Throws UnusablePicture, or what sharp throws for what it cannot read. */
export async function inspectPicture(original: Buffer): Promise<InspectedPicture> {
  const format = sniff(original)
  if (!format) throw new UnusablePicture('The format is not one of those accepted.')
  const bytes = format === 'png' ? withoutHiddenChunks(original) : original
  const scans = format === 'jpeg' ? countScans(bytes) : 0
  if (scans > scansMax) throw new UnusablePicture('The JPEG has too many scans.')
  const sharp = await loadSharp()
  const header = await sharp(bytes, { limitInputPixels: pixelLimitOf(format) }).metadata()
  if (header.format !== formats[format])
    throw new UnusablePicture('The content is of another format than the first bytes declare.')
  if (header.width > sideMax || header.height > sideMax) throw new UnusablePicture('A side is too long.')
  const decodedBytes = header.width * header.height * bytesPerPixel(format, header, scans)
  if (decodedBytes > decodedBytesMax) throw new UnusablePicture('Decoding would take too much memory.')
  return { bytes, isHeavy: decodedBytes > sharedBytesMax }
}

/** Upper bounds of what the decoder holds per pixel, measured with the libraries that sharp bundles; 0 where it streams rows. */
function bytesPerPixel(format: Format, { channels, depth, isProgressive }: Metadata, scans: number): number {
  const isDeep = depth !== 'uchar'
  if (format === 'avif') return isDeep ? 34 : 20
  if (format === 'gif') return 10
  if (format === 'webp') return 5
  // The coefficients of the whole picture, two bytes each; a baseline JPEG can have several scans as well.
  if (format === 'jpeg') return scans > 1 ? 2 * channels : 0
  return (isProgressive ? 16 : 12) / (isDeep ? 1 : 2)
}

function pixelLimitOf(format: Format | undefined): number {
  return format === 'avif' ? avifPixelsMax : pixelsMax
}

/** Width and height in pixels of the largest size; `bytes` of all sizes together. */
export type UploadWidth = (typeof uploadWidths)[number]
export type Picture = { path: string; width: number; height: number; bytes: number }

/** A picture re-encoded to WebP in several widths, and the size in pixels of the largest. */
export type Resized = { width: number; height: number; sizes: { pixels: number; data: Buffer }[] }

/**
 * Re-encodes a picture to WebP in the sizes that pages use, none wider than `widest`. Drops metadata and everything else
 * hidden in the file; keeps the first frame of an animation. An upload must have been inspected before. Throws what sharp
 * throws for what it cannot read.
 */
export async function resizePicture(bytes: Buffer, widest: UploadWidth): Promise<Resized> {
  const sharp = await loadSharp()
  // sequentialRead: the file is read once from top to bottom, which bounds the memory.
  const source = sharp(bytes, {
    limitInputPixels: pixelLimitOf(sniff(bytes)),
    failOn: 'error',
    sequentialRead: true,
  })
    .autoOrient()
    .timeout({ seconds: secondsMax })
  const { autoOrient } = await source.metadata()
  const largest = uploadWidths.find((width) => width >= autoOrient.width || width === widest)!

  // Decoded once; the sizes are made of the largest.
  const { data: raw, info: rawInfo } = await source
    .resize({ width: largest, height: largest * 3, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const sizes = []
  for (const pixels of uploadWidths.filter((candidate) => candidate <= largest)) {
    const data = await sharp(raw, { raw: rawInfo })
      .resize({ width: pixels, height: pixels * 3, fit: 'inside', withoutEnlargement: true })
      // More effort takes twice as long for a hundredth of the bytes.
      .webp({ quality: 80, effort: 2 })
      .toBuffer()
    sizes.push({ pixels, data })
  }
  return { width: rawInfo.width, height: rawInfo.height, sizes }
}

/** Stores all sizes of a picture, or none. `resize` is where it is decoded: in this process unless given. */
export async function storePicture(
  storage: Pick<PictureStorage, 'put' | 'remove'>,
  name: string,
  bytes: Buffer,
  widest: UploadWidth = 1280,
  resize: typeof resizePicture = resizePicture,
): Promise<Picture> {
  const { width, height, sizes } = await resize(bytes, widest)
  const kept: string[] = []
  try {
    for (const { pixels, data } of sizes) {
      const file = `${name}-${pixels}.webp`
      await storage.put(file, data)
      kept.push(file)
    }
  } catch (error) {
    await Promise.allSettled(kept.map((file) => storage.remove(file)))
    throw error
  }
  return {
    path: `/uploads/${name}-${sizes.at(-1)!.pixels}.webp`,
    width,
    height,
    bytes: sizes.reduce((sum, { data }) => sum + data.length, 0),
  }
}
