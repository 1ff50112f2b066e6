import { hasCode } from '#shared/texts/import-notes.ts'
import type { ImportOptions } from '#shared/contracts/imports.ts'
import type { ImportService } from '#shared/domain/import-formats.ts'
import { backloggd } from './backloggd.ts'
import { calibre } from './calibre.ts'
import { csv } from './csv.ts'
import { type Cells, cellsOf, type Format } from './format.ts'
import { goodreads } from './goodreads.ts'
import { igdb } from './igdb.ts'
import { imdb } from './imdb.ts'
import { letterboxd } from './letterboxd.ts'
import { librarything } from './librarything.ts'
import { medley } from './medley.ts'
import { myanimelist } from './myanimelist.ts'
import { neodb } from './neodb.ts'
import { partInName, splitYear } from './names.ts'
import { type FileRecord, type LineRecord, unreadable } from './records.ts'
import { knownStatus, notesColumn, shelfName } from './values.ts'
import { serializd } from './serializd.ts'
import { simkl } from './simkl.ts'
import { storygraph } from './storygraph.ts'
import { tmdb } from './tmdb.ts'
import { trakt } from './trakt.ts'
import { tvtime } from './tvtime.ts'
import { yamtrack } from './yamtrack.ts'

const shelvesMax = 100

export const formats: Record<ImportService, Format> = {
  letterboxd,
  goodreads,
  storygraph,
  librarything,
  calibre,
  imdb,
  trakt,
  simkl,
  yamtrack,
  myanimelist,
  serializd,
  backloggd,
  tmdb,
  igdb,
  neodb,
  tvtime,
  medley,
  csv,
}

export function unknownShelfOf(service: ImportService, cells: Cells): string {
  const shelf = formats[service].shelfOf?.(cells) ?? ''
  return [undefined, 'none'].includes(knownStatus(shelf)) ? shelfName(shelf) : ''
}

/** Shelves above the limit are left out. */
export function countShelf(shelves: { name: string; count: number }[], name: string): void {
  const known = shelves.find((shelf) => shelf.name === name)
  if (known) known.count += 1
  else if (name !== '' && shelves.length < shelvesMax) shelves.push({ name, count: 1 })
}

/**
 * Also returns the shelf if the member has to say what it means. A row that makes the format throw is unreadable. Converting a long text of
 * HTML can take three milliseconds: a caller with many rows yields to the event loop by time, not by number.
 */
export function readRecord(
  service: ImportService,
  row: FileRecord,
  options: ImportOptions,
): { record: LineRecord; shelf: string } {
  try {
    const cells = cellsOf(row, options)
    return { record: parse(service, cells), shelf: unknownShelfOf(service, cells) }
  } catch {
    return { record: unreadable, shelf: '' }
  }
}

function parse(service: ImportService, cells: Cells): LineRecord {
  const parsed = formats[service].parse(cells)
  if (parsed.type !== 'title') return parsed
  const noticed = cells.get(notesColumn)
  parsed.title.notes = [...cells.notes, ...(noticed === '' ? [] : noticed.split('\n'))]
  return service === 'medley' ? parsed : ofWholeTitle(parsed, cells.notes)
}

/** A row about a part of a show is left out. */
function ofWholeTitle(parsed: Extract<LineRecord, { type: 'title' }>, notes: readonly string[]): LineRecord {
  const { title, notKept = [] } = parsed
  const part = partInName(title.name, title.kind, true)
  if (part) return { type: 'notKept', what: part }
  const named = splitYear(title.name, title.kind)
  if (named && (title.year ?? named.year) === named.year) {
    title.otherNames = [...title.otherNames, title.name]
    Object.assign(title, named)
  }
  const lost = lostValues.filter(([, codes]) => notes.some((note) => hasCode(note, ...codes)))
  const all = [...notKept, ...lost.map(([what]) => what)]
  return { type: 'title', title, ...(all.length > 0 && { notKept: all }) }
}

const lostValues = [
  ['unreadable dates', ['notADate']],
  ['unreadable ISBNs', ['isbnLost', 'isbnWrong', 'isbnNone']],
] as const
