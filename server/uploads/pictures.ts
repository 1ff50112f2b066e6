import type Sharp from 'sharp'
import { uploadWidths } from '#shared/images.ts'

/** Where pictures are kept: a folder or a bucket. A name is that of a file: `3f9c2a7d5e-640.webp`. */
export type PictureStorage = {
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

/** Larger ones are refused before a pixel is decoded. A progressive JPEG, the worst of them, takes 300 MB at that size. */
const pixelsMax = 25_000_000
/** A decoder of AVIF takes twice as much for each pixel. */
const avifPixelsMax = 12_500_000
const secondsMax = 20

const formats = { jpeg: 'jpeg', png: 'png', gif: 'gif', webp: 'webp', avif: 'heif' } as const

/** What the first bytes say a file is, whatever its name; undefined for everything we do not take (SVG above all). */
export function sniff(bytes: Buffer): keyof typeof formats | undefined {
  const ascii = bytes.toString('latin1', 0, 16)
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'gif'
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'webp'
  if (ascii.slice(4, 8) === 'ftyp' && /^(avif|avis|mif1)/.test(ascii.slice(8, 12))) return 'avif'
  return undefined
}

/** Width and height in pixels of the largest size. */
export type Picture = { path: string; width: number; height: number }

/**
 * Re-encodes a picture to WebP in the sizes that pages use, which drops metadata and whatever else hides in the file;
 * of an animation the first frame stays. None is wider than `widest`. Throws what sharp throws for what it cannot read.
 */
export async function storePicture(
  storage: PictureStorage,
  name: string,
  bytes: Buffer,
  widest: (typeof uploadWidths)[number] = 1280,
): Promise<Picture> {
  const sharp = await loadSharp()
  const format = sniff(bytes)
  // sequentialRead: the file is read once from top to bottom, which bounds the memory.
  const source = sharp(bytes, {
    limitInputPixels: format === 'avif' ? avifPixelsMax : pixelsMax,
    failOn: 'error',
    sequentialRead: true,
  })
    .autoOrient()
    .timeout({ seconds: secondsMax })
  const { autoOrient, format: found } = await source.metadata()
  if (format && found !== formats[format])
    throw new Error('The file is something else than its first bytes say.')
  const largest = uploadWidths.find((width) => width >= autoOrient.width || width === widest)!

  // Decoded once; the sizes are made of the largest.
  const { data: raw, info: rawInfo } = await source
    .resize({ width: largest, height: largest * 3, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const sizes: { file: string; data: Buffer }[] = []
  for (const size of uploadWidths.filter((candidate) => candidate <= largest)) {
    const data = await sharp(raw, { raw: rawInfo })
      .resize({ width: size, height: size * 3, fit: 'inside', withoutEnlargement: true })
      // More effort takes twice as long for a hundredth of the bytes.
      .webp({ quality: 80, effort: 2 })
      .toBuffer()
    sizes.push({ file: `${name}-${size}.webp`, data })
  }
  const kept: string[] = []
  try {
    for (const { file, data } of sizes) {
      await storage.put(file, data)
      kept.push(file)
    }
  } catch (error) {
    await Promise.allSettled(kept.map((file) => storage.remove(file)))
    throw error
  }
  return { path: `/uploads/${name}-${largest}.webp`, width: rawInfo.width, height: rawInfo.height }
}
