import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { createItem, createPoFile, parsePo, type PoFile } from 'pofile-ts'
import type { Message } from './find.ts'
import { pseudo } from './pseudo.ts'

export const localesFolder = join(import.meta.dirname, '../../../shared/locales')

export type Catalogue = {
  code: string
  /** Changes with the texts, because browsers keep files forever. */
  version: string
  isReviewed: boolean
  /** Undefined: no translation. */
  textOf: (message: Pick<Message, 'source'>) => string | undefined
}

const pseudoCode = 'en-XA'

/** English in brackets, with accents and 40 % longer, to see what no catalogue reaches. For tests and development. */
export const pseudoCatalogue: Catalogue = {
  code: pseudoCode,
  version: 'pseudo',
  isReviewed: false,
  textOf: ({ source }) => pseudo(source),
}

export async function readCatalogues(): Promise<Catalogue[]> {
  const files = await readdir(localesFolder).catch(() => [])
  return Promise.all(
    files
      .filter((file) => file.endsWith('.po'))
      .sort()
      .map(async (file) =>
        readCatalogue(file.replace(/\.po$/, ''), await readFile(join(localesFolder, file), 'utf8')),
      ),
  )
}

function readCatalogue(code: string, content: string): Catalogue {
  const { headers, items } = parsePo(content)
  const texts = new Map(items.map(({ msgid, msgstr: [text] }) => [msgid, text]))
  return {
    code,
    version: createHash('sha256').update(content).digest('base64url').slice(0, 7),
    isReviewed: headers['X-Reviewed'] === 'yes',
    textOf: ({ source }) => texts.get(source) || undefined,
  }
}

/** Returns a catalogue, which may be empty, with all messages and no others. */
export function updatedCatalogue(
  { headers, comments, items }: PoFile,
  code: string,
  messages: readonly Pick<Message, 'source' | 'file'>[],
): PoFile {
  const known = new Map(items.map((item) => [item.msgid, item]))
  return Object.assign(createPoFile(), {
    // The headers of an empty file are empty.
    headers: {
      ...headers,
      Language: headers['Language'] || code,
      'Content-Type': headers['Content-Type'] || 'text/plain; charset=utf-8',
      'X-Reviewed': headers['X-Reviewed'] || 'no',
    },
    comments,
    items: messages.map(({ source, file }) => {
      const item = known.get(source) ?? Object.assign(createItem(), { msgid: source, msgstr: [''] })
      return Object.assign(item, { references: [file] })
    }),
  })
}

/** Where the copy of a file of the build stands: beside the others, so that its imports stay. */
export function copyOf(file: string, { code, version }: Pick<Catalogue, 'code' | 'version'>): string {
  return file.startsWith('assets/')
    ? file.replace('assets/', `assets/${code}-${version}/`)
    : `${code}/${file}`
}
