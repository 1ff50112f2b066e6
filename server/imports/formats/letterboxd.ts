import type { Format, RawRow, ReadingEntry } from './reading.ts'
import type { ImportOptions } from '#shared/imports.ts'
import { fold, searchText } from '#server/db/fold.ts'
import {
  cell,
  dateOf,
  dayOf,
  entryOf,
  lineOf,
  noName,
  ratingOf,
  readingOf,
  statusOf,
  textOf,
  yearOf,
} from './values.ts'

// The address of a film differs from those of its diary entries and reviews, so lines are joined by name and year. Of films
// that share both, each address is a title of its own, and the member says which one is meant.

/** The name that the films of a file get if the file does not say whether they were watched or are wanted. */
const unknownList = 'Films of this file'

/** Returns the name that a CSV file has in the zip, by its columns; for a file that was uploaded alone. */
export function letterboxdFileOf(columns: ReadonlySet<string>): string {
  if (columns.has('review')) return 'reviews.csv'
  if (columns.has('rewatch')) return 'diary.csv'
  return columns.has('rating') ? 'ratings.csv' : 'films.csv'
}

const columns = [
  'name',
  'year',
  'letterboxd uri',
  'date',
  'watched date',
  'rating',
  'rewatch',
  'tags',
  'review',
  // Lists, comments and likes.
  'position',
  'url',
  'description',
  'content',
  'comment',
  // One of the favorites of the profile; set by the reader, which looks up name and year.
  'favorite',
  // Set by the reader if the file has several films of this name and year.
  'namesake',
]

/** The files whose addresses are those of films. */
export const letterboxdFilmFiles = /^(watched|ratings|watchlist|films|likes\/films)\.csv$/

/** Collects the films that share their name and year with another one, by `filmKeyOf`, from the lines of `letterboxdFilmFiles`. */
export function collectNamesakes() {
  const addresses = new Map<string, string>()
  const namesakes = new Set<string>()
  return {
    namesakes: namesakes as ReadonlySet<string>,
    see({ raw }: RawRow): void {
      const address = (raw['letterboxd uri'] ?? '').trim()
      const id = shortIdOf(address)
      if (id === null) return
      const film = filmKeyOf(raw)
      // Addresses of two forms may be of one film.
      const key = `${film}|${address.slice(0, address.lastIndexOf(id))}`
      const known = addresses.get(key)
      if (known === undefined) addresses.set(key, id)
      else if (known !== id) namesakes.add(film)
    },
  }
}

/** Returns a key that is equal for the lines of films of the same name and year. */
export function filmKeyOf(raw: RawRow['raw']): string {
  const name = lineOf(raw['name'] ?? '')
  return `${searchText(name) || fold(name).trim()}|${yearOf(raw['year'] ?? '') ?? ''}`
}

const shortIdOf = (address: string) => /\/([\w-]{1,40})\/?$/.exec(address)?.[1] ?? null

/** What the files of other names have. */
const notKept: [RegExp, string][] = [
  [/^deleted\//, 'deleted entries'],
  [/^comments\.csv$/, 'comments'],
  [/^likes\/(?!films\.csv$)/, 'likes of reviews and lists'],
]

function interpret(row: RawRow, options: ImportOptions): ReturnType<Format['interpret']> {
  const file = row.file.replace(/^orphaned\//, '')
  const what = notKept.find(([pattern]) => pattern.test(file))?.[1]
  if (what) return { type: 'notKept', what }
  if (file.startsWith('lists/'))
    return { type: 'notKept', what: cell(row, 'position') === '' ? 'lists' : 'places in lists' }
  if (file === 'likes/films.csv' && !options.likes) return { type: 'notKept', what: 'likes' }

  const name = lineOf(cell(row, 'name'))
  if (name === '') return file === 'profile.csv' ? { type: 'notKept', what: 'favorites' } : noName
  const notes: string[] = []
  if (cell(row, 'namesake') !== '') notes.push('The file has several films of this name and year.')
  const id = shortIdOf(cell(row, 'letterboxd uri'))
  const addedOn = dateOf(cell(row, 'date'), notes)
  const entry = entryFrom(row, file, { id, addedOn, options, notes })
  const given = ratingOf(cell(row, 'rating'), { min: 0.5, max: 5 }, notes)
  const isOfTitle = file === 'ratings.csv'
  const review = file === 'reviews.csv' ? textOf(cell(row, 'review'), notes, { isHtml: true }) : ''
  return {
    type: 'title',
    reading: readingOf({
      kind: 'movie',
      name,
      year: yearOf(cell(row, 'year')),
      ids: id === null ? [] : [{ source: 'letterboxd', id }],
      rating: given === null ? null : { given, on: addedOn, isOfTitle },
      review:
        review === ''
          ? null
          : {
              text: review,
              // The only sign of spoilers in the export.
              hasSpoilers: review.startsWith('This review may contain spoilers.'),
              on: addedOn,
            },
      entries: entry ? [{ ...entry, ratingGiven: isOfTitle ? null : given }] : [],
      isFavorite: file === 'profile.csv' || file === 'likes/films.csv',
      ...(file === 'likes/films.csv' && addedOn !== null && { favoriteOn: addedOn }),
      notes,
      ...(cell(row, 'namesake') !== '' && { isNamesake: true as const }),
    }),
    ...(cell(row, 'tags') !== '' && { notKept: ['tags'] }),
  }
}

function entryFrom(
  row: RawRow,
  file: string,
  given: { id: string | null; addedOn: string | null; options: ImportOptions; notes: string[] },
): ReadingEntry | null {
  const { id, addedOn, options, notes } = given
  const origin = (what: string) => (id === null ? null : `letterboxd:${what}:${id}`)
  switch (file) {
    case 'watchlist.csv':
      return entryOf({ status: 'want', addedOn, origin: origin('want') })
    case 'watched.csv':
      return entryOf({ status: 'finished', addedOn, origin: origin('film'), isImplied: true })
    case 'films.csv': {
      const status = statusOf(unknownList, options, notes)
      if (status === null) return null
      const isImplied = status === 'finished' ? { isImplied: true as const } : {}
      return entryOf({ status, addedOn, origin: origin(status === 'want' ? 'want' : 'film'), ...isImplied })
    }
    case 'diary.csv':
    case 'reviews.csv': {
      const finishedOn = dayOf(dateOf(cell(row, 'watched date'), notes))
      return entryOf({
        status: 'finished',
        finishedOn,
        isAgain: /^(yes|true)$/i.test(cell(row, 'rewatch')),
        addedOn,
        origin: origin('entry'),
        // A review without a date of watching is no entry of the diary at Letterboxd.
        ...(finishedOn === null && { isImplied: true as const }),
      })
    }
    default:
      return null
  }
}

export const letterboxd: Format = {
  isHeader: (given) => given.has('letterboxd uri') && given.has('name'),
  columns,
  shelfOf: (row) => (row.file === 'films.csv' ? unknownList : ''),
  interpret,
}
