import { open, readFile } from 'node:fs/promises'
import { TRPCError } from '@trpc/server'
import { defaultImportOptions, type ImportOptions, type UnclearOption } from '#shared/contracts/imports.ts'
import { type ImportService, importServices } from '#shared/domain/import-formats.ts'
import { importFileBytesMax, importLinesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { orderFinder } from './formats/dates.ts'
import { cellsOf, type Files } from './formats/format.ts'
import { type FileRecord, type Records, toStored, type UnreadableRecord } from './formats/records.ts'
import { notesColumn } from './formats/values.ts'
import { countShelf, formats, readRecord, unknownShelfOf } from './formats/index.ts'
import { headOf } from './formats/read-csv.ts'
import { openZip, type Zip } from './formats/read-zip.ts'
import { csvRecords, headerOf, headersOf, unknownHeaderOf } from './formats/rows.ts'

/** What is known of a file before its records are read: what they mean depends on it. */
export type FileSummary = {
  /** The number of lines that are stored. */
  lines: number
  /** Columns of a CSV file of an unknown service, in the order of the file. */
  columns: string[]
  /** Shelves or statuses that Medley does not know, with the number of lines. */
  shelves: { name: string; count: number }[]
  /** Options that differ from the defaults: guessed columns, scale, kind. */
  options: Partial<ImportOptions>
  /** The options that the file leaves open. */
  unclear: UnclearOption[]
}

export type OpenedFile = {
  service: ImportService
  /** Yields the records in the order of the files. */
  records: Records
  /** Valid once `records` is exhausted, unless the summary is known. */
  summary: () => FileSummary
}

/**
 * A line as it is stored: `raw` and `record`, which says what it means, are JSON. A line that cannot be read has empty ones and a `note`
 * that says why.
 */
export type StoredLine = { file: string; line: number; raw: string; record: string; note: string | null }
/** What reading a file yields: first what is known of all lines, then the lines in batches, and last that these are all. */
export type FileMessage =
  | { service: ImportService; summary: FileSummary }
  | { lines: StoredLine[] }
  | { isEnd: true }

const badRequest = (message: string) => new TRPCError({ code: 'BAD_REQUEST', message })

const headBytes = 64 * 1024
/** The most files of a zip that are looked into to recognize its service. */
const sniffedMax = 50
/** The most records that are read, with blank ones, titles that lines refer to and records that are read twice. */
const recordsMax = 5 * importLinesMax
/** A batch of lines, small enough that storing it does not hold the event loop. */
const batchLines = 100
const batchLength = 64 * 1024

/**
 * Reads an uploaded file twice: first for what is known of all its lines, which decides what each of them means. Throws the errors of
 * `openFile` and of its `records`. A hostile file can hold the event loop for seconds and take a hundred megabytes: `readInChild` does
 * the same in another process.
 */
export async function* readFileLines(file: { path: string; bytes: number }): AsyncGenerator<FileMessage> {
  const first = await openFile(file)
  for await (const _ of first.records);
  const { service } = first
  const summary = first.summary()
  yield { service, summary }
  const options = { ...defaultImportOptions, ...summary.options }
  let lines: StoredLine[] = []
  let length = 0
  for await (const row of (await openFile(file, false)).records) {
    const { file, line } = row
    if ('raw' in row) {
      const raw = JSON.stringify(row.raw)
      const record = toStored(readRecord(service, row, options).record)
      lines.push({ file, line, raw, record, note: null })
      length += raw.length + record.length
    } else lines.push({ file, line, raw: '', record: '', note: row.problem })
    if (lines.length < batchLines && length < batchLength) continue
    yield { lines }
    lines = []
    length = 0
  }
  if (lines.length > 0) yield { lines }
  yield { isEnd: true }
}

/**
 * Opens an uploaded file and recognizes its service by its content. Throws BAD_REQUEST if it is empty, a damaged zip or of no
 * known format, PAYLOAD_TOO_LARGE if it is too large. `records` throws BAD_REQUEST too, if the file turns out to have no records or too
 * many lines, or a zip turns out to be damaged. `summary` is collected only if `isSummarized`.
 */
export async function openFile(
  file: { path: string; bytes: number },
  isSummarized = true,
): Promise<OpenedFile> {
  if (file.bytes === 0) throw badRequest(messages.importEmpty)
  if (file.bytes > importFileBytesMax)
    throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.importTooLarge })
  const zip = await openIfZip(file.path)
  try {
    const bytes = zip ? Buffer.alloc(0) : await readFile(file.path)
    const service = zip ? await serviceOfZip(zip) : serviceOfFile(bytes)
    if (!service) throw badRequest(messages.importUnknown)
    const { see, summary } = summarize(service)
    return { service, records: recordsOf(service, zip ?? bytes, isSummarized ? see : () => {}), summary }
  } catch (error) {
    zip?.close()
    throw error
  }
}

async function openIfZip(path: string): Promise<Zip | undefined> {
  const handle = await open(path)
  const { buffer } = await handle.read(Buffer.alloc(4)).finally(() => handle.close())
  return ['504b0304', '504b0506'].includes(buffer.toString('hex')) ? openZip(path) : undefined
}

/** Yields the records of a file within the limits, and closes it. */
async function* recordsOf(
  service: ImportService,
  file: Zip | Buffer,
  see: (record: FileRecord | UnreadableRecord) => void,
): Records {
  const format = formats[service]
  const refuse = (count: number, max = importLinesMax) => {
    if (count > max) throw badRequest(messages.importTooManyLines)
  }
  let read = 0
  const count = () => refuse((read += 1), recordsMax)
  const files: Files = Buffer.isBuffer(file)
    ? { isZip: false, names: [''], read: async () => file, count, refuse }
    : { isZip: true, names: file.files, read: file.read, count, refuse }
  let kept = 0
  try {
    for await (const record of format.records?.(files) ?? csvRecords(files, format)) {
      refuse((kept += 1))
      see(record)
      yield record
    }
    if (kept === 0) throw badRequest(messages.importEmpty)
  } finally {
    if (!Buffer.isBuffer(file)) file.close()
  }
}

async function serviceOfZip(zip: Zip): Promise<ImportService | undefined> {
  if (zip.files.length === 0) throw badRequest(messages.importEmpty)
  // Those that are known by the beginning of a file come last in the list, and first here.
  for (const service of importServices.toReversed()) if (await formats[service].isZip?.(zip)) return service

  // The files of a zip are looked into with those in the outer folders first.
  const depthOf = (file: string) => file.split('/').length
  const tables = zip.files.filter((file) => /\.(csv|tsv|txt)$/i.test(file))
  for (const file of tables.toSorted((a, b) => depthOf(a) - depthOf(b)).slice(0, sniffedMax)) {
    // A zip may hold anything; a table of an unknown service is surely what the member means only if it is alone.
    const service = serviceOfCsv(await zip.readHead(file, headBytes), zip.files.length === 1)
    if (service) return service
  }
  return undefined
}

function serviceOfFile(bytes: Buffer): ImportService | undefined {
  const head = headOf(bytes).trimStart()
  if (head === '') throw badRequest(messages.importEmpty)
  if (/^[[{]/.test(head)) return importServices.findLast((service) => formats[service].isJson?.(head, bytes))
  return serviceOfCsv(bytes) ?? (unknownHeaderOf(headersOf(bytes)) && 'csv')
}

/** Returns the service of a table. An unknown table has one only if it is the whole file. */
function serviceOfCsv(bytes: Buffer, isAlone = true): ImportService | undefined {
  const headers = headersOf(bytes)
  return importServices.find(
    (service) => (service !== 'csv' || isAlone) && headerOf(headers, formats[service]),
  )
}

/** Collects what is known of a file, from its records. */
function summarize(service: ImportService) {
  const { defaultShelves, guessOptions } = formats[service]
  const shelves: FileSummary['shelves'] = []
  let guess: ReturnType<NonNullable<typeof guessOptions>> | undefined
  let columns: string[] = []
  let lines = 0
  const dates = orderFinder()
  return {
    see(record: FileRecord | UnreadableRecord) {
      lines += 1
      if (!('raw' in record)) return
      if (guessOptions && !guess) {
        columns = Object.keys(record.raw).filter((column) => column !== notesColumn)
        guess = guessOptions(columns)
      }
      const cells = cellsOf(record, { ...defaultImportOptions, columns: guess?.columns ?? {} })
      guess?.see(cells)
      for (const value of Object.values(record.raw)) dates.see(value)
      countShelf(shelves, unknownShelfOf(service, cells))
    },
    summary: (): FileSummary => {
      const order = dates.order()
      return {
        lines,
        columns,
        shelves,
        options: {
          ...guess?.options(),
          ...(order && { dates: order }),
          ...(defaultShelves && shelves.length > 0 && { shelves: defaultShelves }),
        },
        unclear: guess?.unclear() ?? [],
      }
    },
  }
}
