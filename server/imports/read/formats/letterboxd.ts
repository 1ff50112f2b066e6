import { noteOf } from '#shared/texts/import-notes.ts'
import { fold, searchText } from '#server/db/fold.ts'
import type { Files, Format } from './format.ts'
import {
  type FileRecord,
  listItemOf,
  listOf,
  type MaybeEntry,
  type Records,
  titleOf,
  type UnreadableRecord,
} from './records.ts'
import { imdbIdOf, lineOf, namesOf, numberIdOf, yearOf } from './values.ts'
import { readCsv } from './read-csv.ts'
import { baseOf, knownColumns, headerOf, headersOf, rawOf, tableRecords } from './rows.ts'

// The address of a film differs from the addresses of its diary entries, so lines are joined by name and year. Of films that share both,
// each address is a title of its own, and the member says which one is meant.

/** If the file does not say whether they were watched or are wanted. */
const unknownList = 'Films of this file'

/** Of the form that Letterboxd imports. It has no addresses. */
const uploadColumns = ['title', 'watcheddate', 'rating10']
/** Set by an export of Medley: the form has no column for it. */
const spoilersTag = 'spoilers'
const uploadFile = 'upload.csv'

function isUploadHeader(given: ReadonlySet<string>): boolean {
  const others = ['tmdbid', 'imdbid', 'rating', 'rating10', 'rewatch', 'review']
  // Files of Simkl and Serializd may have the same columns beside ids of their own.
  const isOfOther = given.has('simkl_id') || given.has('showid')
  const isUpload = given.has('title') && given.has('watcheddate') && !isOfOther
  return isUpload && others.some((column) => given.has(column))
}

const columns = [
  ...'name,year,letterboxd uri,date,watched date,rating,rewatch,tags,review'.split(','),
  ...'position,url,description,tmdbid,imdbid,content,comment'.split(','),
  ...uploadColumns,
  // Set by the reader: the list of the film, and whether the file has several films of this name and year.
  ...'list,list name,namesake'.split(','),
]

const pathInZip = /(?:^|[/-])((?:deleted|orphaned|likes|lists)\/[^/]+\.csv|[^/]+\.csv)$/i
const readFiles =
  /^((deleted|orphaned|likes|lists)\/|(ratings|watched|watchlist|diary|reviews|comments)\.csv$)/
const filmFiles = /^(watched|ratings|watchlist|films|likes\/films)\.csv$/

function isListHeader(given: ReadonlySet<string> | undefined): boolean {
  return [...(given ?? [])].some((column) => column.startsWith('letterboxd list export'))
}

function fileOf(given: ReadonlySet<string> | undefined): string {
  if (isListHeader(given)) return 'lists/list.csv'
  if (given && isUploadHeader(given)) return uploadFile
  if (given?.has('review')) return 'reviews.csv'
  if (given?.has('rewatch')) return 'diary.csv'
  return given?.has('rating') ? 'ratings.csv' : 'films.csv'
}

type Paths = { name: string; path: string }[]
type Row = FileRecord | UnreadableRecord

async function* records(files: Files): Records {
  const paths: Paths = files.isZip
    ? files.names.flatMap((name) => {
        const path = pathInZip.exec(name)?.[1]?.toLowerCase()
        return path ? [{ name, path }] : []
      })
    : [{ name: '', path: fileOf(headerOf(headersOf(await files.read('')), letterboxd)?.columns) }]
  const namesakes = await findNamesakes(files, paths)
  const marked = (row: Row): Row =>
    'raw' in row && namesakes.size > 0 && namesakes.has(filmKeyOf(row.raw))
      ? { ...row, raw: { ...row.raw, namesake: 'Yes' } }
      : row
  // The profile has only addresses of films; their names are in the other files.
  const profile = paths.find(({ path }) => path === 'profile.csv')
  const favorites = profile ? favoriteFilms(files, await files.read(profile.name)) : []
  const named = new Map<string, FileRecord['raw']>()
  for (const { name, path } of paths) {
    if (files.isZip && !readFiles.test(path)) continue
    for (const row of fileRecords(files, await files.read(name), lineOf(path))) {
      const address = 'raw' in row ? (row.raw['letterboxd uri'] ?? '') : ''
      if ('raw' in row && favorites.includes(address) && !named.has(address)) named.set(address, row.raw)
      yield marked(row)
    }
  }
  for (const address of favorites) {
    const { name = '', year = '' } = named.get(address) ?? {}
    yield marked({ file: 'profile.csv', line: 2, raw: { name, year, 'letterboxd uri': address } })
  }
}

/** A list consists of two tables after a line that names the format. */
function* fileRecords(files: Files, bytes: Buffer, file: string): Generator<Row> {
  if (!file.startsWith('lists/')) return yield* tableRecords(files, bytes, file, letterboxd)
  let header: string[] | undefined
  const list = {
    list: file,
    'list name': baseOf(file)
      .replace(/\.csv$/, '')
      .replaceAll('-', ' '),
  }
  for (const record of readCsv(bytes, files.count)) {
    const folded = 'cells' in record ? knownColumns(record.cells, columns) : []
    if ('problem' in record) yield { file, ...record }
    else if (folded.includes('name') && folded.includes('url')) header = folded
    else if (header) {
      const raw = rawOf(header, record.cells)
      const isList = !header.includes('position')
      if (isList) Object.assign(list, { list: raw['url'] || file, 'list name': raw['name'] })
      yield { file, line: record.line, raw: { ...raw, ...list } }
    }
  }
}

async function findNamesakes(files: Files, paths: Paths): Promise<ReadonlySet<string>> {
  const addresses = new Map<string, string>()
  const namesakes = new Set<string>()
  for (const { name, path } of paths) {
    if (!filmFiles.test(path)) continue
    for (const row of tableRecords(files, await files.read(name), path, letterboxd)) {
      const address = 'raw' in row ? (row.raw['letterboxd uri'] ?? '').trim() : ''
      const id = idOf(address)
      if (id === null || !('raw' in row)) continue
      const film = filmKeyOf(row.raw)
      // Addresses of two forms may be of one film.
      const key = `${film}|${address.slice(0, address.lastIndexOf(id))}`
      const known = addresses.get(key)
      if (known === undefined) addresses.set(key, id)
      else if (known !== id) namesakes.add(film)
    }
  }
  return namesakes
}

function filmKeyOf(raw: FileRecord['raw']): string {
  const name = lineOf(raw['name'] ?? '')
  return `${searchText(name) || fold(name).trim()}|${yearOf(raw['year'] ?? '') ?? ''}`
}

const idOf = (address: string) => /\/([\w-]{1,40})\/?$/.exec(address)?.[1] ?? null

function favoriteFilms(files: Files, bytes: Buffer): string[] {
  const [profile] = tableRecords(files, bytes, 'profile.csv', { columns: ['favorite films'] })
  const films = profile && 'raw' in profile ? (profile.raw['favorite films'] ?? '') : ''
  const addresses = films.slice(0, 2_000).split(',', 20)
  return [...new Set(addresses.map((each) => each.trim()).filter((each) => /^https?:\/\//.test(each)))]
}

const notKept: [RegExp, string][] = [
  [/^deleted\//, 'deleted entries'],
  [/^comments\.csv$/, 'comments'],
  [/^likes\/(?!films\.csv$)/, 'likes of reviews and lists'],
]

export const letterboxd: Format = {
  isHeader: (given) =>
    (given.has('letterboxd uri') && given.has('name')) || isListHeader(given) || isUploadHeader(given),
  columns,
  records,
  shelfOf: ({ record }) => (record.file === 'films.csv' ? unknownList : ''),
  parse({ record, options, notes, get, line, year, date, day, isYes, rating, text, status }) {
    const file = record.file.replace(/^orphaned\//, '')
    const what = notKept.find(([pattern]) => pattern.test(file))?.[1]
    if (what) return { type: 'notKept', what }
    const isOfList = file.startsWith('lists/')
    const list = { key: get('list'), name: get('list name') || file }
    const description = isOfList ? text('description', 'html') : ''
    if (isOfList && get('position') === '') {
      const tags = get('tags').slice(0, 1_000).split(',', 20)
      return listOf({ ...list, name: get('name') || list.name, description, tags, createdOn: date('date') })
    }
    if (file === 'likes/films.csv' && !options.likes) return { type: 'notKept', what: 'likes' }
    if (file === uploadFile) return upload()
    const name = line('name')
    if (name === '' && file === 'profile.csv') return { type: 'notKept', what: 'favorites' }

    const isNamesake = get('namesake') !== ''
    if (isNamesake) notes.push(noteOf('namesakes'))
    const id = idOf(get('letterboxd uri') || get('url'))
    const addedOn = date('date')
    const given = rating('rating', { min: 0.5, max: 5 })
    const isOfTitle = file === 'ratings.csv'
    const review = file === 'reviews.csv' ? text('review', 'html') : ''
    const isLiked = file === 'likes/films.csv'
    return titleOf({
      kind: 'movie',
      name,
      year: year('year'),
      ids: [
        ['letterboxd', id],
        ['tmdb-movie', numberIdOf(get('tmdbid'))],
        ['imdb', imdbIdOf(get('imdbid'))],
      ],
      rating: given,
      ratedOn: addedOn,
      isRatingOfViewing: !isOfTitle,
      review,
      reviewedOn: addedOn,
      // The only sign of spoilers in the export.
      hasSpoilers: review.startsWith('This review may contain spoilers.'),
      entries: entriesOf().map((entry) => ({ ...entry, ratingGiven: isOfTitle ? null : given, addedOn })),
      isFavorite: isLiked || file === 'profile.csv',
      favoriteOn: isLiked ? addedOn : null,
      listItems: isOfList
        ? [listItemOf({ ...list, position: Number(get('position')), note: description })]
        : [],
      ...(isNamesake && { isNamesake }),
      notKept: [get('tags') !== '' && 'tags'],
    })

    /** The rating of the last viewing is the film’s. Without a date of watching, it is no entry of the diary. */
    function upload() {
      const finishedOn = day('watcheddate')
      const isAgain = isYes('rewatch')
      const tags = namesOf(get('tags'))
      return titleOf({
        kind: 'movie',
        name: line('title') || line('name'),
        year: year('year'),
        ids: [
          ['tmdb-movie', numberIdOf(get('tmdbid'))],
          ['imdb', imdbIdOf(get('imdbid'))],
        ],
        rating: rating('rating', { min: 0.5, max: 5 }) ?? rating('rating10', { min: 1, max: 10 }),
        ratedOn: finishedOn,
        review: text('review', 'html'),
        reviewedOn: finishedOn,
        hasSpoilers: tags.includes(spoilersTag),
        entries: finishedOn === null ? [] : [{ status: 'finished', finishedOn, isAgain }],
        notKept: [tags.some((tag) => tag !== spoilersTag) && 'tags'],
      })
    }

    function entriesOf(): MaybeEntry[] {
      const origin = (form: string) => id && `letterboxd:${form}:${id}`
      if (['watchlist.csv', 'watched.csv', 'films.csv'].includes(file)) {
        const given =
          file === 'films.csv' ? status(unknownList) : file === 'watched.csv' ? 'finished' : 'want'
        const isImplied = given === 'finished'
        return [{ status: given, origin: origin(given === 'want' ? 'want' : 'film'), isImplied }]
      }
      if (file !== 'diary.csv' && file !== 'reviews.csv') return []
      const finishedOn = day('watched date')
      const isAgain = isYes('rewatch')
      // A review without a date of watching is no entry of the diary at Letterboxd.
      const isImplied = finishedOn === null
      return [{ status: 'finished', finishedOn, isAgain, origin: origin('entry'), isImplied }]
    }
  },
}
