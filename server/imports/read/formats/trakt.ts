import type { Files, Format } from './format.ts'
import { columnsOfPlays, episodeIdAt, partOf, playOf, playsIn } from './plays.ts'
import { listItemOf, listOf, type MaybeEntry, type ParsedPart, type Records, titleOf } from './records.ts'
import { imdbIdOf, numberIdOf } from './values.ts'
import { readJson } from './read-json.ts'
import { baseOf, itemRecord, listAt, textAt, unreadable, valueAt } from './rows.ts'

/** `plays`, `episode_id` and `season_id` are set by the reader; the names without `movie` and `show` from `name` on are about lists. */
const paths = [
  ...'id type rating rated_at watched_at last_watched_at first_watched_at listed_at collected_at'.split(' '),
  ...'episode.season episode.number season.number season_id episode_id plays'.split(' '),
  ...'notes rank item_count name description display_numbers created_at updated_at ids.trakt'.split(' '),
  ...['movie', 'show'].flatMap((about) =>
    'title year ids.trakt ids.imdb ids.tmdb ids.tvdb'.split(' ').map((path) => `${about}.${path}`),
  ),
]

const traktFile = /^(ratings|watched|lists|collection|comments)-[\w-]{1,200}\.json$/
/** `lists-list-77-rainy-days.json` */
const listFile = /^lists-list-(\d{1,12})-?(.*)\.json$/

/** All episodes would exceed the maximum of a line. */
function firstWatchedAt(item: unknown): string {
  const episodes = listAt(item, 'seasons').flatMap((season) => listAt(season, 'episodes'))
  const times = episodes.map((episode) => textAt(episode, 'last_watched_at', 40))
  return times.filter((time) => time !== '' && !time.startsWith('1970')).sort()[0] ?? ''
}

const watched = { time: 'last_watched_at', times: 'plays' }

async function* records(files: Files): Records {
  // It has all plays, and the files about shows only the last ones.
  const hasHistory = files.names.some((name) => baseOf(name).startsWith('watched-history'))
  for (const name of files.names) {
    const file = baseOf(name)
    if (name !== '' && !traktFile.test(file)) continue
    for (const item of readJson(await files.read(name), files.count)) {
      if (!('value' in item) || item.index === 0) yield unreadable(file, item)
      else {
        const value = item.value as { show?: unknown; episode?: unknown }
        const [plays = '', ...more] = hasHistory ? [] : columnsOfPlays(value, watched)
        const read = {
          first_watched_at: firstWatchedAt(value),
          episode_id: episodeIdAt(value, 'episode.ids'),
          season_id: episodeIdAt(value, 'season.ids'),
          plays,
        }
        yield itemRecord(file, item.index, { ...value, ...read }, paths)
        for (const others of more)
          yield itemRecord(file, item.index, { show: value.show, plays: others }, paths)
      }
    }
  }
}

function ratedPart(get: (column: string) => string): ParsedPart | undefined {
  if (get('type') === 'season') return partOf(get('season.number'), '', get('season_id'))
  if (get('type') !== 'episode' || get('episode.number') === '') return undefined
  return partOf(get('episode.season'), get('episode.number'), get('episode_id'))
}

/** Undefined if the item says something about a title or a list. */
function notKeptOf(file: string, get: (column: string) => string): string | undefined {
  if (file.startsWith('comments-')) return 'comments'
  if (get('collected_at') !== '') return 'collection'
  const isRated = get('rating') !== '' && ratedPart(get) !== undefined
  if (get('type') === 'season' && !isRated) return 'seasons'
  if (get('type') === 'episode' && get('watched_at') === '' && !isRated) return 'episodes'
  return get('type') === 'person' ? 'people' : undefined
}

export const trakt: Format = {
  isZip: ({ files }) =>
    files.some((file) => traktFile.test(baseOf(file)) && /^(ratings|watched|lists)-/.test(baseOf(file))),
  isJson(head, bytes) {
    if (!head.startsWith('[')) return false
    const { value: first } = readJson(bytes, () => {}).next()
    const idAt = (path: string) => typeof valueAt(first && 'value' in first && first.value, path)
    return idAt('movie.ids.trakt') === 'number' || idAt('show.ids.trakt') === 'number'
  },
  records,
  parse({ record, options, notes, get, line, text, year, date, day, isYes, rating }) {
    const file = baseOf(record.file)
    const what = notKeptOf(file, get)
    if (what !== undefined) return { type: 'notKept', what }
    if (get('item_count') !== '')
      // Who may read it is decided here.
      return listOf({
        key: get('ids.trakt') || get('name'),
        name: get('name'),
        description: text('description'),
        isRanked: isYes('display_numbers'),
        createdOn: date('created_at'),
        updatedOn: date('updated_at'),
      })

    const about = get('movie.title') === '' ? 'show' : 'movie'
    const kind = about === 'movie' ? 'movie' : 'tvShow'
    const idAt = (source: string) => numberIdOf(get(`${about}.ids.${source}`))
    const isPlay = get('type') === 'episode' && get('watched_at') !== ''
    const id = numberIdOf(get('id'))
    const plays = isPlay
      ? playOf({
          season: get('episode.season'),
          number: get('episode.number'),
          day: get('watched_at').startsWith('1970') ? null : day('watched_at'),
          episodeId: get('episode_id'),
          origin: id && `trakt:history:${id}`,
        })
      : playsIn(get('plays'), notes)
    const originOf = (what: string) => idAt('trakt') && `trakt:${what}:${kind}:${idAt('trakt')}`
    return titleOf({
      kind,
      name: line(`${about}.title`),
      year: year(`${about}.year`),
      ids: [
        ['trakt', idAt('trakt')],
        ['tmdb-movie', idAt('tmdb')],
        ['tmdb-tv', idAt('tmdb')],
        ['tvdb', idAt('tvdb')],
        ['imdb', imdbIdOf(get(`${about}.ids.imdb`))],
      ],
      rating: rating('rating', { min: 1, max: 10 }),
      ratedOn: date('rated_at'),
      part: isPlay ? undefined : ratedPart(get),
      entries: entriesOf(),
      plays: kind === 'tvShow' ? plays : [],
      isFavorite: file.startsWith('lists-favorites'),
      listItems: listItemsOf(),
      notKept: [isPlay && plays.length === 0 && 'episodes'],
    })

    function listItemsOf() {
      const [, key, slug = ''] = listFile.exec(file) ?? []
      if (key === undefined) return []
      const position = Number(get('rank')) || record.line
      const name = slug.replaceAll('-', ' ') || 'List'
      return [listItemOf({ key, name, position, note: text('notes'), addedOn: date('listed_at') })]
    }

    function entriesOf(): MaybeEntry[] {
      if (file.startsWith('lists-watchlist'))
        return [{ status: 'want', text: text('notes'), origin: originOf('want'), addedOn: date('listed_at') }]
      // `watched` has only the last play; the history of newer exports has all.
      const isHistory = get('watched_at') !== ''
      if (!isHistory && get('last_watched_at') === '') return []
      const finishedOn = day(isHistory ? 'watched_at' : 'last_watched_at')
      if (kind === 'tvShow') {
        if (plays.length > 0) return [{ status: options.shows, isOfPlays: true, origin: originOf('show') }]
        const startedOn = isHistory ? finishedOn : day('first_watched_at')
        return [{ status: options.shows, startedOn, finishedOn, origin: originOf('show') }]
      }
      if (!isHistory)
        return [{ status: 'finished', finishedOn, origin: originOf('watched'), isImplied: true }]
      return [{ status: 'finished', finishedOn, origin: id && `trakt:history:${id}`, isOfHistory: true }]
    }
  },
}
