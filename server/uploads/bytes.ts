export const formats = { jpeg: 'jpeg', png: 'png', gif: 'gif', webp: 'webp', avif: 'heif' } as const
export type Format = keyof typeof formats

/** By the magic bytes; undefined if the format is not accepted, such as SVG. */
export function sniff(bytes: Buffer): Format | undefined {
  const ascii = bytes.toString('latin1', 0, 16)
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'gif'
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'webp'
  if (ascii.slice(4, 8) === 'ftyp' && /^(avif|avis|mif1)/.test(ascii.slice(8, 12))) return 'avif'
  return undefined
}

const visibleChunks = new Set('IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP sRGB sBIT eXIf'.split(' '))
/** Decoders copy large chunks several times, but a color profile for print can exceed 1 MB. */
const chunkBytesMax: Record<string, number> = { IDAT: Infinity, iCCP: 2_000_000 }
const otherBytesMax = 65_536

/**
 * Text, animation and private chunks are not decompressed: four megabytes of `zTXt` take eight seconds of CPU time. A malformed file is
 * truncated after its last valid chunk, and the decoder refuses it.
 */
export function withoutHiddenChunks(png: Buffer): Buffer {
  const stripped = Buffer.allocUnsafe(png.length)
  let length = png.copy(stripped, 0, 0, 8)
  for (let at = 8; at + 12 <= png.length;) {
    const type = png.toString('latin1', at + 4, at + 8)
    const end = at + 12 + png.readUInt32BE(at)
    const isBounded = end - at <= (chunkBytesMax[type] ?? otherBytesMax)
    if (visibleChunks.has(type) && isBounded) length += png.copy(stripped, length, at, end)
    if (type === 'IEND') break
    at = end
  }
  return stripped.subarray(0, length)
}

/** Each scan of a progressive JPEG processes all coefficients: a few hundred kilobytes of almost empty scans take many seconds. */
export function countScans(jpeg: Buffer): number {
  let scans = 0
  for (let at = 2; at + 4 <= jpeg.length;) {
    const marker = jpeg[at + 1]!
    if (jpeg[at] !== 0xff || marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)) {
      // Compressed data or padding: skip to the next marker.
      at = jpeg.indexOf(0xff, at + 1)
      if (at < 0) break
      continue
    }
    if (marker === 0xd9) break
    if (marker === 0xda) scans++
    at += 2 + (marker === 0x01 || marker === 0xd8 ? 0 : jpeg.readUInt16BE(at + 2))
  }
  return scans
}
