/** Formats that an upload may have, and what sharp calls them. */
export const formats = { jpeg: 'jpeg', png: 'png', gif: 'gif', webp: 'webp', avif: 'heif' } as const
export type Format = keyof typeof formats

/** Returns the format that the first bytes declare, whatever the file's name; undefined for formats that are refused (SVG above all). */
export function sniff(bytes: Buffer): Format | undefined {
  const ascii = bytes.toString('latin1', 0, 16)
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'gif'
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'webp'
  if (ascii.slice(4, 8) === 'ftyp' && /^(avif|avis|mif1)/.test(ascii.slice(8, 12))) return 'avif'
  return undefined
}

/** Chunks that decide how a PNG looks. */
const visibleChunks = new Set('IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP sRGB sBIT eXIf'.split(' '))
/** A colour profile for print may take more than a megabyte. Decoders copy what is large several times. */
const chunkBytesMax: Record<string, number> = { IDAT: Infinity, iCCP: 2_000_000 }
const otherBytesMax = 65_536

/**
 * Returns the PNG without text, animation and private chunks, before any of them is decompressed: four megabytes of `zTXt`
 * take eight seconds of CPU. A broken file is cut where its chunks end, for the decoder to refuse.
 */
export function withoutHiddenChunks(png: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(png.length)
  let length = png.copy(kept, 0, 0, 8)
  for (let at = 8; at + 12 <= png.length;) {
    const type = png.toString('latin1', at + 4, at + 8)
    const end = at + 12 + png.readUInt32BE(at)
    const isBounded = end - at <= (chunkBytesMax[type] ?? otherBytesMax)
    if (visibleChunks.has(type) && isBounded) length += png.copy(kept, length, at, end)
    if (type === 'IEND') break
    at = end
  }
  return kept.subarray(0, length)
}

/**
 * Returns the number of scans in a JPEG. Every scan of a progressive one goes over all coefficients, so that a few hundred
 * kilobytes of nearly empty scans take many seconds.
 */
export function countScans(jpeg: Buffer): number {
  let scans = 0
  for (let at = 2; at + 4 <= jpeg.length;) {
    const marker = jpeg[at + 1]!
    if (jpeg[at] !== 0xff || marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)) {
      // Compressed data or padding: on to the next marker.
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
