import type { z } from 'zod'
import { bodyBytesMax } from '#shared/domain/limits.ts'

/** `members` is the number of members of all objects and arrays together. */
export type BodyLimit = { bytes: number; members: number }

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Clients may send unknown fields. */
export const leastBody: BodyLimit = { bytes: 4 * 1024, members: 256 }
/** The inputs of calls have three levels, batches one more. */
const depthMax = 16

/** An escape such as `\u00e9` takes six bytes, UTF-8 at most three. */
const unitBytes = 6
/** Of a text whose maximum applies after normalization to NFC: a Hangul syllable can arrive as three escaped letters, the worst of all scripts. */
const textUnitBytes = 3 * unitBytes
const numberBytes = 32
/** The quotes, the punctuation and the indentation of a member of an object. */
const memberBytes = 32

export function bodyLimitOf(name: string, schema: JsonSchema): BodyLimit {
  const { $defs = {} } = schema
  const sizeOf = (part: JsonSchema | boolean, path: string): BodyLimit => {
    const unbounded = (what: string) => new Error(`${name}: ${path || 'the input'} has no ${what}.`)
    if (typeof part === 'boolean') throw unbounded('type')
    if (part.$ref) return sizeOf($defs[part.$ref.split('/').at(-1)!]!, path)
    const types = Array.isArray(part.type) ? part.type.map((type) => ({ ...part, type })) : undefined
    const variants = part.anyOf ?? part.oneOf ?? (types as JsonSchema[] | undefined)
    if (variants) return largest(variants.map((one) => sizeOf(one, path)))
    const values = 'const' in part ? [part.const] : part.enum
    if (values) return { bytes: Math.max(...values.map(bytesOf)), members: 0 }
    const times = (count: number, { bytes, members }: BodyLimit, keyBytes = 0): BodyLimit => ({
      bytes: count * (bytes + keyBytes + memberBytes),
      members: count * (members + 1),
    })
    switch (part.type) {
      case 'string': {
        if (part.maxLength === undefined) throw unbounded('maximum length')
        return { bytes: part.maxLength * (part.format ? unitBytes : textUnitBytes), members: 0 }
      }
      case 'array': {
        if (part.maxItems === undefined) throw unbounded('maximum number of items')
        return times(part.maxItems, sizeOf(part.items as JsonSchema, `${path}[]`))
      }
      case 'object': {
        const fields = Object.entries(part.properties ?? {}).map(([key, field]) =>
          times(1, sizeOf(field, path ? `${path}.${key}` : key), bytesOf(key)),
        )
        const { propertyNames, additionalProperties: value } = part
        if (!value) return sum(fields)
        const { enum: keys, maxLength } = propertyNames as JsonSchema
        const count = keys?.length ?? part.maxProperties
        if (count === undefined) throw unbounded('maximum number of properties')
        // Keys are not normalized.
        const keyBytes = keys ? Math.max(...keys.map(bytesOf)) : (maxLength ?? NaN) * unitBytes
        if (Number.isNaN(keyBytes)) throw unbounded('maximum length of its keys')
        return times(count, sizeOf(value, `${path}.*`), keyBytes)
      }
      case 'number':
      case 'integer':
      case 'boolean':
      case 'null':
        return { bytes: numberBytes, members: 0 }
      default:
        throw unbounded('type')
    }
  }
  const { bytes, members } = largest([leastBody, sizeOf(schema, '')])
  return { bytes: Math.min(bytes, bodyBytesMax), members }
}

export function bodyLimitOfBatch(calls: BodyLimit[]): BodyLimit {
  const { bytes, members } = sum(calls)
  return { bytes: Math.min(bytes, bodyBytesMax), members: members + calls.length }
}

/** Costs less than parsing, and does not require valid JSON. */
export function isTooComplex(json: string, { members: membersMax }: BodyLimit): boolean {
  let depth = 0
  let members = 0
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case 0x22: // "
        for (at++; at < json.length; at++) {
          const code = json.charCodeAt(at)
          if (code === 0x22) break
          if (code === 0x5c) at++ // A backslash.
        }
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > depthMax || ++members > membersMax) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        if (++members > membersMax) return true
    }
  }
  return false
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

function sum(limits: BodyLimit[]): BodyLimit {
  return limits.reduce((all, one) => ({ bytes: all.bytes + one.bytes, members: all.members + one.members }), {
    bytes: 0,
    members: 0,
  })
}

function largest(limits: BodyLimit[]): BodyLimit {
  return {
    bytes: Math.max(...limits.map(({ bytes }) => bytes)),
    members: Math.max(...limits.map(({ members }) => members)),
  }
}
