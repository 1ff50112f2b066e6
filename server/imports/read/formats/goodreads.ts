import { searchText } from '#server/db/fold.ts'
import type { Format } from './format.ts'
import { listItemOf, titleOf } from './records.ts'
import { namesOf, readsOf } from './values.ts'

/** The form that Goodreads imports has no ids of its own. */
const uploadColumns = ['title', 'my rating', 'date read']

export const goodreads: Format = {
  isHeader: (columns) =>
    columns.has('exclusive shelf') &&
    (columns.has('book id') || uploadColumns.every((column) => columns.has(column))),
  columns: [
    ...'book id,title,author,additional authors,isbn,isbn13,my rating,year published'.split(','),
    ...'original publication year,date read,date added,bookshelves,bookshelves with positions'.split(','),
    ...'exclusive shelf,my review,spoiler,private notes,read count,owned copies'.split(','),
  ],
  shelfOf: ({ get }) => get('exclusive shelf'),
  parse({ record, options, get, line, year, date, day, isYes, text, isbn, rating, status: statusOf }) {
    const bookId = line('book id', 40)
    const [finishedOn, addedOn] = [day('date read'), date('date added')]
    const shelf = get('exclusive shelf')
    const status = statusOf(shelf)

    const authors = [...namesOf(get('author'), '\n'), ...namesOf(get('additional authors'))]
    const isbn13 = isbn(get('isbn13'), get('isbn'))
    const book = bookId || isbn13 || searchText(line('title'), authors[0] ?? '').slice(0, 100)

    // Goodreads has one date for all reads: the last one’s. The origin counts them, so that a later date changes the same entry. Without
    // the ids of Goodreads, it only keeps the earlier ones apart.
    const total = status === 'finished' ? readsOf(get('read count')) : 1
    const entries = Array.from({ length: total }, (_, index) => ({
      status,
      finishedOn: index === total - 1 ? finishedOn : null,
      isAgain: index > 0,
      text: index === total - 1 ? text('private notes') : '',
      origin: bookId === '' && index === total - 1 ? null : `goodreads:${book}:${index + 1}`,
      addedOn,
    }))
    const shelves = namesOf(get('bookshelves')).filter((each) => each !== shelf)
    const name = line('title')
    return titleOf({
      kind: 'book',
      // `Dune (Dune, #1)`
      name: name.replace(/\s*\([^()]*#[^()]*\)\s*$/, '') || name,
      year: year('original publication year') ?? year('year published'),
      authors: [...new Set(authors)].slice(0, 10),
      ids: [
        ['isbn13', isbn13],
        ['goodreads', bookId],
      ],
      rating: rating('my rating', { min: 1, max: 5 }),
      review: text('my review', 'html'),
      hasSpoilers: isYes('spoiler'),
      entries,
      listItems: options.shelfLists
        ? shelves.map((name) => listItemOf({ key: name, name, position: positionOn(name), addedOn }))
        : [],
      notKept: [
        shelves.length > 0 && !options.shelfLists && 'shelves',
        Number(get('owned copies')) > 0 && 'owned copies',
      ],
    })

    /** `favorites (#3), slow (#1)` */
    function positionOn(shelf: string): number {
      const places = get('bookshelves with positions').slice(0, 4_000).split(',', 50)
      const place = places.find((each) => each.replace(/ \(#\d+\)$/, '').trim() === shelf)
      return Number(/#(\d{1,6})\)$/.exec(place ?? '')?.[1]) || record.line
    }
  },
}
