import { open, readFile } from 'node:fs/promises'
import { TRPCError } from '@trpc/server'
import { fold } from '#server/db/fold.ts'
import { defaultImportOptions, type ImportService, importServices } from '#shared/imports.ts'
import { importFieldMax, importFileBytesMax, importLinesMax } from '#shared/limits.ts'
import { messages } from '#shared/messages.ts'
import { delimiterOf, headOf, readCsv } from './csv.ts'
import { guessOptions } from './formats/csv.ts'
import { formats } from './formats/index.ts'
import { collectNamesakes, filmKeyOf, letterboxdFileOf, letterboxdFilmFiles } from './formats/letterboxd.ts'
import { medleyRefOf, medleySections, medleyTitleOf } from './formats/medley.ts'
import { neodbRecordOf, neodbTitleOf } from './formats/neodb.ts'
import type { FileFacts, OpenedFile, RawRow, UnreadableRow } from './formats/reading.ts'
import { isTraktItem, keptOfTrakt, traktFile } from './formats/trakt.ts'
import { knownStatus, lineOf, notesColumn, shelfName } from './formats/values.ts'
import { type JsonItem, readJson, readNdjson, unexpected } from './json.ts'
import { openZip, type Zip } from './zip.ts'

type Row = RawRow | UnreadableRow
/**
 * The files of an upload: of a zip, or the one file, whose name is empty. `count` counts a record that is read, even a blank one,
 * and throws BAD_REQUEST above the limit.
 */
type Files = {
  names: string[]
  read: (file: string) => Promise<Buffer>
  count: () => void
  close: () => void
}
type Recognized = { service: ImportService; isZip: boolean }

/** A line as it is stored: `raw` is JSON. A line that cannot be read has an empty `raw` and a `note` that says why. */
export type StoredLine = { file: string; line: number; raw: string; note: string | null }
/** What reading a file yields: its service first, its lines in batches, and last what is known of all of them. */
export type ReadMessage = { service: ImportService } | { lines: StoredLine[] } | { facts: FileFacts }

const badRequest = (message: string) => new TRPCError({ code: 'BAD_REQUEST', message })

const headBytes = 64 * 1024
/** The most files of a zip that are looked into to recognize its service. */
const sniffedMax = 50
const columnsMax = 100
const shelvesMax = 100
/** The bytes of a file that show its service. */
const sniffedBytes = 2 * 1024 * 1024
/** The most records that are read, with blank ones, titles that lines refer to and records that are read twice. */
const recordsMax = 5 * importLinesMax
/** A batch of lines, small enough that storing it does not hold the event loop. */
const batchLines = 100
const batchLength = 64 * 1024

/**
 * Reads an uploaded file. Throws the errors of `openImport` and of its `rows`. A hostile file can hold the event loop for seconds
 * and take a hundred megabytes: `readInChild` does the same in another process.
 */
export async function* readImport(file: { path: string; bytes: number }): AsyncGenerator<ReadMessage> {
  const opened = await openImport(file)
  yield { service: opened.service }
  let lines: StoredLine[] = []
  let length = 0
  for await (const row of opened.rows()) {
    const { file, line } = row
    const raw = 'raw' in row ? JSON.stringify(row.raw) : ''
    lines.push({ file, line, raw, note: 'raw' in row ? null : row.problem })
    length += raw.length
    if (lines.length < batchLines && length < batchLength) continue
    yield { lines }
    lines = []
    length = 0
  }
  if (lines.length > 0) yield { lines }
  yield { facts: opened.facts() }
}

/**
 * Opens an uploaded file and recognizes its service by its content. Throws BAD_REQUEST if it is empty, a damaged zip or of no
 * known format, PAYLOAD_TOO_LARGE if it is too large. `rows` reads the file again from its path and throws BAD_REQUEST too, if
 * the file turns out to have too many lines or a zip turns out to be damaged.
 */
export async function openImport(file: { path: string; bytes: number }): Promise<OpenedFile> {
  if (file.bytes === 0) throw badRequest(messages.importEmpty)
  if (file.bytes > importFileBytesMax)
    throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.importTooLarge })
  const recognized = await recognize(file.path)
  const collected = collector(recognized)

  async function* rows(): AsyncGenerator<Row> {
    collected.reset()
    const files = await openFiles(file.path, recognized)
    let count = 0
    try {
      for await (const row of rowsOf(files, recognized)) {
        count += 1
        if (count > importLinesMax) throw badRequest(messages.importTooManyLines)
        if ('raw' in row) collected.see(row)
        yield row
      }
    } finally {
      files.close()
    }
  }

  let begun: AsyncGenerator<Row> | undefined = rows()
  const first = await begun.next()
  if (first.done) throw badRequest(messages.importEmpty)
  return {
    service: recognized.service,
    async *rows() {
      if (!begun) return yield* rows()
      const rest = begun
      begun = undefined
      yield first.value
      yield* rest
    },
    facts: () => collected.facts(),
  }
}

async function openFiles(path: string, { isZip }: Recognized): Promise<Files> {
  let records = 0
  const count = () => {
    records += 1
    if (records > recordsMax) throw badRequest(messages.importTooManyLines)
  }
  if (!isZip) {
    const bytes = await readFile(path)
    return { names: [''], read: async () => bytes, count, close: () => {} }
  }
  const zip = await openZip(path)
  return { names: zip.files, read: zip.read, count, close: zip.close }
}

async function isZip(path: string): Promise<boolean> {
  return ['504b0304', '504b0506'].includes((await startOf(path, 4)).toString('hex'))
}

/** Returns the first bytes of a file. */
async function startOf(path: string, max = sniffedBytes): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(max), 0, max, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Returns the name of a file without its folders. */
function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

// Recognition

async function recognize(path: string): Promise<Recognized> {
  const zip = (await isZip(path)) ? await openZip(path) : undefined
  try {
    const service = zip ? await serviceOfZip(zip) : await serviceOfFile(await startOf(path))
    if (!service) throw badRequest(messages.importUnknown)
    return { service, isZip: zip !== undefined }
  } finally {
    zip?.close()
  }
}

async function serviceOfZip(zip: Zip): Promise<ImportService | undefined> {
  if (zip.files.length === 0) throw badRequest(messages.importEmpty)
  const isMedley = async (file: string) => isMedleyHead(headOf(await zip.readHead(file, headBytes)))
  const medley = zip.files.find((file) => baseOf(file) === 'medley.json')
  if (medley && (await isMedley(medley))) return 'medley'
  if (
    zip.files.some((file) => traktFile.test(baseOf(file)) && /^(ratings|watched|lists)-/.test(baseOf(file)))
  )
    return 'trakt'
  if (zip.files.some((file) => baseOf(file) === 'journal.ndjson')) return 'neodb'

  // The files of a zip are looked into with those in the outer folders first.
  const depthOf = (file: string) => file.split('/').length
  const tables = zip.files.filter((file) => /\.(csv|tsv|txt)$/i.test(file))
  const known: ImportService[] = []
  for (const file of [...tables].sort((a, b) => depthOf(a) - depthOf(b)).slice(0, sniffedMax)) {
    const service = serviceOfCsv(await zip.readHead(file, headBytes))
    if (service && service !== 'csv') return service
    if (service) known.push(service)
  }
  // A zip of an unknown service may hold anything; only a lone table is surely what the member means.
  return tables.length === 1 && zip.files.length === 1 ? known[0] : undefined
}

async function serviceOfFile(bytes: Buffer): Promise<ImportService | undefined> {
  const head = headOf(bytes).trimStart()
  if (head === '') throw badRequest(messages.importEmpty)
  if (head.startsWith('[')) {
    const { value: item } = readJson(bytes, () => {}).next()
    return item && 'value' in item && isTraktItem(item.value) ? 'trakt' : undefined
  }
  if (head.startsWith('{')) {
    if (isMedleyHead(head)) return 'medley'
    return /^\{[^\n]*"neodb_version"/.test(head) ? 'neodb' : undefined
  }
  return serviceOfCsv(bytes)
}

/** The format is named before the lists, but other keys may come first. */
function isMedleyHead(head: string): boolean {
  return (
    /^\ufeff?\s*\{/.test(head) && /"format"\s*:\s*"medley"/.test(head) && /"version"\s*:\s*1\b/.test(head)
  )
}

function serviceOfCsv(bytes: Buffer): ImportService | undefined {
  const head = headOf(bytes)
  // A header has no control characters; a picture does.
  if (/(?![\t\n\0])\p{Cc}/u.test(head.slice(0, 1_000).replace(/\n.*/s, ''))) return undefined
  const columns = new Set(foldColumns(headerOf(head)))
  return importServices.find((service) => formats[service].isHeader?.(columns))
}

/** Returns the cells of the first line of a head, roughly: a header has no line breaks. */
function headerOf(head: string): string[] {
  const [line = ''] = head.trimStart().split('\n', 1)
  return line
    .slice(0, 32 * 1024)
    .split(delimiterOf(head))
    .map((each) => each.trim().replace(/^"(.*)"$/, '$1'))
}

/** Returns the names of columns, unique and as comparisons use them. */
function foldColumns(columns: readonly string[]): string[] {
  return unique(
    columns.slice(0, columnsMax).map((column) => fold(column.slice(0, 200)).replace(/\s+/g, ' ').trim()),
  )
}

/** Returns the first names made distinct: a second `title` becomes `title (2)`. A blank name stays blank. */
function unique(names: readonly string[]): string[] {
  const taken = new Set([notesColumn, '__proto__'])
  return names.slice(0, columnsMax).map((name) => {
    let result = name
    for (let number = 2; result !== '' && taken.has(result); number += 1) result = `${name} (${number})`
    taken.add(result)
    return result
  })
}

// Records

function rowsOf(files: Files, { service, isZip }: Recognized): AsyncGenerator<Row> {
  if (service === 'medley') return medleyRows(files)
  if (service === 'trakt') return traktRows(files)
  if (service === 'letterboxd') return letterboxdRows(files, isZip)
  if (service === 'neodb') return neodbRows(files, isZip)
  return csvRows(files, service, isZip)
}

async function* csvRows(files: Files, service: ImportService, isZip: boolean): AsyncGenerator<Row> {
  for (const name of files.names) {
    if (isZip && !/\.(csv|tsv|txt)$/i.test(name)) continue
    const bytes = await files.read(name)
    if (serviceOfCsv(bytes) === service) yield* tableRows(files, bytes, pathOf(name), service)
  }
}

/** Returns the path of a file of a zip as lines show it. */
function pathOf(name: string): string {
  return lineOf(name)
}

/** Yields the rows of a CSV file with the known columns of a service. */
function* tableRows(files: Files, bytes: Buffer, file: string, service: ImportService): Generator<Row> {
  const { columns: known } = formats[service]
  let columns: string[] | undefined
  let width = 0
  let isAfterProblem = false
  for (const record of readCsv(bytes, files.count)) {
    if ('problem' in record) {
      yield { file, ...record }
      isAfterProblem = true
      continue
    }
    const { line, cells } = record
    if (!columns) {
      columns = known ? foldColumns(cells) : unique(cells.slice(0, columnsMax).map((cell) => lineOf(cell)))
      width = cells.length
      continue
    }
    // What follows an unclosed quote belongs to the record with the quote.
    if (cells.length * 2 < width) {
      if (!isAfterProblem) yield { file, line, problem: `This line has ${cells.length} of ${width} cells.` }
      continue
    }
    isAfterProblem = false
    yield { file, line, raw: rawOf(columns, cells, known, width) }
  }
}

/** No text keeps these, and JSON writes each with six characters. */
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

function rawOf(
  columns: readonly string[],
  cells: readonly string[],
  known: readonly string[] | undefined,
  width = columns.length,
): RawRow['raw'] {
  const notes: string[] = []
  if (cells.slice(width).some((cell) => cell.trim() !== ''))
    notes.push('The line has more cells than the file has columns; the last ones are left out.')
  const kept = columns.flatMap((column, index) => {
    const value = cells[index] ?? ''
    return column !== '' && (known?.includes(column) ?? true) ? [[column, value] as const] : []
  })
  if (kept.some(([, value]) => value.includes('\u0000')))
    notes.push('The line has NUL characters, which are left out.')
  return Object.fromEntries([
    ...bounded(kept.map(([column, value]) => [column, value.replace(controls, '').toWellFormed()] as const)),
    ...(notes.length > 0 ? [[notesColumn, notes.join('\n')] as const] : []),
  ])
}

/** Cuts the longest values so that all of them together keep to the maximum of a field. */
function bounded(values: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  const total = values.reduce((sum, [, value]) => sum + value.length, 0)
  if (total <= importFieldMax) return [...values]
  let room = importFieldMax
  const lengths = new Map<string, number>()
  const byLength = [...values].sort(([, a], [, b]) => a.length - b.length)
  for (const [index, [column, value]] of byLength.entries()) {
    const length = Math.min(value.length, Math.floor(room / (byLength.length - index)))
    lengths.set(column, length)
    room -= length
  }
  return values.map(
    ([column, value]) => [column, value.slice(0, lengths.get(column)).toWellFormed()] as const,
  )
}

/** The paths of the files in the zip of Letterboxd, which may be in a folder. */
const letterboxdPath = /(?:^|\/)((?:deleted|orphaned|likes|lists)\/[^/]+\.csv|[^/]+\.csv)$/i
const letterboxdFiles =
  /^((deleted|orphaned|likes|lists)\/|(ratings|watched|watchlist|diary|reviews|comments)\.csv$)/

async function* letterboxdRows(files: Files, isZip: boolean): AsyncGenerator<Row> {
  if (!isZip) {
    const bytes = await files.read('')
    const file = letterboxdFileOf(new Set(foldColumns(headerOf(headOf(bytes)))))
    const namesakes = await findNamesakes([{ name: '', path: file }], files)
    for (const row of tableRows(files, bytes, file, 'letterboxd')) yield withNamesake(row, namesakes)
    return
  }
  const paths = files.names.flatMap((name) => {
    const path = letterboxdPath.exec(name)?.[1]?.toLowerCase()
    return path ? [{ name, path }] : []
  })
  const namesakes = await findNamesakes(paths, files)
  // The profile has only addresses of films; their names are in the other files.
  const profile = paths.find(({ path }) => path === 'profile.csv')
  const favorites = profile ? favoriteFilms(files, await files.read(profile.name)) : []
  const named = new Map<string, RawRow['raw']>()
  for (const { name, path } of paths) {
    if (!letterboxdFiles.test(path)) continue
    for (const row of listedRows(files, await files.read(name), pathOf(path))) {
      if ('raw' in row) {
        const address = row.raw['letterboxd uri'] ?? ''
        if (favorites.includes(address) && !named.has(address)) named.set(address, row.raw)
      }
      yield withNamesake(row, namesakes)
    }
  }
  for (const address of favorites) {
    const { name = '', year = '' } = named.get(address) ?? {}
    const raw = { name, year, 'letterboxd uri': address, favorite: 'Yes' }
    yield withNamesake({ file: 'profile.csv', line: 2, raw }, namesakes)
  }
}

/** Returns the keys of the films that share their name and year with others of the file. */
async function findNamesakes(
  paths: readonly { name: string; path: string }[],
  files: Files,
): Promise<ReadonlySet<string>> {
  const { namesakes, see } = collectNamesakes()
  for (const { name, path } of paths) {
    if (!letterboxdFilmFiles.test(path)) continue
    for (const row of tableRows(files, await files.read(name), path, 'letterboxd')) if ('raw' in row) see(row)
  }
  return namesakes
}

function withNamesake(row: Row, namesakes: ReadonlySet<string>): Row {
  const isNamesake = namesakes.size > 0 && 'raw' in row && namesakes.has(filmKeyOf(row.raw))
  return isNamesake ? { ...row, raw: { ...row.raw, namesake: 'Yes' } } : row
}

/** Yields the rows of a file, which for a list consists of two tables after a line that names the format. */
function* listedRows(files: Files, bytes: Buffer, file: string): Generator<Row> {
  if (!file.startsWith('lists/')) return yield* tableRows(files, bytes, file, 'letterboxd')
  const known = formats.letterboxd.columns
  let columns: string[] | undefined
  for (const record of readCsv(bytes, files.count)) {
    if ('problem' in record) {
      yield { file, ...record }
      continue
    }
    const folded = foldColumns(record.cells)
    if (folded.includes('name') && folded.includes('url')) columns = folded
    else if (columns) yield { file, line: record.line, raw: rawOf(columns, record.cells, known) }
  }
}

function favoriteFilms(files: Files, bytes: Buffer): string[] {
  let column: number | undefined
  for (const record of readCsv(bytes, files.count)) {
    if ('problem' in record) break
    if (column === undefined) {
      column = foldColumns(record.cells).indexOf('favorite films')
      continue
    }
    const addresses = (record.cells[column] ?? '').slice(0, 2_000).split(',', 20)
    return [...new Set(addresses.map((each) => each.trim()).filter((each) => /^https?:\/\//.test(each)))]
  }
  return []
}

/** Returns the row of a JSON item, or why it is none. */
function jsonRow(file: string, line: number, kept: unknown): Row {
  const json = textOfJson(kept)
  if (json === undefined || json.length > importFieldMax)
    return { file, line, problem: 'This item is too long.' }
  return { file, line, raw: { json } }
}

/** Returns undefined for a value that is nested too deeply to be written. */
function textOfJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

async function* traktRows(files: Files): AsyncGenerator<Row> {
  for (const name of files.names) {
    const file = baseOf(name)
    if (name !== '' && !traktFile.test(file)) continue
    for (const item of readJson(await files.read(name), files.count)) {
      const kept = 'value' in item ? keptOfTrakt(item.value) : null
      if (kept) yield jsonRow(file, item.index, kept)
      else yield { file, line: item.index, problem: problemOf(item) }
    }
  }
}

function problemOf(item: JsonItem): string {
  return 'problem' in item ? item.problem : unexpected
}

async function* medleyRows(files: Files): AsyncGenerator<Row> {
  const name = files.names.find((each) => each === '' || baseOf(each) === 'medley.json')!
  const bytes = await files.read(name)
  // The titles are needed first; a file may list them last.
  const titles = new Map<string, NonNullable<ReturnType<typeof medleyTitleOf>>>()
  let instance = ''
  for (const item of readJson(bytes, files.count)) {
    if (!('value' in item)) continue
    if (item.section === 'instance' && typeof item.value === 'string') instance = lineOf(item.value)
    const title = item.section === 'titles' ? medleyTitleOf(item.value) : null
    if (title) titles.set(String(title.ref), title)
    if (titles.size > importLinesMax) throw badRequest(messages.importTooManyLines)
  }
  const sections: readonly string[] = medleySections
  for (const item of readJson(bytes, files.count)) {
    const { section, index } = item
    if (!('value' in item)) yield { file: section, line: index, problem: problemOf(item) }
    else if (index > 0 && sections.includes(section)) {
      const ref = medleyRefOf(item.value)
      const title = ref === null ? null : (titles.get(ref) ?? null)
      yield jsonRow(section, index, { section, instance, title, item: item.value })
    }
  }
}

async function* neodbRows(files: Files, isZip: boolean): AsyncGenerator<Row> {
  const isJournal = async (name: string) =>
    isZip ? baseOf(name) === 'journal.ndjson' : serviceOfCsv(await files.read(name)) !== 'neodb'
  const journals: string[] = []
  for (const name of files.names) if (await isJournal(name)) journals.push(name)
  if (journals.length === 0) return yield* csvRows(files, 'neodb', isZip)
  const catalog = files.names.find((name) => baseOf(name) === 'catalog.ndjson')
  const titles = new Map<string, Record<string, string>>()
  if (catalog) {
    for (const item of readNdjson(await files.read(catalog), files.count)) {
      const title = 'value' in item ? neodbTitleOf(item.value) : null
      if (title) titles.set(title.address, title.columns)
      if (titles.size > importLinesMax) throw badRequest(messages.importTooManyLines)
    }
  }
  for (const name of journals) {
    const file = baseOf(name) || 'journal.ndjson'
    for (const item of readNdjson(await files.read(name), files.count)) {
      const record = 'value' in item ? neodbRecordOf(item.value) : null
      // The first line describes the export.
      if (!record && item.index === 1) continue
      if (!record) yield { file, line: item.index, problem: problemOf(item) }
      else {
        const columns = { ...titles.get(record.address), ...record.columns }
        yield { file, line: item.index, raw: rawOf(Object.keys(columns), Object.values(columns), undefined) }
      }
    }
  }
}

// Facts

/** Collects what `facts` returns, from the rows. */
function collector({ service }: Recognized) {
  const { shelfOf, defaultShelves } = formats[service]
  let shelves = new Map<string, number>()
  let guess: ReturnType<typeof guessOptions> | undefined
  let columns: string[] = []
  return {
    reset() {
      shelves = new Map()
      guess = undefined
      columns = []
    },
    see(row: RawRow) {
      if (service === 'csv') {
        columns = guess ? columns : Object.keys(row.raw).filter((column) => column !== notesColumn)
        guess ??= guessOptions(columns)
        guess.see(row)
      }
      if (!shelfOf) return
      const options = { ...defaultImportOptions, columns: guess?.columns ?? {} }
      const shelf = shelfOf(row, options)
      if (shelf === '' || knownStatus(shelf)) return
      const name = shelfName(shelf)
      if (name === '') return
      if (shelves.has(name) || shelves.size < shelvesMax) shelves.set(name, (shelves.get(name) ?? 0) + 1)
    },
    facts(): FileFacts {
      return {
        columns,
        shelves: [...shelves].map(([name, count]) => ({ name, count })),
        options: {
          ...guess?.options(),
          ...(defaultShelves && shelves.size > 0 && { shelves: defaultShelves }),
        },
      }
    },
  }
}
