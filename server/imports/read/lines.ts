import { createHash } from 'node:crypto'
import type { ImportService } from '#shared/domain/import-formats.ts'
import { unpack } from '#server/db/packed.ts'
import { pause } from '#server/db/slices.ts'
import type { ImportLineRow } from '#server/imports/tables.ts'
import {
  fromStored,
  type LineRecord,
  type ParsedTitle,
  unreadable,
  withoutBlanksOf,
} from './formats/records.ts'
import { readRecord } from './formats/index.ts'
import { listLinesByIds, listLineSizesOf } from './lines-store.ts'
import type { ImportContext } from '#server/imports/context.ts'
import { sumBy } from '#server/imports/limits.ts'
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

/** Most lines of a history say nothing but that an episode was watched, or rated. */
const partLinesPerTitle = 25_000

/** What they say, and the ids of lines that repeat others word by word. Lines that differ only in their parts are one. */
type TitleLines = { said: ParsedTitle[]; repeated: number[] }

/** In batches of bounded size, each title’s lines up to a limit, in the order of the file. */
export async function loadLinesOf(
  context: ImportContext,
  titleIds: readonly number[],
): Promise<Map<number, TitleLines>> {
  const loaded = new Map<number, TitleLines>(titleIds.map((id) => [id, { said: [], repeated: [] }]))
  const charactersOf = new Map<number, number>()
  const seen = new Set<string>()
  const withParts = new Map<string, ParsedTitle>()
  for (const ids of batchesOf(await listLineSizesOf(context.db, titleIds, partLinesPerTitle)))
    for (const line of await listLinesByIds(context.db, ids)) {
      await pause()
      const record = recordOf(context, line)
      if (record.type !== 'title') continue
      const titleId = line.title_id!
      const { said, repeated } = loaded.get(titleId)!
      const { title } = record
      const { plays, partReviews } = title
      const about = `${titleId} ${JSON.stringify(withoutBlanksOf({ ...title, plays: [], partReviews: [] }))}`
      const hasParts = plays.length + partReviews.length > 0
      const known = hasParts ? withParts.get(about) : undefined
      const texts = sumBy(partReviews, ({ review }) => review?.text.length ?? 0)
      const characters = (charactersOf.get(titleId) ?? 0) + (known ? texts : (line.raw_bytes ?? 0))
      charactersOf.set(titleId, characters)
      if (characters > titleCharactersMax || (!known && said.length >= linesPerTitle)) continue
      const content = createHash('sha256').update(`${line.file}\n${line.raw}`).digest('base64')
      if (seen.has(content)) repeated.push(line.id)
      else if (known) {
        known.plays.push(...plays)
        known.partReviews.push(...partReviews)
      } else {
        said.push(title)
        if (hasParts) withParts.set(about, title)
      }
      seen.add(content)
    }
  return loaded
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
