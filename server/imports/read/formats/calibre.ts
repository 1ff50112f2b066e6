import type { Format } from './format.ts'
import { titleOf } from './records.ts'
import { namesOf } from './values.ts'

/** The member chooses the status: a library says what is owned. */
const list = 'Calibre library'

/** `Ann Hale, Bo Lind`: first names come first. */
const betweenAuthors = /,(?!\s*(?:jr|sr|i{2,3}|iv)\b)|\s&\s/i

export const calibre: Format = {
  isHeader: (columns) => columns.has('author_sort') && columns.has('uuid'),
  columns: 'title,authors,author_sort,rating,comments,isbn,identifiers,tags,timestamp,uuid'.split(','),
  requiredColumns: ['title', 'authors', 'rating'],
  shelfOf: () => list,
  parse({ get, line, date, isbn, rating, status }) {
    const uuid = line('uuid', 60)
    // The other ids have numbers too.
    const identifier = /(?:^|[,\s])isbn:([\dx-]{9,20})/i.exec(get('identifiers').slice(0, 1_000))?.[1] ?? ''
    // `Hale, Ann`, if nothing else is known.
    const sorted = get('authors') === '' ? namesOf(get('author_sort'), '&') : []
    // `pubdate` is the edition's, and `comments` the publisher's description.
    return titleOf({
      kind: 'book',
      name: line('title'),
      authors: [
        ...namesOf(get('authors'), betweenAuthors).map((name) => name.replaceAll('|', ',')),
        ...sorted.map((name) => name.replace(/^([^,]*),\s*(.*)$/, '$2 $1')),
      ],
      ids: [
        ['isbn13', isbn(get('isbn'), identifier)],
        ['calibre', uuid],
      ],
      rating: rating('rating', { min: 0.5, max: 5 }),
      entries: [{ status: status(list), origin: uuid && `calibre:${uuid}`, addedOn: date('timestamp') }],
      notKept: [get('comments') !== '' && 'descriptions', get('tags') !== '' && 'tags'],
    })
  },
}
