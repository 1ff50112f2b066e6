import type { ImportOptions, UnclearOption } from '#shared/contracts/imports.ts'
import type { FileRecord, LineRecord, Records } from './records.ts'
import type { Zip } from './read-zip.ts'
import * as values from './values.ts'

/**
 * The files of an upload: of a zip, or the one file, whose name is empty. `count` counts a record that is read, even a blank one,
 * and throws BAD_REQUEST above the limit; `refuse` throws BAD_REQUEST if so many titles are read.
 */
export type Files = {
  isZip: boolean
  names: string[]
  read: (file: string) => Promise<Buffer>
  count: () => void
  refuse: (titles: number) => void
}

/** A format of import files. */
export type Format = {
  /** Whether a CSV file with these columns, folded, has the format. Of several rows that may be the header, the highest number is. */
  isHeader?: (columns: ReadonlySet<string>) => boolean | number
  /** Whether a zip has the format; for a format that is known by the names of its files. */
  isZip?: (zip: Zip) => boolean | Promise<boolean>
  /** Whether a JSON file has the format. `head` is its beginning as text. */
  isJson?: (head: string, bytes: Buffer) => boolean
  /** Whether quotes in its CSV files are part of the cells, as where no cell has a delimiter. */
  isUnquoted?: true
  /** The columns that are kept, folded; all of them if missing. */
  columns?: readonly string[]
  /** Yields the records of the files; by default the records of its CSV files. */
  records?: (files: Files) => Records
  /** Guesses options from the columns of a file and, as they are read, its records. */
  guessOptions?: (columns: readonly string[]) => {
    columns: ImportOptions['columns']
    see: (cells: Cells) => void
    options: () => Partial<ImportOptions>
    /** The options that the file leaves open. */
    unclear: () => UnclearOption[]
  }
  /** The shelf or status of a record, as the file names it; empty if it has none. */
  shelfOf?: (cells: Cells) => string
  /** What shelves mean if the member says nothing else. */
  defaultShelves?: ImportOptions['shelves']
  /** Returns what a record means under the options of the import. */
  parse: (cells: Cells) => LineRecord
}

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
    line: (column: string, max?: number) => values.plainLineOf(get(column), { max }),
    day: (column: string) => values.dayOf(date(column)),
    year: (column: string) => values.yearOf(get(column)),
    text: (column: string, form?: values.TextForm) => values.textOf(get(column), notes, form),
    rating: (column: string, scale: values.Scale) => values.ratingOf(get(column), scale, notes),
    isbn: (...given: string[]) => values.isbnOf(given, notes),
    status: (shelf: string) => values.statusOf(shelf, options, notes),
  }
}

export type Cells = ReturnType<typeof cellsOf>
