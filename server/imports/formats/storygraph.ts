import { searchText } from '#server/db/fold.ts'
import { readsMax } from './goodreads.ts'
import type { Format, ReadingEntry } from './reading.ts'
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
} from './values.ts'

const shelfOf: Format['shelfOf'] = (row) => cell(row, 'read status')

type Read = { startedOn: string | null; finishedOn: string | null }

/** Reads `2022/10/29-2022/11/28, 2021/09/14`, oldest first. A range may lack its start or its end. */
function readsOf(value: string, notes: string[]): Read[] {
  const day = (each: string | undefined) => dayOf(dateOf(each ?? '', notes))
  const reads = value
    .slice(0, 4_000)
    .split(',', readsMax)
    .map((read) => {
      const [start, end] = read.split('-', 2)
      return end === undefined
        ? { startedOn: null, finishedOn: day(start) }
        : { startedOn: day(start), finishedOn: day(end) }
    })
    .filter(({ startedOn, finishedOn }) => startedOn !== null || finishedOn !== null)
  const lastOf = (read: Read) => read.finishedOn ?? read.startedOn ?? ''
  return reads.sort((a, b) => (lastOf(a) < lastOf(b) ? -1 : lastOf(a) > lastOf(b) ? 1 : 0))
}

export const storygraph: Format = {
  isHeader: (columns) => columns.has('isbn/uid') && columns.has('title'),
  columns: [
    'title',
    'authors',
    'isbn/uid',
    'read status',
    'date added',
    'last date read',
    'dates read',
    'read count',
    'star rating',
    'moods',
    'content warnings',
    'tags',
    'owned?',
    'review',
  ],
  shelfOf,
  interpret(row, options) {
    const name = lineOf(cell(row, 'title'))
    if (name === '') return noName
    const notes: string[] = []
    const authors = namesOf(cell(row, 'authors'))
    const uid = lineOf(cell(row, 'isbn/uid'), 40)
    const isbn = isbnOf([uid], notes)
    const given = ratingOf(cell(row, 'star rating'), { max: 5 }, notes)
    const review = textOf(cell(row, 'review'), notes, { isHtml: true })
    const addedOn = dateOf(cell(row, 'date added'), notes)
    const status = statusOf(shelfOf(row, options), options, notes)
    const book = uid || searchText(name, authors[0] ?? '').slice(0, 100)

    const dated = readsOf(cell(row, 'dates read'), notes)
    if (dated.length === 0) {
      const finishedOn = dayOf(dateOf(cell(row, 'last date read'), notes))
      if (finishedOn !== null) dated.push({ startedOn: null, finishedOn })
    }
    const isOver = status === 'finished' || status === 'dropped'
    const total = Math.min(
      readsMax,
      Math.max(1, dated.length, Math.trunc(Number(cell(row, 'read count'))) || 1),
    )
    // Reads without a date come first: those with one are probably newer.
    const reads: (Read | null)[] =
      status === 'finished'
        ? [...Array.from({ length: total - dated.length }, () => null), ...dated]
        : [dated.at(-1) ?? null]
    const entries: ReadingEntry[] =
      status === null
        ? []
        : reads.map((read, index) =>
            entryOf({
              status,
              startedOn: status === 'want' ? null : (read?.startedOn ?? null),
              finishedOn: isOver ? (read?.finishedOn ?? null) : null,
              isAgain: index > 0,
              origin: `storygraph:${book}:${index + 1}`,
              addedOn,
            }),
          )
    const notKept = [
      ['moods', 'moods'],
      ['content warnings', 'content warnings'],
      ['tags', 'tags'],
    ].flatMap(([column, what]) => (cell(row, column!) === '' ? [] : [what!]))
    if (/^yes$/i.test(cell(row, 'owned?'))) notKept.push('owned copies')
    return {
      type: 'title',
      reading: readingOf({
        kind: 'book',
        name,
        authors,
        ids: [
          ...(isbn === null ? [] : [{ source: 'isbn13' as const, id: isbn }]),
          ...(uid === '' ? [] : [{ source: 'storygraph' as const, id: uid }]),
        ],
        rating: given === null ? null : { given, on: null, isOfTitle: true },
        review: review === '' ? null : { text: review, hasSpoilers: false, on: null },
        entries,
        notes,
      }),
      ...(notKept.length > 0 && { notKept }),
    }
  },
}
