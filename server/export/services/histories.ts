import type { InferResult } from 'kysely'
import type { Kind, PartType } from '#shared/domain/kinds.ts'
import {
  exportFormat,
  type ExportService,
  type Loss,
  losses,
  ratingAt,
} from '#shared/domain/export-formats.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import { selectExportedEntries } from '#server/diary/store.ts'
import { selectExportedPartReviews, selectExportedReviews } from '#server/reviews/export-store.ts'
import { type Cell, csvLine, guarded } from '#server/export/csv-line.ts'
import { pagesOf } from '#server/db/pages.ts'
import { countFavorites, countListItems, countPartReviews } from '#server/export/store.ts'
import { type Export, type ExportedTitle, readTitles, titlesOf } from '#server/export/titles.ts'

// For other services: a byte order mark would become part of the first column's name; the services trim a space but keep an apostrophe.

export const uploadLine = (cells: readonly Cell[]) =>
  csvLine(cells.map((cell) => (typeof cell === 'string' && guarded(cell) !== cell ? ` ${cell}` : cell)))

/** The services read a review as HTML. */
export const toHtml = (text: string) => text.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;')

/** Imports read this many tags of a text. */
const breaksMax = 900

/** For services that ignore the line breaks of the file. */
export function toHtmlLines(text: string): string {
  let breaks = 0
  return toHtml(text).replaceAll('\n', (line) => (++breaks > breaksMax ? line : '<br/>'))
}

type ExportedReview = InferResult<ReturnType<typeof selectExportedReviews>>[number]
/** Without the note, which may be long. */
export type Entry = Omit<EntryRow, 'text'>
type History = {
  title: ExportedTitle
  review: ExportedReview | undefined
  entries: AsyncIterable<EntryRow>
}

export const roundedWords = 'ratings rounded'

/** Returns functions that write the ratings of a service and count what it cannot hold, in all of its files. */
export function openTally({ tally }: Export, service: ExportService) {
  const counts = tally.get(service) ?? new Map<string, number>()
  tally.set(service, counts)
  const known: readonly Loss[] = exportFormat(service).losses
  const count = (words: string) => counts.set(words, (counts.get(words) ?? 0) + 1)
  const lose = (loss: Loss, isLost: unknown = true) => {
    if (isLost && known.includes(loss)) count(losses[loss])
  }
  const numberOf = ({ rating, rating_given }: Parameters<typeof ratingAt>[1]): number => {
    const { number, isRounded } = ratingAt(service, { rating, rating_given })
    if (isRounded) count(roundedWords)
    return number
  }
  return {
    lose,
    /** What every title of the service may lose. */
    loseOf(review: Pick<ExportedReview, 'text' | 'has_spoilers'> | undefined, entries: readonly Entry[]) {
      if (review?.text) {
        lose('reviews')
        lose('spoilers', review.has_spoilers === 1)
      }
      for (const { status, started_on, rating_given } of entries) {
        lose('entries')
        if (status === 'want') lose('wanted')
        else if (status === 'started' || status === 'paused') lose('open')
        else if (status === 'dropped') lose('dropped')
        if (status === 'paused') lose('paused')
        lose('startDates', started_on)
        if (service !== 'letterboxd') lose('entryRatings', rating_given)
      }
    },
    rating: numberOf,
    /** Of a single viewing. */
    ratingOf: ({ rating_given }: Entry) => numberOf({ rating: null, rating_given }),
    /** Reads the entries of a title, oldest first, and counts their notes. */
    async read(entries: AsyncIterable<EntryRow>): Promise<Entry[]> {
      const all: Entry[] = []
      for await (const { text, ...entry } of entries) {
        lose('notes', text)
        all.push(entry)
      }
      return all.sort((a, b) => (isNewer(a, b) ? 1 : -1))
    },
  }
}

/** What no file has, of the kinds of each service whose file was written. */
export async function countOthers({ db, userId, tally }: Export): Promise<void> {
  const counted = {
    favorites: await countFavorites(db, userId),
    listItems: await countListItems(db, userId),
    partReviews: await countPartReviews(db, userId),
  }
  for (const [service, counts] of tally) {
    const { kinds, losses: known } = exportFormat(service)
    for (const [loss, rows] of Object.entries(counted) as [
      keyof typeof counted,
      typeof counted.favorites,
    ][]) {
      const ofKinds = rows.filter(({ kind }) => kinds.includes(kind))
      const total = ofKinds.reduce((sum, { count }) => sum + Number(count), 0)
      if (total > 0 && known.includes(loss)) counts.set(losses[loss], total)
    }
  }
}

/** Without titles that were removed. The entries must be read before the next title. */
export async function* historiesOf(about: Export, service: ExportService): AsyncGenerator<History> {
  const { db, userId } = about
  const kinds: readonly Kind[] = exportFormat(service).kinds
  const counts = about.tally.get(service)
  const reviews = openCursor(
    pagesOf(selectExportedReviews(db, userId).where('kind', 'in', kinds), ['media_id']),
  )
  const entries = openCursor(
    pagesOf(selectExportedEntries(db, userId).where('kind', 'in', kinds), ['media_id', 'status', 'id']),
  )
  for await (const title of titlesOf(about, kinds)) {
    let review: ExportedReview | undefined
    for await (const row of reviews.of(title.ref)) review = row
    if (title.name !== '') yield { title, review, entries: entries.of(title.ref) }
    else counts?.set(losses.removed, (counts.get(losses.removed) ?? 0) + 1)
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

/** Ratings of seasons and episodes, without titles that were removed. */
export async function* partRatingsOf({ db, userId, titleIds }: Export, types: readonly PartType[]) {
  for await (const page of pagesOf(selectExportedPartReviews(db, userId), ['reviews.part_id'])) {
    const ids = new Set(page.map(({ media_id }) => media_id).filter((id) => titleIds.has(id)))
    const titles = new Map((await readTitles(db, [...ids])).map((title) => [title.ref, title]))
    for (const review of page) {
      const title = titles.get(review.media_id)
      if (title && title.name !== '' && types.includes(review.type)) yield { title, review }
    }
  }
}

export const isFullDate = (date: string | null): date is string => date?.length === 10

const lastDay = (entry: Entry) => entry.finished_on ?? entry.started_on ?? ''

function isNewer(a: Entry, b: Entry): boolean {
  return lastDay(a) === lastDay(b) ? a.id > b.id : lastDay(a) > lastDay(b)
}

/** The entry that says how a title is now: under way, else the newest that is over, else wanted. `entries` are sorted by age. */
export function currentOf(entries: readonly Entry[]): Entry | undefined {
  const isOpen = ({ status }: Entry) => status === 'started' || status === 'paused'
  return (
    entries.find(isOpen) ??
    entries.findLast(({ status }) => status !== 'want') ??
    entries.findLast(() => true)
  )
}

/** `2024-05-06T12:00:00.000Z` is the time of a date. */
export const noonOf = (date: string) => `${date}T12:00:00.000Z`

/** A rating without a date has the start of 1970. */
export function ratedAt({ rated_at }: Pick<ExportedReview, 'rated_at'>): string | null {
  return rated_at.startsWith('1970-01-01') ? null : rated_at
}
