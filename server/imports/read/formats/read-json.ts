import { noteOf } from '#shared/texts/import-notes.ts'

/** `section`: the key in the top-level object; empty if the file is a list. `index` counts from 1. */
export type JsonValue = { section: string; index: number; value: unknown }
export type JsonItem = JsonValue | { section: string; index: number; problem: string }

/** A larger item ends the reading. */
const itemMax = 1024 * 1024

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d]

const invalid = noteOf('invalidJson')
const tooLong = noteOf('longItem')

class Malformed extends Error {}

/**
 * Of the list, or of all lists of the top-level object; its other values have the index 0. Only one item is parsed at a time. An item that
 * is no object is a problem. A malformed file yields a problem last.
 */
export function* readJson(bytes: Buffer, count: () => void): Generator<JsonItem> {
  let at = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  let section = ''
  let index = 0

  const skipSpace = () => {
    while (at < bytes.length && bytes[at]! <= 0x20) at += 1
  }
  const next = () => {
    skipSpace()
    return bytes[at]
  }
  const take = (): JsonItem => {
    count()
    skipSpace()
    const end = endOfValue(bytes, at)
    const text = bytes.toString('utf8', at, end)
    at = end
    return index === 0 ? parsed(text, { section, index }) : parsedObject(text, { section, index })
  }
  function* takeList(): Generator<JsonItem> {
    at += 1
    for (index = 1; next() !== listEnd; index += 1) {
      yield take()
      if (next() === comma) at += 1
      else if (next() !== listEnd) throw new Malformed(invalid)
    }
    at += 1
  }

  try {
    if (next() === listStart) {
      yield* takeList()
    } else if (next() === objectStart) {
      at += 1
      while (next() !== objectEnd) {
        index = 0
        section = ''
        const key = take()
        if (!('value' in key) || typeof key.value !== 'string' || next() !== colon)
          throw new Malformed(invalid)
        section = key.value
        at += 1
        if (next() === listStart) yield* takeList()
        else yield take()
        if (next() === comma) at += 1
        else if (next() !== objectEnd) throw new Malformed(invalid)
      }
    } else {
      throw new Malformed(invalid)
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    yield { section, index, problem: error.message }
  }
}

function endOfValue(bytes: Buffer, start: number): number {
  const last = Math.min(bytes.length, start + itemMax)
  let depth = 0
  for (let at = start; at < last; at += 1) {
    const byte = bytes[at]!
    if (byte === quote) {
      at += 1
      while (at < last && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
      if (depth === 0 && at < last) return at + 1
    } else if (byte === listStart || byte === objectStart) {
      depth += 1
    } else if (byte === listEnd || byte === objectEnd) {
      if (depth === 0) return at
      depth -= 1
      if (depth === 0) return at + 1
    } else if (depth === 0 && (byte === comma || byte === colon || byte <= 0x20)) {
      return at
    }
  }
  if (last < bytes.length) throw new Malformed(tooLong)
  if (depth > 0 || start === last) throw new Malformed(invalid)
  return last
}

/** One value per line, which `index` counts from 1. Calls `count` for blank lines too. */
export function* readNdjson(bytes: Buffer, count: () => void): Generator<JsonItem> {
  const section = ''
  for (let at = 0, index = 1; at < bytes.length; index += 1) {
    count()
    const found = bytes.indexOf(0x0a, at)
    const end = found === -1 ? bytes.length : found
    if (end - at > itemMax) {
      yield { section, index, problem: tooLong }
    } else {
      const text = bytes
        .toString('utf8', at, end)
        .replace(/^\ufeff/, '')
        .trim()
      if (text !== '') yield parsedObject(text, { section, index })
    }
    at = end + 1
  }
}

type Place = Pick<JsonItem, 'section' | 'index'>

function parsed(text: string, place: Place): JsonItem {
  try {
    return { ...place, value: JSON.parse(text) }
  } catch {
    return { ...place, problem: invalid }
  }
}

function parsedObject(text: string, place: Place): JsonItem {
  // A file can consist of millions of values that are no objects.
  return text.startsWith('{') ? parsed(text, place) : { ...place, problem: noteOf('unexpectedItem') }
}
