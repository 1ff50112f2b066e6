import { idOf, type Export } from '#server/export/titles.ts'
import { csvLine } from '#server/export/csv-line.ts'
import { currentOf, type Entry, historiesOf, openTally, toHtmlLines, uploadLine } from './histories.ts'

const columns = [
  ...'Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read'.split(','),
  ...'Read Count,Moods,Pace,Star Rating,Review,Content Warnings,Tags,Owned?'.split(','),
]

const statuses = {
  want: 'to-read',
  started: 'currently-reading',
  paused: 'paused',
  finished: 'read',
  dropped: 'did-not-finish',
} as const

/** An import reads no more. */
const readsMax = 50

const toDate = (date: string | null) => date?.slice(0, 10).replaceAll('-', '/') ?? ''

/** `2022/10/29-2022/11/28`, `2021/09/14` for a read without a start, `2022/10/29-` for one without an end. */
function toRange({ started_on, finished_on }: Entry): string {
  return started_on === null ? toDate(finished_on) : `${toDate(started_on)}-${toDate(finished_on)}`
}

/** The state of each book, with the dates of all reads if it is read. */
export async function* forStorygraph(about: Export): AsyncGenerator<string> {
  const { lose, loseOf, read, rating } = openTally(about, 'storygraph')
  yield csvLine(columns)
  for await (const { title, review, entries: rows } of historiesOf(about, 'storygraph')) {
    const entries = await read(rows)
    const current = currentOf(entries)
    if (!current && !review) continue
    loseOf(review, entries)
    const isRead = current?.status === 'finished'
    const reads = (isRead ? entries.filter(({ status }) => status === 'finished') : [current])
      .filter((entry) => entry !== undefined)
      .slice(-readsMax)
    for (const entry of entries) lose('others', !reads.includes(entry))
    const ranges = reads.map(toRange).filter(Boolean)
    yield uploadLine([
      title.name,
      title.creators.join(', '),
      null,
      idOf(title, 'isbn13'),
      null,
      current ? statuses[current.status] : null,
      toDate(current?.created_at ?? review!.created_at),
      isRead ? toDate(reads.findLast(({ finished_on }) => finished_on)?.finished_on ?? null) : null,
      ranges.join(', '),
      isRead ? reads.length : 0,
      null,
      null,
      review ? rating(review) : null,
      review ? toHtmlLines(review.text) : null,
      null,
      null,
      null,
    ])
  }
}
