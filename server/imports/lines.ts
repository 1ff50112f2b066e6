import { setImmediate as nextTick } from 'node:timers/promises'
import { unpack } from '#server/db/packed.ts'
import type { ImportLineRow } from './tables.ts'
import { pause } from '#server/db/slices.ts'
import type { Parsed, ParsedTitle } from './formats/parsed.ts'
import { cellsOf } from './formats/format.ts'
import { parseRecord, unknownShelfOf } from './formats/index.ts'
import { listLinesByIds, listLineSizesOf } from './lines-store.ts'
import type { ImportContext } from './step.ts'

/** Lines of one title that are parsed, the characters and the entries of them: planning a title cannot be interrupted. */
const linesPerTitle = 2_000
const titleCharactersMax = 1_000_000
const titleEntriesMax = 2_500
/** Lines that are loaded at once. */
const batchBytes = 512 * 1024

type Parsing = Pick<ImportContext, 'row' | 'options'>

/** Parses a line. A line that makes the format throw is unreadable; it never stops an import. */
export function parseLine({ row, options }: Parsing, { raw, file, line, note }: ImportLineRow): Parsed {
  if (raw === '') return { type: 'unreadable', problem: note ?? '' }
  try {
    return parseRecord(row.service, { file, line, raw: JSON.parse(unpack(raw)) }, options)
  } catch {
    return { type: 'unreadable', problem: 'This line cannot be read.' }
  }
}

/** Returns the shelf of a line that the member has to say the meaning of; blank if there is none. */
export function shelfOfLine({ row, options }: Parsing, { raw, file, line }: ImportLineRow): string {
  if (raw === '') return ''
  return unknownShelfOf(row.service, cellsOf({ file, line, raw: JSON.parse(unpack(raw)) }, options))
}

/** Parses lines in slices, so that requests run between them. */
export async function parseLines(context: Parsing, lines: readonly ImportLineRow[]): Promise<Parsed[]> {
  const results: Parsed[] = []
  for (const line of lines) {
    results.push(parseLine(context, line))
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
  context: ImportContext,
  titleIds: readonly number[],
): Promise<ParsedLine[]> {
  const { db } = context
  const parsed: ParsedLine[] = []
  const charactersOf = new Map<number | null, number>()
  for (const ids of batchesOf(await listLineSizesOf(db, titleIds, linesPerTitle))) {
    const lines = (await listLinesByIds(db, ids)).filter((line) => {
      const characters = (charactersOf.get(line.title_id) ?? 0) + (line.raw_bytes ?? 0)
      charactersOf.set(line.title_id, characters)
      return characters <= titleCharactersMax
    })
    for (const [at, result] of (await parseLines(context, lines)).entries()) {
      const { id, title_id, note, file, raw } = lines[at]!
      parsed.push({ id, title_id, note, result, content: `${file}\n${raw}` })
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
    else if (entries <= titleEntriesMax && said.length < linesPerTitle) said.push(title)
    seen.add(line.content)
  }
  return { said, repeated }
}
