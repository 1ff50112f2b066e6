import type { ImportOptions } from '#shared/imports.ts'
import type { ImportService } from '#shared/import-formats.ts'
import { csv } from './csv.ts'
import { cellsOf, type Format } from './format.ts'
import { goodreads } from './goodreads.ts'
import { igdb } from './igdb.ts'
import { imdb } from './imdb.ts'
import { letterboxd } from './letterboxd.ts'
import { medley } from './medley.ts'
import { neodb } from './neodb.ts'
import type { FileRecord, Parsed } from './parsed.ts'
import { notesColumn } from './values.ts'
import { storygraph } from './storygraph.ts'
import { tmdb } from './tmdb.ts'
import { trakt } from './trakt.ts'

/** The formats by service. */
export const formats: Record<ImportService, Format> = {
  letterboxd,
  goodreads,
  storygraph,
  imdb,
  trakt,
  tmdb,
  igdb,
  neodb,
  medley,
  csv,
}

/**
 * Returns what a record means under the options of the import. Converting a long text of HTML can take three milliseconds:
 * a caller with many records yields to the event loop by time, not by number.
 */
export function parseRecord(service: ImportService, record: FileRecord, options: ImportOptions): Parsed {
  const cells = cellsOf(record, options)
  const parsed = formats[service].parse(cells)
  const noticed = cells.get(notesColumn)
  if (parsed.type === 'title')
    parsed.title.notes = [...cells.notes, ...(noticed === '' ? [] : noticed.split('\n'))]
  return parsed
}
