import type { Format } from './reading.ts'
import {
  cell,
  dateOf,
  dayOf,
  entryOf,
  imdbIdOf,
  kindOf,
  lineOf,
  noName,
  ratingOf,
  readingOf,
  statusOf,
  textOf,
  yearOf,
} from './values.ts'

/** The exports of the watchlist and of other lists have the same columns; the member can say what the list is. */
const list = 'IMDb list'
const isOfList = (position: string) => position !== ''

export const imdb: Format = {
  isHeader: (columns) => columns.has('const') && columns.has('title') && columns.has('title type'),
  columns: [
    'const',
    'title',
    'original title',
    'title type',
    'year',
    'your rating',
    'you rated',
    'date rated',
    'position',
    'created',
    'description',
  ],
  defaultShelves: { [list]: 'want' },
  shelfOf: (row) => (isOfList(cell(row, 'position')) ? list : ''),
  interpret(row, options) {
    const name = lineOf(cell(row, 'title'))
    if (name === '') return noName
    const type = cell(row, 'title type')
    if (/episode/i.test(type)) return { type: 'notKept', what: 'episodes' }
    if (/podcast/i.test(type)) return { type: 'notKept', what: 'podcasts' }
    const notes: string[] = []
    const id = imdbIdOf(cell(row, 'const'))
    const original = lineOf(cell(row, 'original title'))
    const given = ratingOf(cell(row, 'your rating') || cell(row, 'you rated'), { min: 1, max: 10 }, notes)
    const status = isOfList(cell(row, 'position')) ? statusOf(list, options, notes) : null
    const createdOn = dateOf(cell(row, 'created'), notes)
    return {
      type: 'title',
      reading: readingOf({
        kind: kindOf(type) ?? 'movie',
        name,
        otherNames: original === '' || original === name ? [] : [original],
        year: yearOf(cell(row, 'year')),
        ids: id === null ? [] : [{ source: 'imdb', id }],
        rating:
          given === null ? null : { given, on: dateOf(cell(row, 'date rated'), notes), isOfTitle: true },
        entries:
          status === null
            ? []
            : [
                entryOf({
                  status,
                  text: textOf(cell(row, 'description'), notes, { isHtml: false }),
                  origin: id === null ? null : `imdb:list:${id}`,
                  addedOn: dayOf(createdOn),
                }),
              ],
        notes,
      }),
    }
  },
}
