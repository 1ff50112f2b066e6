import type { ImportService } from '#shared/domain/import-formats.ts'
import { unpack } from '#server/db/packed.ts'
import { pause } from '#server/db/slices.ts'
import type { ImportLineRow } from '#server/imports/tables.ts'
import { fromStored, type LineRecord, type ParsedTitle, unreadable } from './formats/records.ts'
import { readRecord } from './formats/index.ts'
import { listLinesByIds, listLineSizesOf } from './lines-store.ts'
import type { ImportContext } from '#server/imports/context.ts'
import { linesPerTitle } from '#server/imports/match/join.ts'

const titleCharactersMax = 1_000_000
const batchBytes = 512 * 1024

export function interpret(
  { row, options }: Pick<ImportContext, 'row' | 'options'>,
  { raw, file, line, note }: ImportLineRow,
): ReturnType<typeof readRecord> {
  if (raw === '') return { record: { ...unreadable, problem: note ?? '' }, shelf: '' }
  // Only files have lines.
  return readRecord(row.service as ImportService, { file, line, raw: JSON.parse(unpack(raw)) }, options)
}

/** Unreadable lines, and lines of older versions, have no record. */
export function recordOf(context: ImportContext, line: ImportLineRow): LineRecord {
  return line.record ? fromStored(unpack(line.record)) : interpret(context, line).record
}

type TitleLine = { id: number; title: ParsedTitle; content: string }

/** In batches of bounded size, each title’s lines up to a limit, in the order of the file. */
export async function loadLinesOf(
  context: ImportContext,
  titleIds: readonly number[],
): Promise<Map<number, TitleLine[]>> {
  const loaded = new Map<number, TitleLine[]>(titleIds.map((id) => [id, []]))
  const charactersOf = new Map<number, number>()
  for (const ids of batchesOf(await listLineSizesOf(context.db, titleIds, linesPerTitle)))
    for (const line of await listLinesByIds(context.db, ids)) {
      await pause()
      const titleId = line.title_id!
      const characters = (charactersOf.get(titleId) ?? 0) + (line.raw_bytes ?? 0)
      charactersOf.set(titleId, characters)
      if (characters > titleCharactersMax) continue
      const record = recordOf(context, line)
      const content = `${line.file}\n${line.raw}`
      if (record.type === 'title') loaded.get(titleId)!.push({ id: line.id, title: record.title, content })
    }
  return loaded
}

/** Also returns the ids of lines that repeat others word by word. */
export function withoutRepetitions(lines: readonly TitleLine[]): { said: ParsedTitle[]; repeated: number[] } {
  const first = new Map(lines.toReversed().map(({ id, content }) => [content, id]))
  const isFirst = ({ id, content }: TitleLine) => first.get(content) === id
  return {
    said: lines.filter(isFirst).map(({ title }) => title),
    repeated: lines.filter((line) => !isFirst(line)).map(({ id }) => id),
  }
}

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
