import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Shorter texts hardly become smaller. */
const packedMin = 1_000
/** Compressing a megabyte blocks the event loop for 20 ms. */
const packedMax = 64_000
/** A compressor per text: a small window makes that faster. */
const options = { windowBits: 13, memLevel: 5 }

/** Compressed, as base64, if that is smaller and fast. Takes about 20 µs, and 10 µs per KB. */
export function pack(json: string): string {
  if (json.length < packedMin || json.length > packedMax) return json
  const packed = deflateRawSync(json, options).toString('base64')
  return packed.length < json.length ? packed : json
}

/** Also of an object that was stored as it is. */
export function unpack(packed: string): string {
  const isJson = packed === '' || packed.startsWith('{') || packed.startsWith('[')
  return isJson ? packed : inflateRawSync(Buffer.from(packed, 'base64'), options).toString()
}
