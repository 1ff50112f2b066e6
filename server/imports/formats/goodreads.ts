import { diaryEntriesMax } from '#shared/limits.ts'
import type { Format } from './reading.ts'
import {
  cell,
  dateOf,
  dayOf,
  entryOf,
  isbnOf,
  lineOf,
  namesOf,
  noName,
  ratingOf,
  readingOf,
  statusOf,
  textOf,
  yearOf,
} from './values.ts'

/** The most entries that a number of reads becomes. */
export const readsMax = Math.min(50, diaryEntriesMax)

/** Removes the series, as in `Dune (Dune, #1)`. */
function withoutSeries(name: string): string {
  return name.replace(/\s*\([^()]*#[^()]*\)\s*$/, '') || name
}

const shelfOf: Format['shelfOf'] = (row) => cell(row, 'exclusive shelf')

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
    'exclusive shelf',
    'my review',
    'spoiler',
    'private notes',
    'read count',
    'owned copies',
  ],
  shelfOf,
  interpret(row, options) {
    const name = withoutSeries(lineOf(cell(row, 'title')))
    if (name === '') return noName
    const notes: string[] = []
    const bookId = lineOf(cell(row, 'book id'), 40)
    const isbn = isbnOf([cell(row, 'isbn13'), cell(row, 'isbn')], notes)
    const finishedOn = dayOf(dateOf(cell(row, 'date read'), notes, options.dates))
    const addedOn = dateOf(cell(row, 'date added'), notes, options.dates)
    const given = ratingOf(cell(row, 'my rating'), { min: 1, max: 5 }, notes)
    const review = textOf(cell(row, 'my review'), notes, { isHtml: true })
    const shelf = shelfOf(row, options)
    const status = statusOf(shelf, options, notes)

    // Goodreads has one date for all reads: that of the last one. The origin counts them, so that a date that is added or
    // corrected later changes the same entry.
    const reads = Math.min(readsMax, Math.max(1, Math.trunc(Number(cell(row, 'read count'))) || 1))
    const total = status === null ? 0 : status === 'finished' ? reads : 1
    const privateNotes = textOf(cell(row, 'private notes'), notes, { isHtml: false })
    const entries = Array.from({ length: total }, (_, index) => {
      const isLast = index === total - 1
      return entryOf({
        status: status!,
        finishedOn: isLast && (status === 'finished' || status === 'dropped') ? finishedOn : null,
        isAgain: index > 0,
        text: isLast ? privateNotes : '',
        origin: bookId === '' ? null : `goodreads:${bookId}:${index + 1}`,
        addedOn,
      })
    })
    const otherShelves = namesOf(cell(row, 'bookshelves')).filter((each) => each !== shelf)
    const notKept = [
      ...(otherShelves.length > 0 ? ['shelves'] : []),
      ...(Number(cell(row, 'owned copies')) > 0 ? ['owned copies'] : []),
    ]
    return {
      type: 'title',
      reading: readingOf({
        kind: 'book',
        name,
        year: yearOf(cell(row, 'original publication year')) ?? yearOf(cell(row, 'year published')),
        authors: [
          ...new Set([...namesOf(cell(row, 'author'), '\n'), ...namesOf(cell(row, 'additional authors'))]),
        ].slice(0, 10),
        ids: [
          ...(isbn === null ? [] : [{ source: 'isbn13' as const, id: isbn }]),
          ...(bookId === '' ? [] : [{ source: 'goodreads' as const, id: bookId }]),
        ],
        rating: given === null ? null : { given, on: null, isOfTitle: true },
        review:
          review === ''
            ? null
            : { text: review, hasSpoilers: /^true$/i.test(cell(row, 'spoiler')), on: null },
        entries,
        notes,
      }),
      ...(notKept.length > 0 && { notKept }),
    }
  },
}
