import { type Format, sniff } from './bytes.ts'

export type Header = {
  width: number
  height: number
  channels: number
  isDeep: boolean
  /** An interlaced PNG, or a JPEG with several scans: the decoder cannot stream rows. */
  isBuffered: boolean
}

/** Above this memory, a picture is decoded alone. */
export const sharedBytesMax = 60_000_000
/** Real files declare a size after at most a few hundred segments, and AVIF in the first kilobytes. */
const segmentsMax = 1_000
const avifHeaderBytesMax = 65_536

/**
 * Decided before a process starts, by the header and without the decoder's libraries. Takes microseconds for any input. The decoder
 * compares the result with what its libraries read.
 */
export function isHeavy(bytes: Buffer): boolean {
  const format = sniff(bytes)
  const header = format && readers[format](bytes)
  return !header || decodedBytesOf(format, header) > sharedBytesMax
}

export function decodedBytesOf(format: Format, header: Header): number {
  return header.width * header.height * bytesPerPixel(format, header)
}

/** Measured with sharp's libraries; 0 if the decoder streams rows. */
function bytesPerPixel(format: Format, { channels, isDeep, isBuffered }: Header): number {
  if (format === 'avif') return isDeep ? 34 : 20
  if (format === 'gif') return 10
  if (format === 'webp') return 5
  // The decoder of several scans holds all coefficients, two bytes each.
  if (format === 'jpeg') return isBuffered ? 2 * channels : 0
  return (isBuffered ? 16 : 12) / (isDeep ? 1 : 2)
}

/** Undefined if the header is incomplete or not where encoders write it. */
const readers: Record<Format, (bytes: Buffer) => Header | undefined> = {
  jpeg: readJpeg,
  png(bytes) {
    if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
    const header = plain(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
    return { ...header, isDeep: bytes[24] === 16, isBuffered: bytes[28] !== 0 }
  },
  gif: (bytes) => (bytes.length < 13 ? undefined : plain(bytes.readUInt16LE(6), bytes.readUInt16LE(8))),
  webp(bytes) {
    if (bytes.length < 30) return undefined
    const kind = bytes.toString('latin1', 12, 16)
    if (kind === 'VP8X') return plain(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    if (kind === 'VP8 ') return plain(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    const bits = bytes.readUInt32LE(21)
    return kind === 'VP8L' ? plain((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1) : undefined
  },
  avif: readAvif,
}

function plain(width: number, height: number): Header {
  return { width, height, channels: 4, isDeep: false, isBuffered: false }
}

function readJpeg(bytes: Buffer): Header | undefined {
  let header: Header | undefined
  for (let at = 2, segments = 0; segments < segmentsMax && at + 10 <= bytes.length; segments++) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff) return undefined
    if (marker === 0xff) {
      // Padding.
      at++
      continue
    }
    if (marker === 0xda) {
      // If some components are missing, other scans follow.
      const isBuffered = header !== undefined && (header.isBuffered || bytes[at + 4]! < header.channels)
      return header && { ...header, isBuffered }
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      const isProgressive = (marker & 3) === 2
      header = { width, height, channels: bytes[at + 9]!, isDeep: false, isBuffered: isProgressive }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** Searches for size boxes instead of following the structure. The largest size found is at least the picture’s. */
function readAvif(bytes: Buffer): Header | undefined {
  const head = bytes.subarray(0, avifHeaderBytesMax)
  const sizes = placesOf(head, 'ispe', 16)
  if (sizes.length === 0) return undefined
  const width = Math.max(...sizes.map((at) => head.readUInt32BE(at + 8)))
  const height = Math.max(...sizes.map((at) => head.readUInt32BE(at + 12)))
  const isDeep = placesOf(head, 'av1C', 8).some((at) => (head[at + 6]! & 0x40) !== 0)
  return { ...plain(width, height), isDeep }
}

/** With at least `length` bytes after the offset; none if there are too many. */
function placesOf(head: Buffer, type: string, length: number): number[] {
  const places: number[] = []
  for (let at = head.indexOf(type); at >= 0 && at + length <= head.length; at = head.indexOf(type, at + 4))
    if (places.push(at) > segmentsMax) return []
  return places
}
