import { kinds } from '#shared/domain/kinds.ts'
import type { Format } from './format.ts'
import { titleOf } from './records.ts'
import { imdbIdOf, kindOf, numberIdOf, yearOf } from './values.ts'

/** Of a file without ratings; the member chooses the status. */
const list = 'TMDB list'

export const tmdb: Format = {
  isHeader: (columns) => columns.has('tmdb id') && columns.has('type') && columns.has('name'),
  columns: 'tmdb id,imdb id,type,name,release date,season number,episode number,your rating,date rated'.split(
    ',',
  ),
  shelfOf: ({ get }) => (get('your rating') === '' && get('season number') === '' ? list : ''),
  parse({ get, line, rating, date, status }) {
    if (get('episode number') !== '') return { type: 'notKept', what: 'episodes' }
    if (get('season number') !== '') return { type: 'notKept', what: 'seasons' }
    const kind = kindOf(get('type'))
    if (!kind || !kinds[kind].mediaType) return { type: 'notKept', what: 'other media' }
    const id = numberIdOf(get('tmdb id'))
    const isListed = get('your rating') === ''
    return titleOf({
      kind,
      name: line('name'),
      year: yearOf(get('release date').slice(0, 4)),
      ids: [
        ['tmdb-movie', id],
        ['tmdb-tv', id],
        ['imdb', imdbIdOf(get('imdb id'))],
      ],
      rating: rating('your rating', { min: 0.5, max: 10 }),
      ratedOn: date('date rated'),
      entries: [{ status: isListed ? status(list) : null, origin: id && `tmdb:list:${kind}:${id}` }],
    })
  },
}
