import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExportFile, exportVersion } from '#shared/export.ts'
import { type IdSource, type Kind, kinds } from '#shared/media.ts'
import type { Db } from '#server/db/open.ts'
import { unpack } from '#server/db/packed.ts'
import type { TitleDetails } from '#server/db/tables.ts'
import { type Cell, csvLine, guarded, sheetLine } from './csv-line.ts'
import * as store from './export-store.ts'

/** Rows that one query reads. No query waits for the client, so that a slow one holds no connection. */
const pageSize = 500
const chunkLength = 64 * 1024

export type Export = {
  db: Db
  userId: number
  member: { username: string; created_at: string }
  instance: string
  now: Date
  /**
   * The ids of the titles that the file contains. Rows that refer to others, written since the export began, are left out.
   */
  titleIds: ReadonlySet<number>
}

/** Returns what an export needs to begin; undefined if the member does not exist. Holds the ids of the titles in memory, no more. */
export async function beginExport(
  db: Db,
  userId: number,
  instance: string,
  now: Date,
): Promise<Export | undefined> {
  const member = await store.findExportingMember(db, userId)
  if (!member) return undefined
  const ids: number[] = []
  for await (const { id } of rowsOf<{ id: number }>((after, limit) =>
    store.listTitleIds(db, userId, after, limit),
  ))
    ids.push(id)
  for await (const { media_id } of reactionsOf({ db, userId })) ids.push(media_id)
  for await (const page of commentsOf({ db, userId })) ids.push(...page.map(({ media_id }) => media_id))
  return { db, userId, member, instance, now, titleIds: new Set(ids.sort((a, b) => a - b)) }
}

/** The files of the zip, in order. */
export const exportedFiles: Record<string, (about: Export) => AsyncGenerator<string>> = {
  'README.txt': async function* () {
    yield readme
  },
  'medley.json': (about) => inChunks(json(about)),
  'ratings.csv': (about) => inChunks(ratings(about)),
  'diary.csv': (about) => inChunks(diary(about)),
  'favorites.csv': (about) => inChunks(favorites(about)),
  'following.csv': (about) => inChunks(following(about)),
  'comments.csv': (about) => inChunks(comments(about)),
  'for-letterboxd.csv': (about) => inChunks(forLetterboxd(about)),
  'for-goodreads.csv': (about) => inChunks(forGoodreads(about)),
}

// Reading

type ReadPage<Row> = (after: Row | undefined, limit: number) => Promise<Row[]>

/** Yields rows page by page. Other work of the process runs in between: SQLite reads without waiting. */
async function* pagesOf<Row>(read: ReadPage<Row>): AsyncGenerator<Row[]> {
  let after: Row | undefined
  for (;;) {
    const rows = await read(after, pageSize)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    after = rows.at(-1)
    await nextTurn()
  }
}

async function* rowsOf<Row>(read: ReadPage<Row>): AsyncGenerator<Row> {
  for await (const page of pagesOf(read)) yield* page
}

type Reader = Pick<Export, 'db' | 'userId'>
const reviewsOf = ({ db, userId }: Reader, kind?: Kind) =>
  pagesOf<store.ExportedReviewRow>((after, limit) => store.listReviews(db, userId, after, limit, kind))
const entriesOf = ({ db, userId }: Reader, kind?: Kind) =>
  pagesOf<store.ExportedEntryRow>((after, limit) => store.listEntries(db, userId, after, limit, kind))
const favoritesOf = ({ db, userId }: Reader) =>
  pagesOf<store.ExportedFavoriteRow>((after, limit) => store.listFavorites(db, userId, after, limit))
const followingOf = ({ db, userId }: Reader) =>
  rowsOf<store.ExportedFollowRow>((after, limit) => store.listFollowing(db, userId, after, limit))
const reactionsOf = ({ db, userId }: Reader) =>
  rowsOf<store.ExportedReactionRow>((after, limit) => store.listReactions(db, userId, after, limit))
const commentsOf = ({ db, userId }: Reader) =>
  pagesOf<store.ExportedCommentRow>((after, limit) => store.listComments(db, userId, after, limit))

type Title = ExportFile['titles'][number]

/** Yields the titles of the export, ordered by id. */
async function* titlesOf({ db, titleIds }: Export): AsyncGenerator<Title> {
  let page: number[] = []
  for (const id of titleIds) {
    page.push(id)
    if (page.length < pageSize) continue
    yield* await readTitles(db, page)
    page = []
    await nextTurn()
  }
  if (page.length > 0) yield* await readTitles(db, page)
}

async function readTitles(db: Db, ids: readonly number[]): Promise<Title[]> {
  const rows = await store.listTitles(db, ids)
  const externalIds = Map.groupBy(await store.listExternalIds(db, ids), ({ media_id }) => media_id)
  return rows.map((row) => ({
    ref: row.id,
    kind: row.kind,
    name: row.name,
    year: row.release_year,
    creators: (JSON.parse(row.details) as TitleDetails).creators,
    ids: (externalIds.get(row.id) ?? []).map(({ source, external_id }) => ({ source, id: external_id })),
    ...((row.source === null || row.source === 'import') && { createdHere: true }),
  }))
}

/** Yields rows with their titles. Leaves out rows whose title is not in the export. */
async function* withTitles<Row extends { media_id: number }>(
  { db, titleIds }: Export,
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<[Row, Title]> {
  for await (const page of pages) {
    const ids = [...new Set(page.map(({ media_id }) => media_id))].filter((id) => titleIds.has(id))
    const titles = new Map((await readTitles(db, ids)).map((title) => [title.ref, title]))
    for (const row of page) {
      const title = titles.get(row.media_id)
      if (title) yield [row, title]
    }
  }
}

/** Joins short texts, so that each chunk is worth compressing. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk) yield chunk
}

// JSON

async function* json(about: Export): AsyncGenerator<string> {
  const { member, titleIds } = about
  const head = {
    format: 'medley',
    version: exportVersion,
    exportedAt: about.now.toISOString(),
    instance: about.instance,
    member: { username: member.username, createdAt: member.created_at },
  } satisfies Partial<ExportFile>
  yield JSON.stringify(head).slice(0, -1)
  const refersToTitle = ({ media_id }: { media_id: number }) => titleIds.has(media_id)
  yield* jsonList('titles', titlesOf(about), (title) => title)
  yield* jsonList('reviews', flat(reviewsOf(about), refersToTitle), (row) => ({
    title: row.media_id,
    rating: row.rating,
    ratingGiven: row.rating_given,
    text: row.text,
    hasSpoilers: row.has_spoilers === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ratedAt: row.rated_at,
  }))
  yield* jsonList('diary', flat(entriesOf(about), refersToTitle), (row) => ({
    title: row.media_id,
    status: row.status,
    startedOn: row.started_on,
    finishedOn: row.finished_on,
    isAgain: row.is_again === 1,
    ratingGiven: row.rating_given,
    text: row.text,
    origin: row.origin,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
  yield* jsonList('favorites', flat(favoritesOf(about), refersToTitle), (row) => ({
    title: row.media_id,
    createdAt: row.created_at,
  }))
  yield* jsonList('following', followingOf(about), ({ followee_id, username, created_at }) => ({
    username,
    id: followee_id,
    createdAt: created_at,
  }))
  yield* jsonList('reactions', only(reactionsOf(about), refersToTitle), (row) => ({
    title: row.media_id,
    author: row.author,
    reaction: row.reaction,
  }))
  yield* jsonList('comments', flat(commentsOf(about), refersToTitle), (row) => ({
    title: row.media_id,
    author: row.author,
    text: row.text,
    hasSpoilers: row.has_spoilers === 1,
    createdAt: row.created_at,
  }))
  yield* jsonImports(about)
  yield '}\n'
}

/** Yields `,"name":[…]` with one item per line. */
async function* jsonList<Part extends keyof ExportFile, Row>(
  name: Part,
  rows: AsyncIterable<Row>,
  present: (row: Row) => ExportFile[Part] extends readonly (infer Item)[] ? Item : never,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`
  let separator = '\n'
  for await (const row of rows) {
    yield separator + JSON.stringify(present(row))
    separator = ',\n'
  }
  yield ']'
}

/** Writes each import up to its lines, which may be many. */
async function* jsonImports({ db, userId }: Export): AsyncGenerator<string> {
  yield ',\n"imports":['
  let separator = '\n'
  for await (const row of rowsOf<store.ExportedImportRow>((after, limit) =>
    store.listImports(db, userId, after, limit),
  )) {
    const head = {
      service: row.service,
      fileName: row.file_name,
      createdAt: row.created_at,
      appliedAt: row.applied_at,
    } satisfies Partial<ExportFile['imports'][number]>
    yield `${separator}${JSON.stringify(head).slice(0, -1)},"lines":[`
    let lineSeparator = '\n'
    for await (const line of rowsOf<store.UnusedLineRow>((after, limit) =>
      store.listUnusedLines(db, row.id, after, limit),
    )) {
      yield `${lineSeparator}${JSON.stringify({ file: line.file, line: line.line, raw: JSON.parse(unpack(line.raw)) })}`
      lineSeparator = ',\n'
    }
    yield ']}'
    separator = ',\n'
  }
  yield ']'
}

async function* flat<Row>(
  pages: AsyncIterable<Row[]>,
  isIncluded: (row: Row) => boolean,
): AsyncGenerator<Row> {
  for await (const page of pages) yield* page.filter(isIncluded)
}

async function* only<Row>(rows: AsyncIterable<Row>, isIncluded: (row: Row) => boolean): AsyncGenerator<Row> {
  for await (const row of rows) if (isIncluded(row)) yield row
}

// CSV for spreadsheets: with a byte order mark, by which Excel recognizes UTF-8, and guarded cells

const sheetHead = (columns: readonly string[]) => `\ufeff${sheetLine(columns)}`

const titleColumns = [
  'Title',
  'Year',
  'Kind',
  'Creators',
  'TMDB',
  'IMDb',
  'TVDB',
  'ISBN13',
  'Open Library',
  'IGDB',
]
const idColumns: IdSource[][] = [
  ['tmdb-movie', 'tmdb-tv'],
  ['imdb'],
  ['tvdb'],
  ['isbn13'],
  ['olid-work', 'olid-edition'],
  ['igdb'],
]
const titleCells = (title: Title): Cell[] => [
  title.name,
  title.year,
  kinds[title.kind].words.one,
  title.creators.join('; '),
  ...idColumns.map((sources) => idOf(title, ...sources)),
]
const idOf = (title: Title, ...sources: IdSource[]) =>
  sources.flatMap((source) => title.ids.find((one) => one.source === source)?.id ?? [])[0] ?? null
const yesNo = (flag: number) => (flag === 1 ? 'yes' : 'no')

async function* ratings(about: Export): AsyncGenerator<string> {
  const own = ['Rating', 'Rating given', 'Review', 'Spoilers', 'Created at', 'Updated at', 'Rated at']
  yield sheetHead([...titleColumns, ...own])
  for await (const [row, title] of withTitles(about, reviewsOf(about)))
    yield sheetLine([
      ...titleCells(title),
      row.rating,
      row.rating_given,
      row.text,
      yesNo(row.has_spoilers),
      row.created_at,
      row.updated_at,
      row.rated_at,
    ])
}

async function* diary(about: Export): AsyncGenerator<string> {
  const own = ['Status', 'Started on', 'Finished on', 'Again', 'Rating given', 'Note', 'Origin']
  yield sheetHead([...titleColumns, ...own, 'Created at', 'Updated at'])
  for await (const [row, title] of withTitles(about, entriesOf(about)))
    yield sheetLine([
      ...titleCells(title),
      row.status,
      row.started_on,
      row.finished_on,
      yesNo(row.is_again),
      row.rating_given,
      row.text,
      row.origin,
      row.created_at,
      row.updated_at,
    ])
}

async function* favorites(about: Export): AsyncGenerator<string> {
  yield sheetHead([...titleColumns, 'Added at'])
  for await (const [row, title] of withTitles(about, favoritesOf(about)))
    yield sheetLine([...titleCells(title), row.created_at])
}

async function* following(about: Export): AsyncGenerator<string> {
  yield sheetHead(['Username', 'Followed at'])
  for await (const row of followingOf(about)) yield sheetLine([row.username, row.created_at])
}

async function* comments(about: Export): AsyncGenerator<string> {
  yield sheetHead([...titleColumns, 'Review by', 'Comment', 'Spoilers', 'Created at'])
  for await (const [row, title] of withTitles(about, commentsOf(about)))
    yield sheetLine([...titleCells(title), row.author, row.text, yesNo(row.has_spoilers), row.created_at])
}

// CSV for other services: no byte order mark, which would become part of the first column's name, and instead of an
// apostrophe, which would stay in a review, a space, which they trim

const uploadLine = (cells: readonly Cell[]) =>
  csvLine(cells.map((cell) => (typeof cell === 'string' && guarded(cell) !== cell ? ` ${cell}` : cell)))

/** Both services read a review as HTML. */
const toHtml = (text: string) => text.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;')

type History = {
  title: Title
  review: store.ExportedReviewRow | undefined
  entries: AsyncIterable<store.ExportedEntryRow>
}

/** Yields each title of a kind with the review and the entries, which must be read before the next title. */
async function* historiesOf(about: Export, kind: Kind): AsyncGenerator<History> {
  const reviews = openCursor(reviewsOf(about, kind))
  const entries = openCursor(entriesOf(about, kind))
  for await (const title of titlesOf(about)) {
    if (title.kind !== kind) continue
    let review: store.ExportedReviewRow | undefined
    for await (const row of reviews.of(title.ref)) review = row
    yield { title, review, entries: entries.of(title.ref) }
  }
}

/** Reads rows that are ordered by title, title after title. */
function openCursor<Row extends { media_id: number }>(pages: AsyncGenerator<Row[]>) {
  let page: Row[] = []
  let at = 0
  const peek = async () => {
    if (at === page.length) [page, at] = [(await pages.next()).value ?? [], 0]
    return page[at]
  }
  return {
    /** Yields the rows of a title; skips those of earlier titles. */
    async *of(titleId: number): AsyncGenerator<Row> {
      for (let row = await peek(); row && row.media_id <= titleId; row = await peek()) {
        at++
        if (row.media_id === titleId) yield row
      }
    },
  }
}

const isFullDate = (date: string | null): date is string => date?.length === 10
const lastDay = (row: store.ExportedEntryRow) => row.finished_on ?? row.started_on ?? ''
const isNewer = (a: store.ExportedEntryRow, b: store.ExportedEntryRow) =>
  lastDay(a) === lastDay(b) ? a.id > b.id : lastDay(a) > lastDay(b)

/** Returns `4.5` for `9/10`: what Letterboxd accepts, 0.5 to 5 in halves. */
function letterboxdRating(given: string | null | undefined, stars: number | undefined): number | null {
  if (!given) return stars ?? null
  const [value, scale] = given.split('/').map(Number) as [number, number]
  return Math.max(0.5, Math.min(5, Math.round((value / scale) * 10) / 2)) || (stars ?? null)
}

/** A line per time that a film was watched; the review belongs to the last one. Films without an entry have one line. */
async function* forLetterboxd(about: Export): AsyncGenerator<string> {
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
  const line = (title: Title, entry?: store.ExportedEntryRow, review?: store.ExportedReviewRow) =>
    uploadLine([
      idOf(title, 'tmdb-movie'),
      idOf(title, 'imdb'),
      title.name,
      title.year,
      title.creators.join(', '),
      review
        ? letterboxdRating(review.rating_given, review.rating)
        : letterboxdRating(entry?.rating_given, undefined),
      entry && isFullDate(entry.finished_on) ? entry.finished_on : null,
      entry?.is_again === 1 ? 'true' : null,
      review?.has_spoilers === 1 ? 'spoilers' : null,
      review ? toHtml(review.text) : null,
    ])
  for await (const { title, review, entries } of historiesOf(about, 'movie')) {
    let last: store.ExportedEntryRow | undefined
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

/** A line per book that was rated or is in the diary, with the date of the last time it was read. */
async function* forGoodreads(about: Export): AsyncGenerator<string> {
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
    let open: store.ExportedEntryRow | undefined
    let over: store.ExportedEntryRow | undefined
    let wanted: store.ExportedEntryRow | undefined
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
      review?.rating ?? 0,
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

/** Describes the files. Part of the zip, and the page `/docs/export`. */
export const readme = `Your data from Medley
=====================

medley.json         Everything below in one file. Medley imports it again: Settings, Account, Import.
ratings.csv         Your ratings and reviews.
diary.csv           Your diary: what you want to watch, read or play, have started, finished or dropped.
favorites.csv       Your favorites.
following.csv       The members you follow.
comments.csv        Your comments on reviews.
for-letterboxd.csv  The films you rated or finished, to upload at letterboxd.com/import.
for-goodreads.csv   The books you rated or have in your diary, to upload at goodreads.com/review/import.

Your email, your password and your sessions are not included. The export is not a snapshot: what you change while it is
written may be missing.

medley.json
  Its JSON Schema is at /docs/export-${exportVersion}.schema.json of every Medley server. Ratings, reviews, diary, favorites and
  titles are imported as they were. Follows are imported on the same server only. Reactions and comments are not imported,
  since they belong to reviews of others. "imports" holds the lines of imported files that Medley has no place for.
  The ids of titles are those of TMDB, IMDb, TVDB, Open Library, IGDB, ISBNs, and "starter" for Medley's own catalogue.

The CSV files
  UTF-8 with a byte order mark, commas, CRLF, quotes as in RFC 4180. Times are in UTC. Dates are YYYY-MM-DD, or YYYY-MM or
  YYYY if the exact date is unknown. "Rating given" is a rating on the scale of the service it was imported from.
  A cell that begins with = + - @ ' a tab or a carriage return has one more ' in front, because a spreadsheet could run it
  as a formula. To read such a file with a program, take one ' away from every cell that begins with one.

The files for Letterboxd and Goodreads
  UTF-8 without a byte order mark. They have a space instead of the '. In reviews, "<" is written as HTML.
  Letterboxd: a line for each time you finished a film. Your review is in the last one, with the tag "spoilers" if you
  marked it. Ratings that were imported keep their half stars. Films you only want to watch are not included: Letterboxd
  would mark them as watched. Private notes are not included.
  Goodreads: a line for each book. Books you stopped reading are on the shelf "did-not-finish". Private notes are not
  included.
`
