import type { Format } from './format.ts'
import { cell, listItemOf, namesOf, readsOf, titleOf } from './values.ts'

/** Removes the series, as in `Dune (Dune, #1)`. */
function withoutSeries(name: string): string {
  return name.replace(/\s*\([^()]*#[^()]*\)\s*$/, '') || name
}

export const goodreads: Format = {
  isHeader: (columns) => columns.has('book id') && columns.has('exclusive shelf'),
  columns: [
    'book id',
    'title',
    'author',
    'additional authors',
    'isbn',
    'isbn13',
    'my rating',
    'year published',
    'original publication year',
    'date read',
    'date added',
    'bookshelves',
    'bookshelves with positions',
    'exclusive shelf',
    'my review',
    'spoiler',
    'private notes',
    'read count',
    'owned copies',
  ],
  shelfOf: (record) => cell(record, 'exclusive shelf'),
  parse(cells) {
    const { record, options, get, line, year } = cells
    const bookId = line('book id', 40)
    const isbn13 = cells.isbn('isbn13', 'isbn')
    const finishedOn = cells.day('date read')
    const addedOn = cells.date('date added')
    const shelf = get('exclusive shelf')
    const status = cells.status(shelf)
    const given = cells.rating('my rating', { min: 1, max: 5 })
    const privateNotes = cells.text('private notes')

    // Goodreads has one date for all reads: that of the last one. The origin counts them, so that a date that is added or
    // corrected later changes the same entry.
    const total = status === 'finished' ? readsOf(get('read count')) : 1
    const entries = Array.from({ length: total }, (_, index) => ({
      status,
      finishedOn: index === total - 1 ? finishedOn : null,
      isAgain: index > 0,
      text: index === total - 1 ? privateNotes : '',
      origin: bookId === '' ? null : `goodreads:${bookId}:${index + 1}`,
      addedOn,
    }))
    const shelves = namesOf(get('bookshelves')).filter((each) => each !== shelf)
    const authors = [...namesOf(get('author'), '\n'), ...namesOf(get('additional authors'))]
    return titleOf({
      kind: 'book',
      name: withoutSeries(line('title')),
      year: year('original publication year') ?? year('year published'),
      authors: [...new Set(authors)].slice(0, 10),
      ids: [
        ['isbn13', isbn13],
        ['goodreads', bookId],
      ],
      rating: given,
      review: cells.text('my review', { isHtml: true }),
      hasSpoilers: /^true$/i.test(get('spoiler')),
      entries,
      listItems: options.shelfLists
        ? shelves.map((name) => listItemOf({ key: name, name, position: positionOn(name), addedOn }))
        : [],
      notKept: [
        shelves.length > 0 && !options.shelfLists && 'shelves',
        Number(get('owned copies')) > 0 && 'owned copies',
      ],
    })

    /** Positions are as in `favorites (#3), slow (#1)`. */
    function positionOn(shelf: string): number {
      const places = get('bookshelves with positions').slice(0, 4_000).split(',', 50)
      const place = places.find((each) => each.replace(/ \(#\d+\)$/, '').trim() === shelf)
      return Number(/#(\d{1,6})\)$/.exec(place ?? '')?.[1]) || record.line
    }
  },
}
