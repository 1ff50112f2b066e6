import { SaxesParser } from 'saxes'
import { noteOf } from '#shared/texts/import-notes.ts'
import { importFieldMax } from '#shared/domain/limits.ts'

/** `index` counts the elements below the root from 1. `values` are the texts of their children. */
export type XmlItem =
  | { section: string; index: number; values: Record<string, string> }
  | { section: string; index: number; problem: string }

const depthMax = 10
const pieceBytes = 16 * 1024
/** Names of elements and attributes, which the parser collects before it tells. */
const tagMax = 64 * 1024
const childrenMax = 100

class Refused extends Error {}

/**
 * The elements below the root, as UTF-8. Only predefined entities and numbers of characters are resolved. A malformed file, a document
 * type, deep nesting and another encoding yield a problem last.
 */
export function* readXml(bytes: Buffer, count: () => void): Generator<XmlItem> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let path: string[] = []
  let index = 0
  let values: Record<string, string> = {}
  let children = 0
  let text = ''
  let sinceEvent = 0
  let found: XmlItem[] = []

  const add = (more: string) => {
    sinceEvent = 0
    // Text between the children says nothing.
    if (path.length === 3 && text.length < importFieldMax) text += more.slice(0, importFieldMax - text.length)
  }
  parser.on('error', () => {
    throw new Refused(noteOf('invalidXml'))
  })
  parser.on('doctype', () => {
    throw new Refused(noteOf('xmlDoctype'))
  })
  parser.on('opentag', ({ name }) => {
    sinceEvent = 0
    path.push(name)
    if (path.length > depthMax) throw new Refused(noteOf('deepXml'))
    if (path.length === 2) {
      count()
      index += 1
      values = {}
      children = 0
    }
    if (path.length === 3) text = ''
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0
    if (path.length === 3 && (children += 1) <= childrenMax && name.length < 100)
      Object.defineProperty(values, name, { value: text, enumerable: true, writable: true })
    if (path.length === 2) found.push({ section: name, index, values })
    path = path.slice(0, -1)
  })

  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = decoded(decoder, bytes.subarray(at, at + pieceBytes))
      // The parser looks for the end of a document type, and would report it only there.
      sinceEvent += piece.length
      parser.write(piece)
      yield* found
      found = []
      if (sinceEvent > 2 * 1024 * 1024 + tagMax) throw new Refused(noteOf('longItem'))
    }
    decoded(decoder)
    parser.close()
    yield* found
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    yield* found
    yield { section: path[1] ?? '', index: path.length > 1 ? index : index + 1, problem: error.message }
  }
}

function decoded(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new Refused(noteOf('xmlEncoding'))
  }
}
