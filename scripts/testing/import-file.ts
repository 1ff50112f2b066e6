import { textOfNote } from '#shared/texts/import-notes.ts'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { defaultImportOptions, type ImportOptions } from '#shared/contracts/imports.ts'
import type {
  FileRecord,
  ParsedList,
  ParsedTitle,
  UnreadableRecord,
} from '#server/imports/read/formats/records.ts'
import { toPlay } from '#server/imports/read/formats/plays.ts'
import { readRecord } from '#server/imports/read/formats/index.ts'
import { openFile, type OpenedFile } from '#server/imports/read/file.ts'
import { titleKeyOf } from '#server/imports/read/keys.ts'
import { joinLines, joinPartReviews, type TitleRecord } from '#server/imports/match/join.ts'

export const now = new Date('2026-11-22T08:00:00.000Z')
export const fixtures = join(import.meta.dirname, '../../server/imports/fixtures')

export function openFixture(name: string): Promise<OpenedFile> {
  const path = join(fixtures, name)
  return openFile({ path, bytes: statSync(path).size })
}

export function openBytes(content: string | Buffer): Promise<OpenedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'medley-imports-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'upload')
  writeFileSync(path, content)
  return openFile({ path, bytes: Buffer.byteLength(content) })
}

export type Read = {
  service: string
  rows: FileRecord[]
  unreadable: UnreadableRecord[]
  records: Map<string, TitleRecord>
  notKept: Record<string, number>
  lists: ParsedList[]
  summary: ReturnType<OpenedFile['summary']>
}

export async function read(opened: OpenedFile, given: Partial<ImportOptions> = {}): Promise<Read> {
  const all = await Array.fromAsync(opened.records)
  const summary = opened.summary()
  const options = { ...defaultImportOptions, ...summary.options, ...given }
  const rows = all.filter((row) => 'raw' in row)
  const unreadable = all.flatMap((row) =>
    'problem' in row ? [{ ...row, problem: textOfNote(row.problem) }] : [],
  )
  const titles = new Map<string, ParsedTitle[]>()
  const notKept: Record<string, number> = {}
  const lists: ParsedList[] = []
  const leaveOut = (what: string) => (notKept[what] = (notKept[what] ?? 0) + 1)
  for (const row of rows) {
    const stored = { ...row, raw: JSON.parse(JSON.stringify(row.raw)) as FileRecord['raw'] }
    const result = readRecord(opened.service, stored, options).record
    if (result.type === 'unreadable')
      unreadable.push({ file: row.file, line: row.line, problem: textOfNote(result.problem) })
    else if (result.type === 'notKept') leaveOut(result.what)
    else if (result.type === 'follow') leaveOut('follows')
    else if (result.type === 'list') lists.push(result.list)
    else if (result.type === 'title') {
      result.notKept?.forEach(leaveOut)
      const key = titleKeyOf(result.title)
      titles.set(key, [...(titles.get(key) ?? []), result.title])
    }
  }
  const records = new Map<string, TitleRecord>()
  for (const readings of titles.values()) {
    const ofParts = await joinPartReviews(readings, options, now)
    const record = joinLines(readings, options, now, ofParts)
    records.set(record.name, { ...record, notes: record.notes.map(textOfNote) })
  }
  return { service: opened.service, rows, unreadable, records, notKept, lists, summary }
}

export function inShort({ rating, review, entries, isFavorite }: TitleRecord) {
  return {
    ...(rating && { rating: `${rating.stars}←${rating.given}` }),
    ...(review && { review: review.text }),
    ...(entries.length > 0 && {
      entries: entries.map((entry) =>
        [
          entry.status,
          ...(entry.startedOn ? [`from ${entry.startedOn}`] : []),
          ...(entry.finishedOn ? [entry.finishedOn] : []),
          ...(entry.isAgain ? ['again'] : []),
          ...(entry.ratingGiven ? [entry.ratingGiven] : []),
          ...(entry.text ? [`“${entry.text}”`] : []),
        ].join(' '),
      ),
    }),
    ...(isFavorite && { isFavorite }),
  }
}

export const shortly = ({ records }: Read) =>
  Object.fromEntries([...records].map(([name, record]) => [name, inShort(record)]))

/** Of each show, as `1×2 4←8/10`; a season has no number. */
export function partReviewsOf({ records }: Read) {
  const shows = [...records].filter(([, { partReviews }]) => partReviews.length > 0)
  return Object.fromEntries(
    shows.map(([name, { partReviews }]) => [
      name,
      partReviews.map(({ season, number, rating, review }) => {
        const text = review ? ` “${review.text}”` : ''
        return `${season}${number === null ? '' : `×${number}`} ${rating!.stars}←${rating!.given}${text}`
      }),
    ]),
  )
}

/** The plays of each show, as `1×2 2024-02-19`. Of several times in one line, their number follows. */
export function playsOf({ records }: Read) {
  const shows = [...records].filter(([, { plays }]) => plays.length > 0)
  return Object.fromEntries(
    shows.map(([name, { plays }]) => [
      name,
      plays.map(toPlay).map(({ season, number, day, times }) => {
        const all = times > 1 ? ` (${times})` : ''
        return `${season}×${number} ${day ?? 'unknown'}${all}`
      }),
    ]),
  )
}
