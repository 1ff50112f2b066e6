import { z } from 'zod'
import type { Kind } from '#shared/media.ts'
import type { Format, RawRow, ReadingId } from './reading.ts'
import {
  cell,
  dateOf,
  dayOf,
  entryOf,
  imdbIdOf,
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

// The CSV export has the columns below; the NDJSON export has a file of titles, which the reader joins with the records.

const optional = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined)
const text = optional(z.string())

const catalogItem = z.object({
  id: text,
  url: text,
  type: text,
  display_title: text,
  title: text,
  year: optional(z.number()),
  pub_year: optional(z.number()),
  imdb: text,
  isbn: text,
  season_number: optional(z.number()),
  author: optional(z.array(z.string())),
  external_resources: optional(z.array(z.object({ url: z.string() }))),
})

/** Returns the addresses of a title of `catalog.ndjson` and what is kept of it; null if it is not one. */
export function neodbTitleOf(value: unknown): { address: string; columns: Record<string, string> } | null {
  const item = catalogItem.safeParse(value).data
  const address = item?.url ?? item?.id
  if (!item || !address || !(item.display_title ?? item.title)) return null
  const links = [address, ...(item.external_resources ?? []).map(({ url }) => url)]
  const info = [
    ...(item.imdb ? [`imdb:${item.imdb}`] : []),
    ...(item.isbn ? [`isbn:${item.isbn}`] : []),
    ...((item.year ?? item.pub_year) ? [`year:${item.year ?? item.pub_year}`] : []),
    ...(item.season_number ? [`season_number:${item.season_number}`] : []),
    ...(item.author?.length ? [`author:${item.author.join('/')}`] : []),
  ]
  return {
    address,
    columns: {
      title: (item.display_title ?? item.title ?? '').slice(0, 400),
      info: info.join(' ').slice(0, 2_000),
      links: links.join(' ').slice(0, 4_000),
    },
  }
}

const record = z.object({
  type: z.string(),
  content: optional(
    z.object({
      withRegardTo: text,
      published: text,
      status: text,
      value: optional(z.number()),
      content: text,
      name: text,
    }),
  ),
})

/** Returns a record of `journal.ndjson` in the columns of the CSV export, with the address of its title. */
export function neodbRecordOf(value: unknown): { address: string; columns: Record<string, string> } | null {
  const parsed = record.safeParse(value).data
  if (!parsed) return null
  const { type, content } = parsed
  const columns = {
    type,
    timestamp: content?.published ?? '',
    status: type === 'ShelfMember' ? (content?.status ?? '') : '',
    rating: type === 'Rating' ? String(content?.value ?? '') : '',
    comment: type === 'Comment' ? (content?.content ?? '') : '',
    'title (2)': type === 'Review' ? (content?.name ?? '') : '',
    content: type === 'Review' ? (content?.content ?? '') : '',
  }
  return { address: content?.withRegardTo ?? '', columns }
}

const notKeptTypes: Record<string, string> = {
  Note: 'notes',
  Collection: 'lists',
  Tag: 'tags',
  TagMember: 'tags',
  ShelfLog: 'changes of status',
  post: 'posts',
  Post: 'posts',
}

const kindsByPath: [RegExp, Kind | 'season' | 'other'][] = [
  [/\/tv\/season\//, 'season'],
  [/\/tv\/episode\//, 'season'],
  [/\/movie\//, 'movie'],
  [/\/tv\//, 'tvShow'],
  [/\/book\//, 'book'],
  [/\/game\//, 'game'],
  [/\/(album|podcast|performance)\//, 'other'],
]

function infoOf(row: RawRow): Map<string, string> {
  const found = cell(row, 'info')
    .slice(0, 4_000)
    .matchAll(/(?:^| )(\w+):(.*?)(?= \w+:|$)/gs)
  return new Map(Array.from(found, ([, key, value]) => [key!, value!]))
}

export const neodb: Format = {
  isHeader: (columns) => columns.has('links') && columns.has('timestamp') && columns.has('info'),
  columns: [
    'title',
    'info',
    'links',
    'timestamp',
    'status',
    'rating',
    'tags',
    'progress',
    'title (2)',
    'comment',
    'content',
  ],
  shelfOf: (row) => cell(row, 'status'),
  interpret(row, options) {
    const type = cell(row, 'type')
    if (Object.hasOwn(notKeptTypes, type)) return { type: 'notKept', what: notKeptTypes[type]! }
    if (Object.hasOwn(row.raw, 'progress')) return { type: 'notKept', what: 'notes' }
    const name = lineOf(cell(row, 'title'))
    if (name === '') return noName
    const links = cell(row, 'links').split(/\s+/, 50)
    const info = infoOf(row)
    const kind = kindsByPath.find(([path]) => path.test(links[0] ?? ''))?.[1] ?? 'other'
    if (kind === 'season' || info.has('season_number')) return { type: 'notKept', what: 'seasons' }
    if (kind === 'other') return { type: 'notKept', what: 'other media' }

    const notes: string[] = []
    const on = dateOf(cell(row, 'timestamp'), notes)
    const status = statusOf(cell(row, 'status'), options, notes)
    const given = ratingOf(cell(row, 'rating'), { min: 1, max: 10 }, notes)
    const title = lineOf(cell(row, 'title (2)'))
    const written = cell(row, 'content') || cell(row, 'comment')
    const review = textOf(title === '' ? written : `${title}\n\n${written}`, notes, { isHtml: false })
    const ids = idsOf(kind, links, info, notes)
    return {
      type: 'title',
      reading: readingOf({
        kind,
        name,
        year: yearOf(info.get('year') ?? info.get('pub_year') ?? ''),
        authors: kind === 'book' ? namesOf(info.get('author') ?? '', '/') : [],
        ids,
        rating: given === null ? null : { given, on, isOfTitle: true },
        review: review === '' ? null : { text: review, hasSpoilers: false, on },
        entries:
          status === null
            ? []
            : [
                entryOf({
                  status,
                  startedOn: status === 'started' ? dayOf(on) : null,
                  finishedOn: status === 'finished' || status === 'dropped' ? dayOf(on) : null,
                  origin: ids.some(({ source }) => source === 'neodb')
                    ? `neodb:${ids.find(({ source }) => source === 'neodb')!.id}`
                    : null,
                  addedOn: on,
                }),
              ],
        notes,
      }),
      ...(cell(row, 'tags') !== '' && { notKept: ['tags'] }),
    }
  },
}

function idsOf(kind: Kind, links: string[], info: Map<string, string>, notes: string[]): ReadingId[] {
  const ids: ReadingId[] = []
  const add = (source: ReadingId['source'], id: string | null | undefined) => {
    if (id && !ids.some((each) => each.source === source)) ids.push({ source, id })
  }
  add('neodb', /\/([\w-]{5,40})\/?$/.exec(links[0] ?? '')?.[1])
  add('imdb', imdbIdOf(info.get('imdb') ?? ''))
  if (kind === 'book') add('isbn13', isbnOf([info.get('isbn') ?? ''], notes))
  for (const link of links) {
    if (kind === 'movie') add('tmdb-movie', /themoviedb\.org\/movie\/(\d{1,10})/.exec(link)?.[1])
    if (kind === 'tvShow') add('tmdb-tv', /themoviedb\.org\/tv\/(\d{1,10})\/?$/.exec(link)?.[1])
    if (kind === 'movie' || kind === 'tvShow') add('imdb', /imdb\.com\/title\/(tt\d{5,10})/.exec(link)?.[1])
    if (kind === 'book') add('olid-edition', /openlibrary\.org\/books\/(OL\d{1,12}M)/.exec(link)?.[1])
    if (kind === 'book') add('olid-work', /openlibrary\.org\/works\/(OL\d{1,12}W)/.exec(link)?.[1])
  }
  return ids
}
