import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Translation } from '#server/text/translator.ts'
import { sourceLanguage } from '#shared/domain/languages.ts'
import { genreTexts } from '#shared/texts/genres.ts'
import { writeCompressed } from '#scripts/dev/compressed.ts'
import { type Catalogue, copyOf } from './catalogue.ts'
import { compile } from './compile.ts'
import { anyMark, escaped, type Message } from './find.ts'

/** Where the build keeps its files before English is written into them. */
export const markedFolder = '.vite/marked'
export const messagesFile = '.vite/messages.json'
const languagesFolder = join(import.meta.dirname, '../../../dist/languages')

/** Returns what puts the texts of a language where the marks are; English without a catalogue. */
export function textWriter(
  messages: ReadonlyMap<string, Pick<Message, 'source' | 'names'>>,
  catalogue?: Pick<Catalogue, 'code' | 'textOf'>,
) {
  const compiled = new Map<string, ReturnType<typeof compile> | Record<string, string>>()
  const partsOf = (id: string, file: string) => {
    if (id === 'language') return catalogue?.code ?? 'en'
    if (id === 'genreMap') return genresOf(catalogue)
    const message = messages.get(id)
    if (message === undefined) throw new Error(`${file} has a mark of no message: ${id}`)
    const parts = compiled.get(id) ?? compile(catalogue?.textOf(message) ?? message.source, message.names)
    compiled.set(id, parts)
    return parts
  }
  return (code: string, file: string): string => {
    const written = code
      .replaceAll(/(["'`])__m:([\w-]{8})__\1/g, (_literal, quote: string, id: string) => {
        const parts = partsOf(id, file)
        return typeof parts === 'string' ? quote + inLiteral(parts, quote) + quote : JSON.stringify(parts)
      })
      // The minifier has joined it with another text.
      .replaceAll(anyMark, (_mark, id: string) => {
        const parts = partsOf(id, file)
        if (typeof parts !== 'string') throw new Error(`${file} joins a message with values: ${id}`)
        return inLiteral(parts)
      })
    if (/__m:/i.test(written)) throw new Error(`${file} has a mark that the minifier has changed.`)
    return written
  }
}

/** The names of genres in a language, by their names in titles. English shows the latter. */
function genresOf(catalogue?: Pick<Catalogue, 'textOf'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(genreTexts).flatMap(([name, english]) => {
      const text = catalogue?.textOf({ source: escaped(english) })
      return text === undefined ? [] : [[name, compile(text, []) as string]]
    }),
  )
}

/** Valid between any quotes if these are not known. */
function inLiteral(text: string, quote?: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  const quotes = quote === undefined ? /["'`]/g : new RegExp(quote, 'g')
  const quoted = escaped.replaceAll(quotes, '\\$&')
  return quote === '"' || quote === "'" ? quoted : quoted.replaceAll('${', '\\${')
}

/** Of the texts that the server renders (server/text/translator.ts). */
export function translationsOf(
  messages: readonly Message[],
  catalogue?: Pick<Catalogue, 'textOf'>,
): Translation[] {
  return messages.map(({ source, names }) => ({
    source,
    names,
    english: compile(source, names),
    text: compile(catalogue?.textOf({ source }) ?? source, names),
  }))
}

/** Writes the texts of the server in a language, without a catalogue in English, into `dist/languages/<code>`. */
export async function writeServerTexts(
  messages: readonly Message[],
  catalogue?: Catalogue,
  into = languagesFolder,
): Promise<void> {
  const folder = join(into, catalogue?.code ?? sourceLanguage)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'texts.json'), JSON.stringify(translationsOf(messages, catalogue)))
}

/** Writes the app and its renderer in a language into `dist/languages/<code>`, from the files of the last build. */
export async function writeLanguage(
  root: string,
  catalogue: Catalogue,
  into = languagesFolder,
): Promise<void> {
  const folder = join(into, catalogue.code)
  await rm(folder, { recursive: true, force: true })
  const compressed: Promise<void>[] = []
  for (const part of ['client', 'server']) {
    const built = join(root, 'dist', part)
    const messages = new Map(
      (JSON.parse(await readFile(join(built, messagesFile), 'utf8')) as Message[]).map((one) => [
        one.id,
        one,
      ]),
    )
    const write = textWriter(messages, catalogue)
    for await (const file of glob('**/*.js', { cwd: join(built, markedFolder) })) {
      const text = write(await readFile(join(built, markedFolder, file), 'utf8'), file)
      const target = join(folder, part, part === 'client' ? copyOf(file, catalogue) : file)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, text)
      if (part === 'client') compressed.push(writeCompressed(target, text, 6))
    }
  }
  await Promise.all(compressed)
  await writeFile(
    join(folder, 'language.json'),
    JSON.stringify({ assets: `assets/${catalogue.code}-${catalogue.version}/` }),
  )
}
