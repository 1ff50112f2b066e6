import { idOf, type Export } from '#server/export/titles.ts'
import { csvLine } from '#server/export/csv-line.ts'
import { currentOf, historiesOf, openTally, toHtmlLines, uploadLine } from './histories.ts'

const shelves = {
  want: 'to-read',
  started: 'currently-reading',
  paused: 'currently-reading',
  finished: 'read',
  dropped: 'did-not-finish',
} as const

const columns = [
  ...'Title,Author,Additional Authors,ISBN13,My Rating,Year Published,Date Read,Date Added'.split(','),
  ...'Exclusive Shelf,My Review,Spoiler,Read Count'.split(','),
]

const toDate = (date: string | null | undefined) => date?.slice(0, 10).replaceAll('-', '/') ?? null

/** Rated or in the diary, with the date of the last read. A rated book that is not in the diary has no shelf, which Goodreads takes as read. */
export async function* forGoodreads(about: Export): AsyncGenerator<string> {
  const { lose, loseOf, read, rating } = openTally(about, 'goodreads')
  yield csvLine(columns)
  for await (const { title, review, entries: rows } of historiesOf(about, 'goodreads')) {
    const entries = await read(rows)
    const current = currentOf(entries)
    if (!current && !review) continue
    loseOf(review, entries)
    const isRead = current?.status === 'finished'
    const reads = isRead ? entries.filter(({ status }) => status === 'finished') : []
    const dates = reads.map(({ finished_on }) => finished_on ?? '').sort()
    const dateRead = isRead ? dates.pop() || null : current?.status === 'dropped' ? current.finished_on : null
    for (const date of dates) lose('olderDates', date)
    for (const entry of entries) lose('others', entry !== current && !reads.includes(entry))
    const [author, ...others] = title.creators
    yield uploadLine([
      title.name,
      author ?? null,
      others.join(', '),
      idOf(title, 'isbn13'),
      review ? rating(review) : 0,
      title.year,
      toDate(dateRead),
      toDate(review?.created_at ?? current?.created_at),
      current ? shelves[current.status] : null,
      review ? toHtmlLines(review.text) : null,
      review?.has_spoilers === 1 ? 'true' : null,
      reads.length,
    ])
  }
}
