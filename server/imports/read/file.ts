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
import { readGzip } from './formats/read-gzip.ts'
import { openZip, type Zip } from './formats/read-zip.ts'
import { recordsIn, headerOf, headersOf, unknownHeaderOf } from './formats/rows.ts'

export type FileSummary = {
  lines: number
  columns: string[]
  /** Unknown to Medley, with the number of lines. */
  shelves: { name: string; count: number }[]
  options: Partial<ImportOptions>
  unclear: UnclearOption[]
}

export type OpenedFile = {
  service: ImportService
  records: Records
  /** Valid once `records` is exhausted, unless the summary is known. */
  summary: () => FileSummary
}

/** `raw` and `record`, its meaning, are JSON. An unreadable line has empty ones and a `note` that says why. */
export type StoredLine = { file: string; line: number; raw: string; record: string; note: string | null }
export type FileMessage =
  | { service: ImportService; summary: FileSummary }
  | { lines: StoredLine[] }
  | { isEnd: true }

const badRequest = (message: string) => new TRPCError({ code: 'BAD_REQUEST', message })

const sniffedMax = 50
/** With blank records, titles that lines refer to, and records that are read twice. */
const recordsMax = 5 * importLinesMax
/** Storing a batch does not hold the event loop. */
const batchLines = 100
const batchLength = 64 * 1024

/**
 * Reads the file twice: the first pass decides what each line means. Throws the errors of `openFile` and its `records`. A hostile file can
 * hold the event loop for seconds: use `readInChild`.
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
 * Recognizes the service by content. Throws BAD_REQUEST if the file is empty, a damaged zip or gzip or of no known format, PAYLOAD_TOO_LARGE
 * if it is too large. `records` throws BAD_REQUEST without records, for too many lines, and for a damaged zip.
 */
export async function openFile(
  file: { path: string; bytes: number },
  isSummarized = true,
): Promise<OpenedFile> {
  if (file.bytes === 0) throw badRequest(messages.importEmpty)
  if (file.bytes > importFileBytesMax)
    throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: messages.importTooLarge })
  const head = await headOfFile(file.path)
  const zip = /^504b(0304|0506)/.test(head) ? await openZip(file.path) : undefined
  try {
    const bytes = zip
      ? Buffer.alloc(0)
      : head.startsWith('1f8b')
        ? await readGzip(file)
        : await readFile(file.path)
    const service = zip ? await serviceOfZip(zip) : serviceOfFile(bytes)
    if (!service) throw badRequest(messages.importUnknown)
    const { see, summary } = summarize(service)
    return { service, records: recordsOf(service, zip ?? bytes, isSummarized ? see : () => {}), summary }
  } catch (error) {
    zip?.close()
    throw error
  }
}

async function headOfFile(path: string): Promise<string> {
  const handle = await open(path)
  const { buffer } = await handle.read(Buffer.alloc(4)).finally(() => handle.close())
  return buffer.toString('hex')
}

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
    for await (const record of format.records?.(files) ?? recordsIn(files, format)) {
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
  // Formats that are known by the beginning of a file come last in the list, and first here.
  for (const service of importServices.toReversed()) if (await formats[service].isZip?.(zip)) return service

  const depthOf = (file: string) => file.split('/').length
  const tables = zip.files.filter((file) => /\.(csv|tsv|txt)$/i.test(file))
  for (const file of tables.toSorted((a, b) => depthOf(a) - depthOf(b)).slice(0, sniffedMax)) {
    // A zip may hold anything: an unknown table in it is taken only if it is alone.
    const service = serviceOfCsv(await zip.readHead(file), zip.files.length === 1)
    if (service) return service
  }
  return undefined
}

function serviceOfFile(bytes: Buffer): ImportService | undefined {
  const head = headOf(bytes).trimStart()
  if (head === '') throw badRequest(messages.importEmpty)
  if (/^[[{]/.test(head)) return importServices.findLast((service) => formats[service].isJson?.(head, bytes))
  const xml = head.startsWith('<') && importServices.find((service) => formats[service].isXml?.(head))
  if (xml) return xml
  return serviceOfCsv(bytes) ?? (unknownHeaderOf(headersOf(bytes)) && 'csv')
}

function serviceOfCsv(bytes: Buffer, isAlone = true): ImportService | undefined {
  const headers = headersOf(bytes)
  return importServices.find(
    (service) => (service !== 'csv' || isAlone) && headerOf(headers, formats[service]),
  )
}

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
