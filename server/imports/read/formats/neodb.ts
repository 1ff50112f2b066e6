import type { Kind } from '#shared/domain/kinds.ts'
import type { Files, Format } from './format.ts'
import { listItemOf, listOf, noName, type ParsedId, type Records, titleOf } from './records.ts'
import { dayOf, imdbIdOf, namesOf, textOf, yearOf } from './values.ts'
import { readNdjson } from './read-json.ts'
import { baseOf, recordsIn, headerOf, headersOf, itemRecord, listAt, textAt, unreadable } from './rows.ts'

// Of the CSV export; the reader of the NDJSON export writes these columns too.

const columns = 'title,info,links,timestamp,status,rating,tags,progress,title (2),comment,content'.split(',')
const journalColumns = [...columns, 'type', 'list', 'list name', 'position', 'updated']

type Row = Record<string, string>

/** Of `catalog.ndjson`; null if it is not a title. */
function titleColumnsOf(item: unknown): { address: string; columns: Row } | null {
  const address = textAt(item, 'url', 400) || textAt(item, 'id', 400)
  const title = textAt(item, 'display_title', 400) || textAt(item, 'title', 400)
  if (address === '' || title === '') return null
  const links = listAt(item, 'external_resources').map((each) => textAt(each, 'url', 400))
  const info = [
    ...['imdb', 'isbn', 'year', 'pub_year', 'season_number'].map((key) => [key, textAt(item, key, 100)]),
    ['author', listAt(item, 'author').join('/').slice(0, 1_000)],
  ]
  return {
    address,
    columns: {
      title,
      info: info.flatMap(([key, value]) => (value === '' ? [] : [`${key}:${value}`])).join(' '),
      links: [address, ...links].slice(0, 20).join(' '),
    },
  }
}

/** Of `journal.ndjson`, with the address of its title; a collection has several. */
function recordColumnsOf(item: unknown): { address: string; columns: Row }[] {
  const type = textAt(item, 'type', 40)
  const textOfType = (wanted: string, path: string) =>
    type === wanted ? textAt(item, `content.${path}`) : ''
  const timestamp = textAt(item, 'content.published', 40)
  if (type === '') return []
  if (type !== 'Collection') {
    const columns = {
      type,
      timestamp,
      status: textOfType('ShelfMember', 'status'),
      rating: textOfType('Rating', 'value'),
      comment: textOfType('Comment', 'content'),
      'title (2)': textOfType('Review', 'name'),
      content: textOfType('Review', 'content'),
    }
    return [{ address: textAt(item, 'content.withRegardTo', 400), columns }]
  }
  const name = textAt(item, 'content.name', 200)
  const list = { list: textAt(item, 'content.id', 300) || name, 'list name': name }
  const updated = textAt(item, 'content.updated', 40)
  const comment = textAt(item, 'content.content', 10_000)
  return [
    { address: '', columns: { type, ...list, comment, timestamp, updated } },
    ...listAt(item, 'items').map((each, at) => ({
      address: textAt(each, 'item', 400),
      columns: {
        type: 'CollectionItem',
        ...list,
        comment: textAt(each, 'metadata.note', 1_000),
        position: String(at + 1),
      },
    })),
  ]
}

const isJournal = (file: string) => baseOf(file) === 'journal.ndjson'

async function* records(files: Files): Records {
  const journals: string[] = []
  for (const name of files.names) {
    const isCsv = async () => headerOf(headersOf(await files.read(name)), neodb) !== undefined
    if (files.isZip ? isJournal(name) : !(await isCsv())) journals.push(name)
  }
  if (journals.length === 0) return yield* recordsIn(files, neodb)
  const catalog = files.names.find((name) => baseOf(name) === 'catalog.ndjson')
  const titles = new Map<string, Row>()
  for (const item of catalog ? readNdjson(await files.read(catalog), files.count) : []) {
    const title = 'value' in item ? titleColumnsOf(item.value) : null
    if (title) titles.set(title.address, title.columns)
    files.refuse(titles.size)
  }
  for (const name of journals) {
    const file = baseOf(name) || 'journal.ndjson'
    for (const item of readNdjson(await files.read(name), files.count)) {
      const found = 'value' in item ? recordColumnsOf(item.value) : []
      for (const { address, columns } of found)
        yield itemRecord(file, item.index, { ...titles.get(address), ...columns }, journalColumns)
      // The first line describes the export.
      if (found.length === 0 && item.index > 1) yield unreadable(file, item)
    }
  }
}

const notKeptTypes = new Map([
  ['Note', 'notes'],
  ['Tag', 'tags'],
  ['TagMember', 'tags'],
  ['ShelfLog', 'changes of status'],
  ['post', 'posts'],
  ['Post', 'posts'],
])

const kindsByPath: [RegExp, Kind | 'season'][] = [
  [/\/tv\/(season|episode)\//, 'season'],
  [/\/movie\//, 'movie'],
  [/\/tv\//, 'tvShow'],
  [/\/book\//, 'book'],
  [/\/game\//, 'game'],
]

const linkedIds: [ParsedId['source'], RegExp][] = [
  ['tmdb-movie', /themoviedb\.org\/movie\/(\d{1,10})/],
  ['tmdb-tv', /themoviedb\.org\/tv\/(\d{1,10})\/?$/],
  ['imdb', /imdb\.com\/title\/(tt\d{5,10})/],
  ['olid-edition', /openlibrary\.org\/books\/(OL\d{1,12}M)/],
  ['olid-work', /openlibrary\.org\/works\/(OL\d{1,12}W)/],
]

/** `imdb:tt0133093 year:1999 director:A B/C` */
function infoOf(value: string): Map<string, string> {
  const found = value.slice(0, 4_000).matchAll(/(?:^| )(\w+):(.*?)(?= \w+:|$)/gs)
  return new Map(Array.from(found, ([, key, value]) => [key!, value!]))
}

export const neodb: Format = {
  isHeader: (columns) => columns.has('links') && columns.has('timestamp') && columns.has('info'),
  isZip: ({ files }) => files.some(isJournal),
  isJson: (head) => /^\{[^\n]*"neodb_version"/.test(head),
  columns,
  records,
  shelfOf: ({ get }) => get('status'),
  parse({ record, notes, get, line, rating, date, status, text, isbn }) {
    const type = get('type')
    const what = notKeptTypes.get(type) ?? (Object.hasOwn(record.raw, 'progress') ? 'notes' : undefined)
    if (what !== undefined) return { type: 'notKept', what }
    const list = { key: get('list'), name: line('list name') || 'List' }
    if (type === 'Collection') {
      const [createdOn, updatedOn] = [date('timestamp'), date('updated')]
      return listOf({ ...list, description: text('comment'), createdOn, updatedOn })
    }
    const isOfList = type === 'CollectionItem'
    const name = line('title')
    const links = get('links').split(/\s+/, 50)
    const info = infoOf(get('info'))
    const kind = kindsByPath.find(([path]) => path.test(links[0] ?? ''))?.[1]
    if (name === '') return noName
    if (kind === 'season' || info.has('season_number')) return { type: 'notKept', what: 'seasons' }
    if (!kind) return { type: 'notKept', what: 'other media' }

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
        ['isbn13', kind === 'book' ? isbn(info.get('isbn') ?? '') : null],
        ...linked.filter(([source]) => source !== 'imdb' || imdb === null),
      ],
      rating: rating('rating', { min: 1, max: 10 }),
      ratedOn: on,
      review: textOf(title === '' ? written : `${title}\n\n${written}`, notes),
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
