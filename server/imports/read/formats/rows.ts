import { noteOf } from '#shared/texts/import-notes.ts'
import { fold } from '#server/db/fold.ts'
import { importFieldMax } from '#shared/domain/limits.ts'
import type { Files, Format } from './format.ts'
import type { FileRecord, Records, Row, UnreadableRecord } from './records.ts'
import { lineOf, notesColumn } from './values.ts'
import { type FirstRow, firstRows, headOf, readCsv } from './read-csv.ts'
import { type JsonItem, readJson } from './read-json.ts'

const columnsMax = 100

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

type Table = Pick<
  Format,
  'columns' | 'requiredColumns' | 'isHeader' | 'isUnquoted' | 'isJson' | 'isKeyed' | 'rowsOf'
>
type TableStart = FirstRow & { isWithoutHeader?: boolean }

export type Header = FirstRow & { columns: ReadonlySet<string> }

/** A header has no number or date. */
const hasNumbers = ({ cells }: FirstRow) => cells.some((cell) => /^\d[\d.,/-]*$/.test(cell))

/** Captions and comments may come before the header. */
export function headersOf(bytes: Buffer): Header[] {
  // A header has no control characters; a picture does.
  if (/(?![\t\n\0])\p{Cc}/u.test(headOf(bytes, 4_000).slice(0, 1_000).replace(/\n.*/s, ''))) return []
  return firstRows(bytes).map((row) => ({ ...row, columns: new Set(foldColumns(row.cells)) }))
}

export function headerOf(headers: readonly Header[], { isHeader }: Table): Header | undefined {
  const first = headers[0]?.line
  const scored = headers
    .filter((header) => header.line === first || !hasNumbers(header))
    .map((header) => ({ header, score: Number(isHeader?.(header.columns) ?? 0) }))
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), scored[0]!)
  return best && best.score > 0 ? best.header : undefined
}

/** Of a table whose columns are not known: the next row has as many cells, and a column has words. */
export function unknownHeaderOf(headers: readonly Header[]): TableStart | undefined {
  // Markup and data of other forms are no tables.
  if (/^[<{[]/.test(headers[0]?.cells[0] ?? '')) return undefined
  const found = headers.find(({ line, delimiter, cells }) => {
    if (cells.length < 2 || cells[0]!.startsWith('#')) return false
    const others = headers.filter((other) => other.delimiter === delimiter && other.line > line)
    const rows = others.filter((other) => other.cells.length === cells.length)
    const hasWords = rows.some((row) => row.cells.some((cell) => /\p{L}{2}/u.test(cell)))
    return others[0] === rows[0] && hasWords
  })
  return found && { ...found, isWithoutHeader: hasNumbers(found) }
}

/** Unique, as comparisons use them. */
function foldColumns(columns: readonly string[]): string[] {
  return unique(
    columns.slice(0, columnsMax).map((column) => fold(column.slice(0, 200)).replace(/\s+/g, ' ').trim()),
  )
}

/** As `foldColumns`; the others are blank. */
export function knownColumns(columns: readonly string[], known: readonly string[]): string[] {
  return foldColumns(columns).map((column) => (known.includes(column) ? column : ''))
}

/** A second `title` becomes `title (2)`. A blank name stays blank. */
function unique(names: readonly string[]): string[] {
  const used = new Set([notesColumn, '__proto__'])
  return names.slice(0, columnsMax).map((name) => {
    let result = name
    for (let number = 2; result !== '' && used.has(result); number += 1) result = `${name} (${number})`
    used.add(result)
    return result
  })
}

/** Of the tables, and of the JSON files of a format that has some. */
export async function* recordsIn(files: Files, format: Table): Records {
  const { isJson, rowsOf } = format
  const names = rowsOf ? /\.(csv|tsv|txt|json)$/i : /\.(csv|tsv|txt)$/i
  for (const name of files.names) {
    if (files.isZip && !names.test(name)) continue
    const bytes = await files.read(name)
    if (rowsOf && isJson?.(headOf(bytes).trimStart(), bytes)) {
      yield* itemRecords(files, bytes, baseOf(name), format)
      continue
    }
    const headers = headersOf(bytes)
    const start = headerOf(headers, format) ?? (files.isZip ? undefined : unknownHeaderOf(headers))
    if (start) yield* tableRecords(files, bytes, lineOf(name), format, start)
  }
}

function* itemRecords(
  { count }: Files,
  bytes: Buffer,
  name: string,
  { isKeyed, rowsOf }: Pick<Format, 'isKeyed' | 'rowsOf'>,
): Generator<FileRecord | UnreadableRecord> {
  let at = 0
  for (const item of readJson(bytes, count)) {
    at += 1
    const place = isKeyed ? { file: name, line: at } : { file: item.section || name, line: item.index }
    if ('value' in item) for (const row of rowsOf!(item)) yield { ...place, raw: rawOfRow(row) }
    else yield { ...place, problem: item.problem }
  }
}

export function* tableRecords(
  files: Pick<Files, 'count'>,
  bytes: Buffer,
  file: string,
  format: Table,
  start: TableStart | undefined = headerOf(headersOf(bytes), format),
): Generator<FileRecord | UnreadableRecord> {
  const { columns: known, requiredColumns = [], isUnquoted } = format
  let columns: string[] | undefined
  let lacking: string[] = []
  let headerLine = 1
  let width = 0
  let isAfterProblem = false
  for (const record of readCsv(bytes, files.count, start, isUnquoted)) {
    if ('problem' in record) {
      yield { file, ...record }
      isAfterProblem = true
      continue
    }
    const { line, cells } = record
    if (!columns) {
      width = cells.length
      const nameOf = (cell: string, at: number) =>
        start?.isWithoutHeader ? `Column ${at + 1}` : lineOf(cell)
      columns = known ? knownColumns(cells, known) : unique(cells.slice(0, columnsMax).map(nameOf))
      lacking = requiredColumns.filter((column) => !columns!.includes(column))
      headerLine = line
      if (!start?.isWithoutHeader) continue
    }
    // A file that is empty otherwise has nothing in it.
    for (const column of lacking) yield { file, line: headerLine, problem: noteOf('missingColumn', column) }
    lacking = []
    // What follows an unclosed quote belongs to the record with the quote.
    if (cells.length * 2 < width) {
      if (!isAfterProblem) yield { file, line, problem: noteOf('fewCells', cells.length, width) }
      continue
    }
    isAfterProblem = false
    yield { file, line, raw: rawOf(columns, cells, width) }
  }
}

/** No text keeps these, and JSON writes each with six characters. */
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

/** Within the maximum of a field, with a column of notes. Columns without a name are left out. */
export function rawOf(
  columns: readonly string[],
  cells: readonly string[],
  width = columns.length,
): FileRecord['raw'] {
  const raw: FileRecord['raw'] = {}
  const notes: string[] = []
  if (cells.slice(width).some((cell) => cell.trim() !== '')) notes.push(noteOf('moreCells'))
  let length = 0
  let hasNul = false
  for (const [at, column] of columns.entries()) {
    if (column === '') continue
    const cell = cells[at] ?? ''
    hasNul ||= cell.includes('\u0000')
    raw[column] = cell.replace(controls, '').toWellFormed()
    length += raw[column].length
  }
  if (length > importFieldMax) shorten(raw)
  if (hasNul) notes.push(noteOf('nulCharacters'))
  if (notes.length > 0) raw[notesColumn] = notes.join('\n')
  return raw
}

/** All values together keep to the maximum of a field: the longest are cut. */
function shorten(raw: FileRecord['raw']): void {
  let room = importFieldMax
  const byLength = Object.entries(raw).sort(([, a], [, b]) => a.length - b.length)
  for (const [at, [column, value]] of byLength.entries()) {
    const length = Math.min(value.length, Math.floor(room / (byLength.length - at)))
    raw[column] = value.slice(0, length).toWellFormed()
    room -= length
  }
}

export function valueAt(item: unknown, path: string): unknown {
  let value = item
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** At most `max` UTF-16 units; otherwise blank. */
export function textAt(item: unknown, path: string, max = importFieldMax): string {
  const value = valueAt(item, path)
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).slice(0, max) : ''
}

export function listAt(item: unknown, path: string): unknown[] {
  const value = valueAt(item, path)
  return Array.isArray(value) ? value : []
}

export function itemRecord(file: string, line: number, item: unknown, paths: readonly string[]): FileRecord {
  const row = Object.fromEntries(paths.map((path) => [path, textAt(item, path)]))
  return { file, line, raw: rawOfRow(row) }
}

function rawOfRow(row: Row): Row {
  const said = Object.entries(row).filter(([, text]) => text !== '')
  return rawOf(
    said.map(([column]) => column),
    said.map(([, text]) => text),
  )
}

export function unreadable(file: string, item: JsonItem): UnreadableRecord {
  return { file, line: item.index, problem: 'problem' in item ? item.problem : noteOf('unexpectedItem') }
}
