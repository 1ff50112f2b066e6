import type { ImportOptions, ImportService } from '#shared/imports.ts'
import { csv } from './csv.ts'
import { goodreads } from './goodreads.ts'
import { igdb } from './igdb.ts'
import { imdb } from './imdb.ts'
import { letterboxd } from './letterboxd.ts'
import { medley } from './medley.ts'
import { neodb } from './neodb.ts'
import type { Format, Interpreted, RawRow } from './reading.ts'
import { storygraph } from './storygraph.ts'
import { tmdb } from './tmdb.ts'
import { trakt } from './trakt.ts'
import { cell, notesColumn } from './values.ts'

/** The formats by service. A CSV file is of the first one that knows its columns; `csv` is the last. */
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
export function interpret(service: ImportService, row: RawRow, options: ImportOptions): Interpreted {
  const interpreted = formats[service].interpret(row, options)
  const noticed = cell(row, notesColumn)
  if (interpreted.type === 'title' && noticed !== '') interpreted.reading.notes.push(...noticed.split('\n'))
  return interpreted
}
