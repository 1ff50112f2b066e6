import type { InferResult } from 'kysely'
import type { Kind } from '#shared/domain/kinds.ts'
import { toStars } from '#shared/domain/ratings.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import { selectExportedEntries } from '#server/diary/store.ts'
import { selectExportedReviews } from '#server/reviews/export-store.ts'
import { type Cell, csvLine, guarded } from './csv-line.ts'
import { pagesOf } from '#server/db/pages.ts'
import { type Export, idOf, type ExportedTitle, titlesOf } from './titles.ts'

// For other services: a byte order mark would become part of the first column's name; the services trim a space but keep an apostrophe.

export const uploadLine = (cells: readonly Cell[]) =>
  csvLine(cells.map((cell) => (typeof cell === 'string' && guarded(cell) !== cell ? ` ${cell}` : cell)))

/** Both services read a review as HTML. */
export const toHtml = (text: string) => text.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;')

type ExportedReview = InferResult<ReturnType<typeof selectExportedReviews>>[number]
type History = {
  title: ExportedTitle
  review: ExportedReview | undefined
  entries: AsyncIterable<EntryRow>
}

/** The entries must be read before the next title. */
async function* historiesOf(about: Export, kind: Kind): AsyncGenerator<History> {
  const { db, userId } = about
  const reviews = openCursor(
    pagesOf(selectExportedReviews(db, userId).where('kind', '=', kind), ['media_id']),
  )
  const entries = openCursor(
    pagesOf(selectExportedEntries(db, userId).where('kind', '=', kind), ['media_id', 'status', 'id']),
  )
  for await (const title of titlesOf(about)) {
    if (title.kind !== kind) continue
    let review: ExportedReview | undefined
    for await (const row of reviews.of(title.ref)) review = row
    yield { title, review, entries: entries.of(title.ref) }
  }
}

function openCursor<Row extends { media_id: number }>(pages: AsyncGenerator<Row[]>) {
  let page: Row[] = []
  let at = 0
  const peek = async () => {
    if (at === page.length) [page, at] = [(await pages.next()).value ?? [], 0]
    return page[at]
  }
  return {
    async *of(titleId: number): AsyncGenerator<Row> {
      for (let row = await peek(); row && row.media_id <= titleId; row = await peek()) {
        at++
        if (row.media_id === titleId) yield row
      }
    },
  }
}

const isFullDate = (date: string | null): date is string => date?.length === 10
const lastDay = (row: EntryRow) => row.finished_on ?? row.started_on ?? ''
const isNewer = (a: EntryRow, b: EntryRow) =>
  lastDay(a) === lastDay(b) ? a.id > b.id : lastDay(a) > lastDay(b)

/** `4.5` for `9/10`: Letterboxd accepts 0.5 to 5 in halves. */
function letterboxdRating(given: string | null | undefined, stars: number | undefined): number | null {
  if (!given) return stars ?? null
  const [value, scale] = given.split('/').map(Number) as [number, number]
  return Math.max(0.5, Math.min(5, Math.round((value / scale) * 10) / 2)) || (stars ?? null)
}

/** The last watch has the review. Films without an entry have one line. */
export async function* forLetterboxd(about: Export): AsyncGenerator<string> {
  yield csvLine([
    'tmdbID',
    'imdbID',
    'Title',
    'Year',
    'Directors',
    'Rating',
    'WatchedDate',
    'Rewatch',
    'Tags',
    'Review',
  ])
  const line = (title: ExportedTitle, entry?: EntryRow, review?: ExportedReview) =>
    uploadLine([
      idOf(title, 'tmdb-movie'),
      idOf(title, 'imdb'),
      title.name,
      title.year,
      title.creators.join(', '),
      review
        ? letterboxdRating(review.rating_given, toStars(review.rating))
        : letterboxdRating(entry?.rating_given, undefined),
      entry && isFullDate(entry.finished_on) ? entry.finished_on : null,
      entry?.is_again === 1 ? 'true' : null,
      review?.has_spoilers === 1 ? 'spoilers' : null,
      review ? toHtml(review.text) : null,
    ])
  for await (const { title, review, entries } of historiesOf(about, 'movie')) {
    let last: EntryRow | undefined
    for await (const entry of entries) {
      if (entry.status !== 'finished') continue
      const [older, newer] = last && isNewer(last, entry) ? [entry, last] : [last, entry]
      if (older) yield line(title, older)
      last = newer
    }
    if (last || review) yield line(title, last, review)
  }
}

const shelves = {
  want: 'to-read',
  started: 'currently-reading',
  paused: 'currently-reading',
  finished: 'read',
  dropped: 'did-not-finish',
} as const

/** Rated or in the diary, with the date of the last read. */
export async function* forGoodreads(about: Export): AsyncGenerator<string> {
  const columns = [
    'Title',
    'Author',
    'Additional Authors',
    'ISBN13',
    'My Rating',
    'Year Published',
    'Date Read',
  ]
  yield csvLine([...columns, 'Date Added', 'Exclusive Shelf', 'My Review', 'Spoiler', 'Read Count'])
  const toDate = (date: string | null | undefined) => date?.slice(0, 10).replaceAll('-', '/') ?? null
  for await (const { title, review, entries } of historiesOf(about, 'book')) {
    let open: EntryRow | undefined
    let over: EntryRow | undefined
    let wanted: EntryRow | undefined
    let readAt: string | null = null
    let readCount = 0
    for await (const entry of entries) {
      if (entry.status === 'want') wanted = entry
      else if (entry.status === 'started' || entry.status === 'paused') open = entry
      else if (!over || isNewer(entry, over)) over = entry
      if (entry.status !== 'finished') continue
      readCount++
      if ((entry.finished_on ?? '') > (readAt ?? '')) readAt = entry.finished_on
    }
    const current = open ?? over ?? wanted
    if (!current && !review) continue
    const isRead = !current || (current === wanted && review !== undefined)
    const [author, ...others] = title.creators
    yield uploadLine([
      title.name,
      author ?? null,
      others.join(', '),
      idOf(title, 'isbn13'),
      // Goodreads has whole stars.
      review ? Math.round(toStars(review.rating)) : 0,
      title.year,
      toDate(readAt),
      toDate(review?.created_at ?? current?.created_at),
      isRead ? 'read' : shelves[current.status],
      review ? toHtml(review.text).replaceAll('\n', '<br/>') : null,
      review?.has_spoilers === 1 ? 'true' : null,
      readCount || (isRead ? 1 : 0),
    ])
  }
}
