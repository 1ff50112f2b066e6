import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Shorter texts are not compressed, because they hardly become smaller. Most titles and lines of imports are shorter. */
const packedMin = 1_000
/** Longer texts are not compressed: compressing a megabyte blocks the event loop for 20 ms. */
const packedMax = 64_000
/** A compressor is created for each text; a small window makes that faster. */
const options = { windowBits: 13, memLevel: 5 }

/**
 * Returns JSON in the form in which a text column stores it: long JSON compressed, as base64, if that is smaller and fast. Takes about 20 µs, and
 * 10 µs per KB.
 */
export function pack(json: string): string {
  if (json.length < packedMin || json.length > packedMax) return json
  const packed = deflateRawSync(json, options).toString('base64')
  return packed.length < json.length ? packed : json
}

/** Returns the JSON of an object that `pack` returned as `packed`, or that was stored as it is. */
export function unpack(packed: string): string {
  const isJson = packed === '' || packed.startsWith('{') || packed.startsWith('[')
  return isJson ? packed : inflateRawSync(Buffer.from(packed, 'base64'), options).toString()
}
