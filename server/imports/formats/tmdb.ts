import type { Format } from './reading.ts'
import {
  cell,
  dateOf,
  entryOf,
  imdbIdOf,
  kindOf,
  lineOf,
  noName,
  numberIdOf,
  ratingOf,
  readingOf,
  statusOf,
  yearOf,
} from './values.ts'

/** The shelf of a file without ratings; the member chooses its status. */
const list = 'TMDB list'

export const tmdb: Format = {
  isHeader: (columns) => columns.has('tmdb id') && columns.has('type') && columns.has('name'),
  columns: [
    'tmdb id',
    'imdb id',
    'type',
    'name',
    'release date',
    'season number',
    'episode number',
    'your rating',
    'date rated',
  ],
  shelfOf: (row) => (cell(row, 'your rating') === '' && cell(row, 'season number') === '' ? list : ''),
  interpret(row, options) {
    const name = lineOf(cell(row, 'name'))
    if (name === '') return noName
    if (cell(row, 'episode number') !== '') return { type: 'notKept', what: 'episodes' }
    if (cell(row, 'season number') !== '') return { type: 'notKept', what: 'seasons' }
    const kind = kindOf(cell(row, 'type'))
    if (kind !== 'movie' && kind !== 'tvShow') return { type: 'notKept', what: 'other media' }
    const notes: string[] = []
    const tmdbId = numberIdOf(cell(row, 'tmdb id'))
    const imdbId = imdbIdOf(cell(row, 'imdb id'))
    const given = ratingOf(cell(row, 'your rating'), { min: 0.5, max: 10 }, notes)
    const isListed = cell(row, 'your rating') === ''
    const status = isListed ? statusOf(list, options, notes) : null
    return {
      type: 'title',
      reading: readingOf({
        kind,
        name,
        year: yearOf(cell(row, 'release date').slice(0, 4)),
        ids: [
          ...(tmdbId === null
            ? []
            : [{ source: kind === 'movie' ? ('tmdb-movie' as const) : ('tmdb-tv' as const), id: tmdbId }]),
          ...(imdbId === null ? [] : [{ source: 'imdb' as const, id: imdbId }]),
        ],
        rating:
          given === null ? null : { given, on: dateOf(cell(row, 'date rated'), notes), isOfTitle: true },
        entries:
          status === null
            ? []
            : [entryOf({ status, origin: tmdbId === null ? null : `tmdb:list:${kind}:${tmdbId}` })],
        notes,
      }),
    }
  },
}
