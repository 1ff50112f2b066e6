import type { ImportOptions, UnclearOption } from '#shared/contracts/imports.ts'
import type { FileRecord, LineRecord, Records, Row } from './records.ts'
import type { JsonValue } from './read-json.ts'
import type { Zip } from './read-zip.ts'
import * as values from './values.ts'

/**
 * Of a zip, or one file with an empty name. `count` counts a record, even a blank one, and throws BAD_REQUEST above the limit; `refuse`
 * throws BAD_REQUEST if so many titles are read.
 */
export type Files = {
  isZip: boolean
  names: string[]
  read: (file: string) => Promise<Buffer>
  count: () => void
  refuse: (titles: number) => void
}

export type Format = {
  /** `columns` are folded. Of several rows that may be the header, the highest number is. */
  isHeader?: (columns: ReadonlySet<string>) => boolean | number
  /** By the names of its files, or the beginning of one. */
  isZip?: (zip: Zip) => boolean | Promise<boolean>
  /** `head` is the beginning as text. */
  isJson?: (head: string, bytes: Buffer) => boolean
  isXml?: (head: string) => boolean
  /** Quotes are part of the cells, as where no cell has a delimiter. */
  isUnquoted?: true
  columns?: readonly string[]
  /** Without one of them the file is read, and a line says what it lacks. */
  requiredColumns?: readonly string[]
  /** The rows of a table that an item of a JSON file stands for. */
  rowsOf?: (item: JsonValue) => readonly Row[]
  /** The items of a JSON file are the values of an object, not of its lists. */
  isKeyed?: true
  /** By default the rows of the tables, and of the JSON files. */
  records?: (files: Files) => Records
  guessOptions?: (columns: readonly string[]) => {
    columns: ImportOptions['columns']
    see: (cells: Cells) => void
    options: () => Partial<ImportOptions>
    unclear: () => UnclearOption[]
  }
  shelfOf?: (cells: Cells) => string
  defaultShelves?: ImportOptions['shelves']
  parse: (cells: Cells) => LineRecord
}

/** What they correct or leave out becomes one of `notes`. */
export function cellsOf(record: FileRecord, options: ImportOptions) {
  const notes: string[] = []
  const get = (column: string) => (Object.hasOwn(record.raw, column) ? record.raw[column]!.trim() : '')
  const date = (column: string) => values.dateOf(get(column), notes, options.dates)
  return {
    record,
    options,
    notes,
    /** Without surrounding white space; blank if there is no such column. */
    get,
    date,
    line: (column: string, max?: number) => values.plainLineOf(get(column), { max }),
    day: (column: string) => values.dayOf(date(column)),
    isYes: (column: string) => /^(true|yes|1|x|✓)$/i.test(get(column)),
    year: (column: string) => values.yearOf(get(column)),
    text: (column: string, form?: values.TextForm) => values.textOf(get(column), notes, form),
    rating: (column: string, scale: values.Scale) => values.ratingOf(get(column), scale, notes),
    isbn: (...given: string[]) => values.isbnOf(given, notes),
    status: (shelf: string) => values.statusOf(shelf, options, notes),
  }
}

export type Cells = ReturnType<typeof cellsOf>
