import type { DiaryStatus } from '#shared/domain/kinds.ts'
import { isBefore } from '#server/diary/rules.ts'
import type { Format } from './format.ts'
import { authorsOf } from './names.ts'
import { listItemOf, type MaybeEntry, type Row, titleOf } from './records.ts'
import { textAt, valueAt } from './rows.ts'
import { knownStatus, namesOf } from './values.ts'

/** Of a new library. Some only say that the member owns the book. */
const collectionStatuses: Readonly<Record<string, DiaryStatus | 'owned'>> = {
  'currently reading': 'started',
  'to read': 'want',
  wishlist: 'want',
  'read but unowned': 'finished',
  'your library': 'owned',
}

const columns = [
  ...'book id,title,primary author,secondary author,date,publication,media,isbn,isbns,rating'.split(','),
  ...'review,comment,private comment,collections,tags,date started,date read,entry date,copies'.split(','),
]

/** A list, an object whose keys are numbers, or one value. */
function valuesAt(item: object, path: string): string {
  const value = valueAt(item, path)
  if (typeof value !== 'object' || value === null) return textAt(item, path)
  const all = Object.values(value).slice(0, 100)
  return all.filter((each) => ['string', 'number'].includes(typeof each)).join(', ')
}

/** As in a row of the tab-delimited text. */
function rowOf(item: object): Row {
  const authors = Array.from({ length: 10 }, (_, at) => textAt(item, `authors.${at}.lf`, 200))
  return {
    'book id': textAt(item, 'books_id'),
    title: textAt(item, 'title'),
    'primary author': textAt(item, 'primaryauthor') || authors[0]!,
    'secondary author': textAt(item, 'secondaryauthor') || authors.slice(1).filter(Boolean).join('; '),
    date: textAt(item, 'date'),
    publication: textAt(item, 'publication'),
    media: textAt(item, 'format.0.text') || textAt(item, 'media'),
    isbn: valuesAt(item, 'originalisbn'),
    isbns: [valuesAt(item, 'isbn'), valuesAt(item, 'ean')].filter(Boolean).join(', '),
    rating: textAt(item, 'rating'),
    review: textAt(item, 'review'),
    comment: textAt(item, 'comment'),
    'private comment': textAt(item, 'privatecomment'),
    collections: valuesAt(item, 'collections'),
    tags: valuesAt(item, 'tags'),
    'date started': valuesAt(item, 'datestarted'),
    'date read': valuesAt(item, 'dateread'),
    'entry date': textAt(item, 'entrydate'),
  }
}

const isJson = (head: string) => head.startsWith('{') && /"books_id"\s*:/.test(head)

export const librarything: Format = {
  isHeader: (header) => header.has('book id') && header.has('primary author'),
  isUnquoted: true,
  isJson,
  columns,
  requiredColumns: ['title', 'rating', 'collections'],
  isKeyed: true,
  rowsOf: ({ value }) => (typeof value === 'object' && value !== null ? [rowOf(value)] : []),
  parse({ record, options, get, line, year, date, day, text, isbn, rating }) {
    if (/video|dvd|blu-?ray/i.test(get('media'))) return { type: 'notKept', what: 'other media' }
    const bookId = line('book id', 40)
    const collections = namesOf(get('collections'))
    const statusOf = (name: string) => collectionStatuses[name.toLowerCase()] ?? knownStatus(name)
    const statuses = new Set(collections.map(statusOf))
    const others = collections.filter((name) => statusOf(name) === undefined)
    const [startedOn, finishedOn, addedOn] = [day('date started'), day('date read'), date('entry date')]
    const note = [text('comment'), text('private comment')].filter(Boolean).join('\n\n')

    // Who started a book after reading it reads it again.
    const isAgain = finishedOn !== null && startedOn !== null && isBefore(finishedOn, startedOn)
    const entries: MaybeEntry[] = []
    if (finishedOn !== null || statuses.has('finished'))
      entries.push({ status: 'finished', startedOn: isAgain ? null : startedOn, finishedOn })
    const open = (['started', 'paused', 'dropped', 'want'] as const).find((status) => statuses.has(status))
    const isStarted = startedOn !== null && (isAgain || entries.length === 0)
    const next = isStarted && (open ?? 'want') === 'want' ? 'started' : open
    if (next)
      entries.push({ status: next, startedOn: isStarted ? startedOn : null, isAgain: entries.length > 0 })
    return titleOf({
      kind: 'book',
      name: line('title'),
      year: year('date') ?? year('publication'),
      authors: [...authorsOf(get('primary author')), ...authorsOf(get('secondary author'))].slice(0, 10),
      ids: [
        ['isbn13', isbn(get('isbns'), get('isbn'))],
        ['librarything', bookId],
      ],
      rating: rating('rating', { min: 0.5, max: 5 }),
      review: text('review'),
      entries: entries.map((entry, at) => ({
        ...entry,
        text: at === 0 ? note : '',
        origin: bookId === '' ? null : `librarything:${bookId}:${entry.status}`,
        addedOn,
      })),
      listItems: options.shelfLists
        ? others.map((name) => listItemOf({ key: name, name, position: record.line, addedOn }))
        : [],
      notKept: [
        others.length > 0 && !options.shelfLists && 'shelves',
        get('tags') !== '' && 'tags',
        note !== '' && entries.length === 0 && 'comments',
        statuses.has('owned') && 'owned copies',
      ],
    })
  },
}
