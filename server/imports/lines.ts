import { createHash } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { Db } from '#server/db/open.ts'
import { unpack } from '#server/db/packed.ts'
import type { ImportLineRow, ImportRow } from '#server/db/tables.ts'
import { inSlices } from '#server/process/slices.ts'
import type { ImportOptions } from '#shared/imports.ts'
import type { Parsed, ParsedTitle } from './formats/parsed.ts'
import { parseRecord } from './formats/index.ts'
import { optionsOf } from './progress.ts'
import { listLinesByIds, listLineSizesOf } from './lines-store.ts'

/** Lines of one title that are parsed, the characters and the entries of them: planning a title cannot be interrupted. */
const linesPerTitle = 2_000
const titleCharactersMax = 1_000_000
const titleEntriesMax = 2_500
/** Lines that are loaded at once. */
const batchBytes = 512 * 1024

/** Parses a line. A line that makes the format throw is unreadable; it never stops an import. */
export function parseLine({ service }: ImportRow, line: ImportLineRow, options: ImportOptions): Parsed {
  if (line.raw === '') return { type: 'unreadable', problem: line.note ?? '' }
  try {
    const raw = JSON.parse(unpack(line.raw)) as Record<string, string>
    return parseRecord(service, { file: line.file, line: line.line, raw }, options)
  } catch {
    return { type: 'unreadable', problem: 'This line cannot be read.' }
  }
}

/** Parses lines in slices, so that requests run between them. */
export async function parseLines(row: ImportRow, lines: readonly ImportLineRow[]): Promise<Parsed[]> {
  const results: Parsed[] = []
  const options = optionsOf(row)
  const pause = inSlices()
  for (const line of lines) {
    results.push(parseLine(row, line, options))
    await pause()
  }
  return results
}

export type ParsedLine = Pick<ImportLineRow, 'id' | 'title_id' | 'note'> & {
  result: Parsed
  /** Equal for lines with the same content. */
  content: string
}

/** Parses the lines of titles, those of each title up to a limit, in batches of bounded size. */
export async function parseLinesOf(
  db: Db,
  row: ImportRow,
  titleIds: readonly number[],
): Promise<ParsedLine[]> {
  const parsed: ParsedLine[] = []
  const charactersOf = new Map<number | null, number>()
  for (const ids of batchesOf(await listLineSizesOf(db, titleIds, linesPerTitle))) {
    const lines = (await listLinesByIds(db, ids)).filter((line) => {
      const characters = (charactersOf.get(line.title_id) ?? 0) + (line.raw_bytes ?? 0)
      charactersOf.set(line.title_id, characters)
      return characters <= titleCharactersMax
    })
    for (const [at, result] of (await parseLines(row, lines)).entries()) {
      const { id, title_id, note, file, raw } = lines[at]!
      const content = createHash('sha256').update(`${file}\n${raw}`).digest('base64')
      parsed.push({ id, title_id, note, result, content })
    }
    await nextTick()
  }
  return parsed
}

/** Divides lines into batches of at most `batchBytes`, or of one line. */
export function batchesOf(lines: readonly { id: number; bytes: number }[]): number[][] {
  const batches: number[][] = []
  let bytes = Infinity
  for (const line of lines) {
    bytes += line.bytes
    if (bytes > batchBytes) {
      batches.push([])
      bytes = line.bytes
    }
    batches.at(-1)!.push(line.id)
  }
  return batches
}

/** Returns what the lines of a title say, and the lines that repeat others. */
export function withoutRepetitions(lines: readonly ParsedLine[]) {
  const said: ParsedTitle[] = []
  const repeated: ParsedLine[] = []
  const seen = new Set<string>()
  let entries = 0
  for (const line of lines) {
    if (line.result.type !== 'title') continue
    const { title } = line.result
    entries += title.entries.length
    if (seen.has(line.content)) repeated.push(line)
    else if (entries <= titleEntriesMax) said.push(title)
    seen.add(line.content)
  }
  return { said, repeated }
}
