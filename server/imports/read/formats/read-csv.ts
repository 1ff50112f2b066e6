import { noteOf } from '#shared/texts/import-notes.ts'
import { isUtf8 } from 'node:buffer'
import Papa from 'papaparse'

/** `line` is the line of the first character, from 1. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; problem: string }

const pieceBytes = 32 * 1024
/** In UTF-16 units. A quote that is not closed within them is never closed. */
const recordMax = 512 * 1024
/** Each unclosed quote may be searched for its end up to `recordMax`. */
const recoveriesMax = 20

/** By its byte order mark, else as UTF-8 or, if that is invalid, windows-1252. `\n` is the only line break. */
function* decode(bytes: Buffer): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes))
  let pending = ''
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const isLast = at + pieceBytes >= bytes.length
    const piece = pending + decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: !isLast })
    // The line feed of a pair may be in the next piece.
    pending = !isLast && piece.endsWith('\r') ? '\r' : ''
    yield piece.slice(0, piece.length - pending.length).replace(/\r\n?/g, '\n')
  }
}

/** Without a byte order mark, letters of a header in UTF-16 have a zero each. */
function encodingOf(bytes: Buffer): string {
  const [a, b, c, d] = bytes
  const isPair = (zeros: readonly unknown[], letters: readonly unknown[]) =>
    zeros.every((byte) => byte === 0) && letters.every((byte) => byte !== undefined && byte !== 0)
  if ((a === 0xff && b === 0xfe) || isPair([b, d], [a, c])) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || isPair([a, c], [b, d])) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** A character that is cut at the end does not matter. */
export function headOf(bytes: Buffer, max = 4 * pieceBytes): string {
  let end = Math.min(max, bytes.length)
  // A cut character would make the text invalid.
  while (end < bytes.length && end > max - 4 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return [...decode(bytes.subarray(0, end))].join('')
}

/** May be the header. `line` counts from 1. */
export type FirstRow = { line: number; delimiter: string; cells: string[] }

const firstRowsMax = 10
const firstRowMax = 32 * 1024

/** In all ways to divide a row, the likeliest first. A row has no line breaks. */
export function firstRows(bytes: Buffer): FirstRow[] {
  const lines = headOf(bytes)
    .slice(0, 4 * firstRowMax)
    .split('\n', 100)
  const said = lines.map((line) => /^\ufeff?"?sep=([^\w\s"]|\t)"?\r?$/i.exec(line.slice(0, 10))?.[1] ?? '')
  const delimiter = said.find((each) => each !== '')
  return lines
    .flatMap((text, at) =>
      text.trim() === '' || said[at] !== '' ? [] : [{ text: text.slice(0, firstRowMax), line: at + 1 }],
    )
    .slice(0, firstRowsMax)
    .flatMap(({ text, line }) =>
      (delimiter === undefined ? [',', ';', '\t', '|'] : [delimiter])
        .filter((each, at) => at === 0 || text.includes(each))
        .map((each) => ({ line, delimiter: each, cells: cellsOf(text, each) }))
        .sort((a, b) => b.cells.length - a.cells.length),
    )
}

function cellsOf(text: string, delimiter: string): string[] {
  const cells = text.includes('"') ? (parse(text, delimiter, true)[0]?.cells ?? []) : text.split(delimiter)
  return cells.map((cell) => cell.trim())
}

/** Skips blank lines. A record with an unclosed quote is a problem, and reading goes on with the next line. Calls `count` for blank records too. */
export function* readCsv(
  bytes: Buffer,
  count: () => void,
  { delimiter, line: firstLine }: Omit<FirstRow, 'cells'> = firstRows(bytes)[0] ?? {
    delimiter: ',',
    line: 1,
  },
  isUnquoted = false,
): Generator<CsvRecord> {
  let rest = ''
  let line = 1
  let width = 0
  let recoveries = 0
  /** The rest of a line that is too long is skipped. */
  let isSkipping = false
  /** A record without an end is parsed again at twice the last length. */
  let parsedFrom = 0

  for (const [piece, isLast] of withLast(decode(bytes))) {
    // The parser trims white space at each malformed quote: long runs would make it slow.
    rest += piece.replace(/[^\S\n]{65,}/g, (run) => run.slice(0, 64))
    for (; line < firstLine && rest.includes('\n'); line += 1) rest = rest.slice(rest.indexOf('\n') + 1)
    if (line < firstLine) continue
    if (isSkipping) {
      const end = rest.indexOf('\n')
      isSkipping = end === -1
      rest = end === -1 ? '' : rest.slice(end + 1)
      if (isSkipping) continue
      line += 1
    }
    if (rest.length < parsedFrom && !isLast) continue
    for (let isDone = false; !isDone;) {
      isDone = true
      let end = 0
      for (const record of parse(rest, delimiter, isLast, isUnquoted)) {
        count()
        const breaks = record.cells.reduce((sum, cell) => sum + breaksIn(cell), 0)
        width ||= record.cells.length
        const isBroken =
          record.hasOpenQuote || (record.hasStrayQuote && breaks > 0 && record.cells.length < width)
        if (isBroken) {
          isDone = false
          break
        }
        if (record.cells.some((cell) => cell.trim() !== '')) yield { line, cells: record.cells }
        end = record.end
        // The last record may lack its line break; no line follows it.
        line += breaks + 1
      }
      rest = rest.slice(end)
      parsedFrom = Math.min(2 * rest.length, recordMax + 1)
      if (isDone && rest.length <= recordMax) break
      recoveries += 1
      const isLastProblem = recoveries > recoveriesMax
      yield { line, problem: noteOf(isLastProblem ? 'openQuoteAtLast' : 'openQuote') }
      if (isLastProblem) return
      const next = rest.indexOf('\n')
      isSkipping = next === -1
      rest = next === -1 ? '' : rest.slice(next + 1)
      line += isSkipping ? 0 : 1
      if (isSkipping) break
      isDone = false
    }
  }
}

/** Most cells have none: they are not split. */
function breaksIn(cell: string): number {
  return cell.includes('\n') ? cell.split('\n').length - 1 : 0
}

function* withLast<Value>(values: Iterable<Value>): Generator<[Value, boolean]> {
  let held: { value: Value } | undefined
  for (const value of values) {
    if (held) yield [held.value, false]
    held = { value }
  }
  if (held) yield [held.value, true]
}

type LineRecord = { cells: string[]; end: number; hasOpenQuote: boolean; hasStrayQuote: boolean }

function parse(text: string, delimiter: string, isLast: boolean, isUnquoted = false): LineRecord[] {
  const records: LineRecord[] = []
  const parser = new Papa.Parser({
    delimiter,
    newline: '\n',
    fastMode: false,
    // No text has this code point.
    ...(isUnquoted && { quoteChar: '\ufdd0' }),
    step: ({ data, errors, meta }) => {
      records.push({
        cells: (data as unknown as string[][])[0] ?? [],
        end: meta.cursor,
        hasOpenQuote: errors.some(({ code }) => code === 'MissingQuotes'),
        hasStrayQuote: errors.some(({ code }) => code === 'InvalidQuotes'),
      })
    },
  })
  parser.parse(text, 0, !isLast)
  return records
}
