import type { ImportOptions } from '#shared/imports.ts'
import type { FileRecord } from './parsed.ts'
import * as values from './values.ts'

/** Returns functions that read the cells of a record. What they correct or leave out becomes one of `notes`, which its title gets. */
export function cellsOf(record: FileRecord, options: ImportOptions) {
  const notes: string[] = []
  const get = (column: string) => (Object.hasOwn(record.raw, column) ? record.raw[column]!.trim() : '')
  const date = (column: string) => values.dateOf(get(column), notes, options.dates)
  return {
    record,
    options,
    notes,
    /** Returns a cell without surrounding white space; blank if the record has no such column. */
    get,
    date,
    line: (column: string, max?: number) => values.lineOf(get(column), max),
    day: (column: string) => values.dayOf(date(column)),
    year: (column: string) => values.yearOf(get(column)),
    text: (column: string, form: { isHtml: boolean } = { isHtml: false }) =>
      values.textOf(get(column), notes, form),
    rating: (column: string, scale: values.Scale) => values.ratingOf(get(column), scale, notes),
    isbn: (...given: string[]) => values.isbnOf(given, notes),
    status: (shelf: string) => values.statusOf(shelf, options, notes),
  }
}

export type Cells = ReturnType<typeof cellsOf>
