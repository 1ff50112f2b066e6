import { searchText } from '#server/db/fold.ts'
import type { Format } from './format.ts'
import { titleOf } from './records.ts'
import { dateOf, dayOf, namesOf, readsMax, readsOf } from './values.ts'

type Read = { startedOn: string | null; finishedOn: string | null }
const undated: Read = { startedOn: null, finishedOn: null }

/** `2022/10/29-2022/11/28, 2021/09/14`, oldest first. A range may lack its start or its end. */
function datedReads(value: string, notes: string[]): Read[] {
  const day = (each: string | undefined) => dayOf(dateOf(each ?? '', notes))
  const reads = value.slice(0, 4_000).split(',', readsMax)
  const lastOf = (read: Read) => read.finishedOn ?? read.startedOn ?? ''
  return reads
    .map((read) => {
      const [start, end] = read.split('-', 2)
      return end === undefined
        ? { ...undated, finishedOn: day(start) }
        : { startedOn: day(start), finishedOn: day(end) }
    })
    .filter((read) => lastOf(read) !== '')
    .sort((a, b) => (lastOf(a) < lastOf(b) ? -1 : lastOf(a) > lastOf(b) ? 1 : 0))
}

export const storygraph: Format = {
  isHeader: (columns) => columns.has('isbn/uid') && columns.has('title'),
  columns: [
    ...'title,authors,isbn/uid,read status,date added,last date read,dates read,read count'.split(','),
    ...'star rating,moods,content warnings,tags,owned?,review'.split(','),
  ],
  shelfOf: ({ get }) => get('read status'),
  parse({ notes, get, line, isbn, rating, text, date, day, isYes, status: statusOf }) {
    const name = line('title')
    const authors = namesOf(get('authors'))
    const uid = line('isbn/uid', 40)
    const addedOn = date('date added')
    const status = statusOf(get('read status'))
    const book = uid || searchText(name, authors[0] ?? '').slice(0, 100)

    const dated = datedReads(get('dates read'), notes)
    const finishedOn = dated.length === 0 ? day('last date read') : null
    if (finishedOn !== null) dated.push({ startedOn: null, finishedOn })
    const total = readsOf(get('read count'), Math.max(1, dated.length))
    // Reads with a date are probably newer.
    const reads =
      status === 'finished'
        ? [...Array.from({ length: total - dated.length }, () => undated), ...dated]
        : [dated.at(-1) ?? undated]
    return titleOf({
      kind: 'book',
      name,
      authors,
      ids: [
        ['isbn13', isbn(get('isbn/uid'))],
        ['storygraph', uid],
      ],
      rating: rating('star rating', { max: 5 }),
      review: text('review', 'html'),
      entries: reads.map((read, index) => ({
        status,
        ...read,
        isAgain: index > 0,
        origin: `storygraph:${book}:${index + 1}`,
        addedOn,
      })),
      notKept: [
        ...['moods', 'content warnings', 'tags'].filter((column) => get(column) !== ''),
        isYes('owned?') && 'owned copies',
      ],
    })
  },
}
