import type { Format } from './format.ts'
import { titleOf } from './records.ts'
import { imdbIdOf, kindOf } from './values.ts'

/** The watchlist and other lists have the same columns; the member can say what the list is. */
const list = 'IMDb list'
const shelfOf: Format['shelfOf'] = ({ get }) => (get('position') === '' ? '' : list)

export const imdb: Format = {
  isHeader: (columns) => columns.has('const') && columns.has('title') && columns.has('title type'),
  columns: [
    ...'const,title,original title,title type,year,your rating,you rated,date rated'.split(','),
    ...'position,created,description'.split(','),
  ],
  defaultShelves: { [list]: 'want' },
  shelfOf,
  parse(cells) {
    const { get, line, rating } = cells
    const type = get('title type')
    if (/episode/i.test(type)) return { type: 'notKept', what: 'episodes' }
    if (/podcast/i.test(type)) return { type: 'notKept', what: 'podcasts' }
    const id = imdbIdOf(get('const'))
    const [name, original] = [line('title'), line('original title')]
    const entry = { text: cells.text('description'), origin: id && `imdb:list:${id}` }
    return titleOf({
      kind: kindOf(type) ?? 'movie',
      name,
      otherNames: original === '' || original === name ? [] : [original],
      year: cells.year('year'),
      ids: [['imdb', id]],
      rating: rating(get('your rating') === '' ? 'you rated' : 'your rating', { min: 1, max: 10 }),
      ratedOn: cells.date('date rated'),
      entries: [{ ...entry, status: cells.status(shelfOf(cells)), addedOn: cells.day('created') }],
    })
  },
}
