import { hasCode, noteOf } from '#shared/texts/import-notes.ts'
import type { ImportOptions } from '#shared/contracts/imports.ts'
import type { Kind } from '#shared/domain/kinds.ts'
import { diaryDateMin } from '#shared/domain/limits.ts'
import { guessColumns, mayBeOwn } from './columns.ts'
import type { Cells, Format } from './format.ts'
import { authorsOf, partInName, partOfRow } from './names.ts'
import { listItemOf, titleOf } from './records.ts'
import * as values from './values.ts'
import type { CsvField } from '#shared/domain/import-formats.ts'

function guessKind(columns: readonly string[]): Kind {
  const words = ` ${columns.map((column) => column.toLowerCase().replace(/[^a-z0-9]+/g, ' ')).join(' ')} `
  if (/ (isbn|isbn13|author|authors|pages|publisher) /.test(words)) return 'book'
  if (/ (igdb|platform|platforms|played|playing|game|games|playtime) /.test(words)) return 'game'
  return / (show|shows|episode|episodes|season|seasons|tvdb) /.test(words) ? 'tvShow' : 'movie'
}

function guessOptions(names: readonly string[]): ReturnType<NonNullable<Format['guessOptions']>> {
  const { columns, kind = guessKind(names), scale: named } = guessColumns(names)
  let highest = 0
  return {
    columns,
    see({ get }) {
      const [value, scale] = ratingParts(valueOf(get, columns.rating))
      if (scale === undefined && value <= 100) highest = Math.max(highest, value)
    },
    options(): Partial<ImportOptions> {
      return { columns, kind, scale: named ?? [5, 10, 20].find((max) => highest <= max) ?? 100 }
    },
    unclear: () => [
      ...(columns.name === undefined ? (['columns'] as const) : []),
      // Five of five, or of ten; twenty of twenty, or of a hundred.
      ...(named === undefined && highest > 0 && (highest <= 5 || (highest > 10 && highest <= 20))
        ? (['scale'] as const)
        : []),
    ],
  }
}

/** Spreadsheets, and Medley's own CSV, mark a cell that is no formula with an apostrophe. */
function valueOf(get: Cells['get'], column: string | undefined): string {
  return column === undefined ? '' : get(column).replace(/^'(?=[=+\-@'\t\r])/, '')
}

const ratingPattern =
  /^(\d{1,3}(?:[.,]\d{1,20})?)? ?([½¼¾]?) ?(?:(?:\/|out of|of|von|sur|de|su|z) ?(\d{1,3})|(%)|(?:stars?|★|points?|pts?\.?))?$/i

/** NaN if it is none; with a scale in `7/10`, `70%` and `★★★½`. */
function ratingParts(value: string): [number, number | undefined] {
  const [, full = '', half = '', empty = ''] =
    /^((?:★|⭐️?)+)([½⯪✬]?)(☆*)$/u.exec(value.replace(/\s/g, '')) ?? []
  const stars = Array.from(full.replaceAll('\ufe0f', '')).length + (half === '' ? 0 : 0.5)
  // Stars without the missing ones are of five, unless there are more.
  if (stars > 0) return [stars, Math.max(5, Math.ceil(stars) + empty.length) > 5 ? 10 : 5]
  const [, number = '', fraction = '', of = '0', isPercent] = ratingPattern.exec(value) ?? []
  const part = { '½': 0.5, '¼': 0.25, '¾': 0.75 }[fraction] ?? 0
  if (number === '' && part === 0) return [Number.NaN, undefined]
  const scale = isPercent ? 100 : Number(of)
  return [Number(number.replace(',', '.')) + part, scale >= 2 && scale <= 100 ? scale : undefined]
}

function ratingOf(value: string, scale: number, notes: string[]): string | null {
  const [number, own] = ratingParts(value)
  const given = Number.isNaN(number) ? value : String(number)
  return values.ratingOf(given, { max: own ?? scale }, notes)
}

function shelfOf({ get, options }: Pick<Cells, 'get' | 'options'>): string {
  const shelf = values.shelfName(valueOf(get, options.columns.status))
  if (shelf === '' || values.knownStatus(shelf)) return shelf
  const each = shelf.split(/[,;|/]/, 20).map((part) => part.trim())
  return each.find((part) => ![undefined, 'none'].includes(values.knownStatus(part))) ?? shelf
}

/** May be the member's, have a value and are not chosen for a field. */
function leftColumns({ raw }: Cells['record'], { columns }: ImportOptions): string[] {
  const taken = Object.values(columns)
  return Object.keys(raw)
    .filter(
      (name) =>
        mayBeOwn(name) && !taken.includes(name) && name !== values.notesColumn && raw[name]!.trim() !== '',
    )
    .map((name) => `column “${values.lineOf(name, 60)}”`)
}

const ownColumns = ['Title', 'Year', 'Kind', 'Creators', 'TMDB', 'IMDb', 'TVDB', 'ISBN13']
/** The tables of an export of Medley have texts as they are. */
const formOf = ({ raw }: Cells['record']) =>
  ownColumns.every((column) => Object.hasOwn(raw, column)) ? 'plain' : 'guess'

export const csv: Format = {
  isHeader(columns) {
    const guessed = guessColumns([...columns]).columns
    return guessed.name === undefined ? 0 : Object.keys(guessed).length
  },
  guessOptions,
  shelfOf,
  parse(cells) {
    const { record, options, notes, isbn } = cells
    const get = (field: CsvField) => valueOf(cells.get, options.columns[field])
    const form = formOf(record)
    const known = values.kindOf(get('kind'))
    const kind = known ?? options.kind
    const name = values.plainLineOf(get('name'), { form })
    const part = partOfRow(record.raw, get('kind'), kind) ?? partInName(name, kind, known !== undefined)
    if (part) return { type: 'notKept', what: part }
    const isbn13 = kind === 'book' ? isbn(get('isbn')) : null
    if (
      kind === 'book' &&
      isbn13 === null &&
      get('isbn') !== '' &&
      !notes.some((note) => hasCode(note, 'isbnLost', 'isbnWrong'))
    )
      notes.push(noteOf('isbnNone', values.lineOf(get('isbn'), 40)))
    // A column such as `Watched` may say no more than yes or no.
    const said = yesOrNo(get('finishedOn'))
    const date = (field: CsvField) => values.dateOf(get(field), notes, options.dates)
    const tmdb = values.numberIdOf(get('tmdb'))
    const rating = ratingOf(get('rating'), options.scale, notes)
    const startedOn = values.dayOf(date('startedOn'))
    const finishedOn = said !== undefined ? null : values.dayOf(date('finishedOn'))
    const byDate = finishedOn !== null || said === 'yes' ? 'finished' : startedOn !== null ? 'started' : null
    const year = get('year')
    const list = values.plainLineOf(get('list'), { form })
    const shelf = shelfOf(cells)
    const isSilent =
      shelf === '' || (values.knownStatus(shelf) === 'none' && !Object.hasOwn(options.shelves, shelf))
    const review = values.textOf(get('review'), notes, form)
    const note = values.textOf(get('note'), notes, form)
    const status = isSilent ? byDate : cells.status(shelf)
    // Beside a list, a text without a rating is a note there.
    const isOfList = list !== '' && rating === null
    const item = { key: list, name: list, position: record.line, note: isOfList ? review || note : '' }
    const text = isOfList && review === '' ? '' : note
    // A review, or a note about a rating, is of a title that was watched, unless the file has another word for it.
    const isImplied = isSilent && status === null && !isOfList && (rating !== null ? note : review) !== ''
    const entry = {
      status: isImplied ? ('finished' as const) : status,
      startedOn,
      finishedOn,
      text,
      isImplied,
    }
    if (!entry.status && text !== '') notes.push(noteOf('noteOfUnknown'))
    return titleOf({
      kind,
      name,
      // Years before the years of dates are only recognized alone.
      year:
        values.yearOf(values.dateOf(year, []) ?? year) ??
        (/^\d{3,4}$/.test(year) && year < diaryDateMin ? Number(year) : null),
      authors: authorsOf(values.textOf(get('authors'), [], form)),
      ids: [
        ['imdb', values.imdbIdOf(get('imdb'))],
        ['tmdb-movie', tmdb],
        ['tmdb-tv', tmdb],
        ['isbn13', isbn13],
        ['igdb', values.numberIdOf(get('igdb'))],
      ],
      rating,
      ratedOn: date('ratedOn'),
      review: isOfList ? '' : review,
      entries: [entry],
      listItems: list === '' ? [] : [listItemOf(item)],
      notKept: [...leftColumns(record, options), !entry.status && text !== '' && 'notes'],
    })
  },
}

const yesOrNo = (value: string): 'yes' | 'no' | undefined =>
  /^(yes|true|1|x|✓|✔|ja|oui|sí|si|sim|tak|はい)$/i.test(value)
    ? 'yes'
    : /^(no|false|0|nein|non|não|nee|nie|いいえ)$/i.test(value)
      ? 'no'
      : undefined
