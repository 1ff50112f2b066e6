import { csvFields, type CsvField, type ImportOptions } from '#shared/imports.ts'
import type { Kind } from '#shared/media.ts'
import { diaryDateMin } from '#shared/limits.ts'
import { fold } from '#server/db/fold.ts'
import type { Cells, Format } from './format.ts'
import { authorsOf, partInName, partOfRow } from './names.ts'
import { listItemOf, titleOf } from './parsed.ts'
import * as values from './values.ts'

/** The words of a column, as in `date finished`. */
const wordsOf = (column: string) =>
  fold(column.slice(0, 200))
    .replace(/[^\p{L}\p{Nd}]+/gu, ' ')
    .trim()

/** The names of columns that hold a field, the likeliest first. */
const guesses: Record<CsvField, RegExp[]> = {
  name: [
    /^(title|name)$/,
    /^(film|movie|book|game|show|series|media|item|primary) ?(title|name)$/,
    /^(original|full) title$/,
    /^(film|movie|book|game|show|series)$/,
  ],
  year: [
    /^(release |released? |original |publication )*year( released| published| of release)?$/,
    /^(release|published?|publication) date$/,
    /^released?$/,
  ],
  authors: [/^(authors?( text| names?)?|writers?|author l f)$/],
  kind: [/^(media |title |item )?(type|kind|category)$/, /^media$/],
  imdb: [/^(imdb ?(id|url|link)?|const|(imdb )?tconst)$/],
  tmdb: [/^(tmdb|themoviedb) ?(id)?$/],
  isbn: [/^isbn ?13$/, /^isbn$/, /^isbn ?10$/],
  igdb: [/^igdb ?(id)?$/],
  rating: [
    /^(my|your|user|personal|own) ?(rating|score|stars|grade|review score)$/,
    /^(you rated|rating|score|stars|grade)$/,
    /^(star|user) rating$/,
    /^review score$/,
    /^rating\b/,
  ],
  ratedOn: [/^(date rated|rated (on|at|date)|rating date)$/],
  review: [/^(my |your |user )?review( text| content)?$/, /^(notes?|comments?|thoughts)$/, /^review notes$/],
  status: [
    /^(read |watch |play |my |reading |watching )?status$/,
    /^(exclusive )?(shelf|list)$/,
    /^(shelf name|state)$/,
  ],
  startedOn: [/^(date )?(started|start date|started on|date started|begun|start)$/],
  finishedOn: [
    /^(watched|seen|read|played|finished|completed|viewed) ?(on|date|at)$/,
    /^(date|last) (watched|seen|read|played|finished|completed|viewed|date read)$/,
    /^(finish|end|completion|stopped) ?date$/,
    /^(watched|finished|completed) ?(at|on)?$/,
    /^date$/,
  ],
  list: [/^list (name|title)$/, /^lists$/],
}

/** Returns the columns that probably hold each field. */
function guessColumns(columns: readonly string[]): ImportOptions['columns'] {
  const words = new Map(columns.map((column) => [column, wordsOf(column)]))
  const guessed: ImportOptions['columns'] = {}
  for (const field of csvFields) {
    const found = guesses[field].flatMap((pattern) => [...words].filter(([, each]) => pattern.test(each)))[0]
    if (!found) continue
    guessed[field] = found[0]
    words.delete(found[0])
  }
  return guessed
}

/** Returns the kind of the titles of a file, by its columns. */
function guessKind(columns: readonly string[]): Kind {
  const words = ` ${columns.map(wordsOf).join(' ')} `
  if (/ (isbn|isbn13|author|authors|pages|publisher) /.test(words)) return 'book'
  if (/ (igdb|platform|platforms|played|playing|game|games|playtime) /.test(words)) return 'game'
  return / (show|shows|episode|episodes|season|seasons|tvdb) /.test(words) ? 'tvShow' : 'movie'
}

/** Collects what the records of a file say about its options: the scale of ratings. */
function guessOptions(names: readonly string[]): ReturnType<NonNullable<Format['guessOptions']>> {
  const columns = guessColumns(names)
  let highest = 0
  return {
    columns,
    see({ get }) {
      const [value = '', scale] = valueOf(get, columns.rating).replace(',', '.').split('/', 2)
      const number = scale === undefined && /^\d{1,3}(\.\d+)?$/.test(value.trim()) ? Number(value) : 0
      if (number <= 100) highest = Math.max(highest, number)
    },
    options(): Partial<ImportOptions> {
      const scale = [5, 10, 20].find((max) => highest <= max) ?? 100
      return { columns, kind: guessKind(names), scale }
    },
  }
}

/** Returns a cell without the apostrophe with which spreadsheets, and Medley's own CSV, mark a cell that is no formula. */
function valueOf(get: Cells['get'], column: string | undefined): string {
  return column === undefined ? '' : get(column).replace(/^'(?=[=+\-@'\t\r])/, '')
}

/** A rating with its scale, as in `7/10`, which wins over the scale of the file. */
function ratingWithScale(value: string, scale: number, notes: string[]): string | null {
  const own = /^([\d.,]{1,8}) ?\/ ?(5|10|20|100)$/.exec(value)
  return values.ratingOf(own?.[1] ?? value, { max: Number(own?.[2] ?? scale) }, notes)
}

export const csv: Format = {
  isHeader: (columns) => guessColumns([...columns]).name !== undefined,
  guessOptions,
  shelfOf: ({ get, options }) => valueOf(get, options.columns.status),
  parse({ record, options, notes, status, isbn, ...cells }) {
    const get = (field: CsvField) => valueOf(cells.get, options.columns[field])
    const known = values.kindOf(get('kind'))
    const kind = known ?? options.kind
    const name = values.plainLineOf(get('name'))
    const part = partOfRow(record.raw, get('kind'), kind) ?? partInName(name, kind, known !== undefined)
    if (part) return { type: 'notKept', what: part }
    const isbn13 = kind === 'book' ? isbn(get('isbn')) : null
    if (kind === 'book' && isbn13 === null && get('isbn') !== '' && !notes.some((note) => /ISBN/.test(note)))
      notes.push(`“${values.lineOf(get('isbn'), 40)}” is not an ISBN.`)
    const date = (field: CsvField) => values.dateOf(get(field), notes, options.dates)
    const tmdb = values.numberIdOf(get('tmdb'))
    const rating = ratingWithScale(get('rating'), options.scale, notes)
    const [startedOn, finishedOn] = [values.dayOf(date('startedOn')), values.dayOf(date('finishedOn'))]
    const byDate = finishedOn !== null ? 'finished' : startedOn !== null ? 'started' : null
    const year = get('year')
    const list = values.plainLineOf(get('list'))
    const written = values.textOf(get('review'), notes)
    // Beside a list, a text without a rating is a note there.
    const isNote = list !== '' && rating === null
    const item = { key: list, name: list, position: record.line, note: isNote ? written : '' }
    return titleOf({
      kind,
      name,
      // Years before those of dates are only recognized alone.
      year:
        values.yearOf(values.dateOf(year, []) ?? year) ??
        (/^\d{3,4}$/.test(year) && year < diaryDateMin ? Number(year) : null),
      authors: authorsOf(values.textOf(get('authors'), [])),
      ids: [
        ['imdb', values.imdbIdOf(get('imdb'))],
        ['tmdb-movie', tmdb],
        ['tmdb-tv', tmdb],
        ['isbn13', isbn13],
        ['igdb', values.numberIdOf(get('igdb'))],
      ],
      rating,
      ratedOn: date('ratedOn'),
      review: isNote ? '' : written,
      entries: [{ status: get('status') === '' ? byDate : status(get('status')), startedOn, finishedOn }],
      listItems: list === '' ? [] : [listItemOf(item)],
    })
  },
}
