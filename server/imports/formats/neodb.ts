import { z } from 'zod'
import type { Kind } from '#shared/media.ts'
import type { Files, Format } from './format.ts'
import type { FileRecord, ParsedId } from './parsed.ts'
import { readNdjson } from './read-json.ts'
import { baseOf, columnsOf, csvRecords, rawOf, unreadable } from './tables.ts'
import {
  cell,
  dayOf,
  imdbIdOf,
  isbnOf,
  listItemOf,
  listOf,
  namesOf,
  noName,
  textOf,
  titleOf,
  yearOf,
} from './values.ts'

// The CSV export has the columns below; the NDJSON export has a file of titles, which the reader joins with the records.

const optional = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined)
const string = optional(z.string())

const catalogItem = z.object({
  id: string,
  url: string,
  type: string,
  display_title: string,
  title: string,
  year: optional(z.number()),
  pub_year: optional(z.number()),
  imdb: string,
  isbn: string,
  season_number: optional(z.number()),
  author: optional(z.array(z.string())),
  external_resources: optional(z.array(z.object({ url: z.string() }))),
})

/** Returns the addresses of a title of `catalog.ndjson` and what is kept of it; null if it is not one. */
function titleColumnsOf(value: unknown): { address: string; columns: Record<string, string> } | null {
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
      id: string,
      updated: string,
      withRegardTo: string,
      published: string,
      status: string,
      value: optional(z.number()),
      content: string,
      name: string,
    }),
  ),
  /** Of a collection. */
  items: optional(z.array(z.object({ item: string, metadata: optional(z.object({ note: string })) }))),
})

type Columns = { address: string; columns: Record<string, string> }

/** Returns a record of `journal.ndjson` in the columns of the CSV export, with the address of its title; a collection has several. */
function recordColumnsOf(value: unknown): Columns[] {
  const parsed = record.safeParse(value).data
  if (!parsed) return []
  const { type, content, items } = parsed
  const columns = {
    type,
    timestamp: content?.published ?? '',
    status: type === 'ShelfMember' ? (content?.status ?? '') : '',
    rating: type === 'Rating' ? String(content?.value ?? '') : '',
    comment: type === 'Comment' ? (content?.content ?? '') : '',
    'title (2)': type === 'Review' ? (content?.name ?? '') : '',
    content: type === 'Review' ? (content?.content ?? '') : '',
  }
  if (type !== 'Collection') return [{ address: content?.withRegardTo ?? '', columns }]
  const name = (content?.name ?? '').slice(0, 200)
  const list = { list: (content?.id || name).slice(0, 300), 'list name': name }
  const about = { ...list, comment: (content?.content ?? '').slice(0, 10_000), timestamp: columns.timestamp }
  return [
    { address: '', columns: { type, ...about, updated: content?.updated ?? '' } },
    ...(items ?? []).map((each, at) => {
      const note = (each.metadata?.note ?? '').slice(0, 1_000)
      const place = { type: 'CollectionItem', ...list, comment: note, position: String(at + 1) }
      return { address: each.item ?? '', columns: place }
    }),
  ]
}

const isJournal = (file: string) => baseOf(file) === 'journal.ndjson'

async function* records(files: Files): ReturnType<NonNullable<Format['records']>> {
  const journals: string[] = []
  for (const name of files.names) {
    const isCsv = async () => neodb.isHeader!(columnsOf(await files.read(name)) ?? new Set())
    if (files.isZip ? isJournal(name) : !(await isCsv())) journals.push(name)
  }
  if (journals.length === 0) return yield* csvRecords(files, neodb)
  const catalog = files.names.find((name) => baseOf(name) === 'catalog.ndjson')
  const titles = new Map<string, Record<string, string>>()
  for (const item of catalog ? readNdjson(await files.read(catalog), files.count) : []) {
    const title = 'value' in item ? titleColumnsOf(item.value) : null
    if (title) titles.set(title.address, title.columns)
    files.refuse(titles.size)
  }
  for (const name of journals) {
    const file = baseOf(name) || 'journal.ndjson'
    for (const item of readNdjson(await files.read(name), files.count)) {
      const found = 'value' in item ? recordColumnsOf(item.value) : []
      for (const { address, columns: own } of found) {
        const columns = { ...titles.get(address), ...own }
        yield { file, line: item.index, raw: rawOf(Object.keys(columns), Object.values(columns)) }
      }
      // The first line describes the export.
      if (found.length === 0 && item.index > 1) yield unreadable(file, item)
    }
  }
}

const notKeptTypes: Record<string, string> = {
  Note: 'notes',
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
]

/** The ids in the addresses of a title at other services. */
const linkedIds: [ParsedId['source'], RegExp][] = [
  ['tmdb-movie', /themoviedb\.org\/movie\/(\d{1,10})/],
  ['tmdb-tv', /themoviedb\.org\/tv\/(\d{1,10})\/?$/],
  ['imdb', /imdb\.com\/title\/(tt\d{5,10})/],
  ['olid-edition', /openlibrary\.org\/books\/(OL\d{1,12}M)/],
  ['olid-work', /openlibrary\.org\/works\/(OL\d{1,12}W)/],
]

function infoOf(record: FileRecord): Map<string, string> {
  const found = cell(record, 'info')
    .slice(0, 4_000)
    .matchAll(/(?:^| )(\w+):(.*?)(?= \w+:|$)/gs)
  return new Map(Array.from(found, ([, key, value]) => [key!, value!]))
}

export const neodb: Format = {
  isHeader: (columns) => columns.has('links') && columns.has('timestamp') && columns.has('info'),
  isZip: ({ files }) => files.some(isJournal),
  isJson: (head) => /^\{[^\n]*"neodb_version"/.test(head),
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
  records,
  shelfOf: (record) => cell(record, 'status'),
  parse({ record, notes, get, line, rating, date, status, text }) {
    const type = get('type')
    if (Object.hasOwn(notKeptTypes, type)) return { type: 'notKept', what: notKeptTypes[type]! }
    if (Object.hasOwn(record.raw, 'progress')) return { type: 'notKept', what: 'notes' }
    const list = { key: get('list'), name: line('list name') || 'List' }
    if (type === 'Collection')
      return listOf({
        ...list,
        description: text('comment'),
        createdOn: date('timestamp'),
        updatedOn: date('updated'),
      })
    const isOfList = type === 'CollectionItem'
    const name = line('title')
    const links = get('links').split(/\s+/, 50)
    const info = infoOf(record)
    const kind = kindsByPath.find(([path]) => path.test(links[0] ?? ''))?.[1] ?? 'other'
    if (name === '') return noName
    if (kind === 'season' || info.has('season_number')) return { type: 'notKept', what: 'seasons' }
    if (kind === 'other') return { type: 'notKept', what: 'other media' }

    const id = /\/([\w-]{5,40})\/?$/.exec(links[0] ?? '')?.[1] ?? null
    const linked = linkedIds.map(
      ([source, pattern]) => [source, links.flatMap((link) => pattern.exec(link)?.[1] ?? [])[0]] as const,
    )
    const imdb = imdbIdOf(info.get('imdb') ?? '')
    const on = date('timestamp')
    const title = line('title (2)')
    const written = isOfList ? '' : get('content') || get('comment')
    const given = status(get('status'))
    return titleOf({
      kind,
      name,
      year: yearOf(info.get('year') ?? info.get('pub_year') ?? ''),
      authors: kind === 'book' ? namesOf(info.get('author') ?? '', '/') : [],
      ids: [
        ['neodb', id],
        ['imdb', imdb],
        ['isbn13', kind === 'book' ? isbnOf([info.get('isbn') ?? ''], notes) : null],
        ...linked.filter(([source]) => source !== 'imdb' || imdb === null),
      ],
      rating: rating('rating', { min: 1, max: 10 }),
      ratedOn: on,
      review: textOf(title === '' ? written : `${title}\n\n${written}`, notes, { isHtml: false }),
      reviewedOn: on,
      entries: [
        {
          status: given,
          startedOn: given === 'started' ? dayOf(on) : null,
          finishedOn: dayOf(on),
          origin: id && `neodb:${id}`,
          addedOn: on,
        },
      ],
      listItems: isOfList
        ? [listItemOf({ ...list, position: Number(get('position')), note: text('comment') })]
        : [],
      notKept: [get('tags') !== '' && 'tags'],
    })
  },
}
