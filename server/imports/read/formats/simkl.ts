import type { Format } from './format.ts'
import { columnsOfPlays, playsIn } from './plays.ts'
import type { JsonValue } from './read-json.ts'
import { type Row, titleOf } from './records.ts'
import { listAt, textAt } from './rows.ts'
import { dateOf, dayOf, imdbIdOf, kindOf, numberIdOf } from './values.ts'

const columns = [
  ...'simkl_id,title,type,year,watchlist,lastepwatched,watcheddate,rating,memo,tvdb,tvdb_id,tmdb'.split(','),
  ...'tmdb_id,imdb,imdb_id'.split(','),
]

const isBackup = (head: string) => /"ids"\s*:\s*\{[^{}]{0,500}"simkl"\s*:/.test(head)
const isJsonFile = (file: string) => /\.json$/i.test(file)

/** As in a row of the CSV. */
function columnsOf(section: string, item: object): Row {
  const about = (['movie', 'show', 'anime'] as const).find((key) => key in item)
  const at = (path: string) => textAt(item, about ? `${about}.${path}` : path)
  const isMovie = about === 'movie' || section === 'movies' || textAt(item, 'anime_type') === 'movie'
  const episodes = listAt(item, 'seasons').flatMap((season) => listAt(season, 'episodes'))
  const times = episodes.map((episode) => textAt(episode, 'watched_at', 40)).filter(Boolean)
  const seen = textAt(item, 'watched_episodes_count', 10)
  return {
    simkl_id: at('ids.simkl') || at('ids.simkl_id'),
    title: at('title'),
    type: isMovie ? 'movie' : 'tv',
    year: at('year'),
    watchlist: textAt(item, 'status'),
    lastepwatched:
      textAt(item, 'last_watched') || (episodes.length > 0 ? 'some' : isMovie || seen === '0' ? '' : seen),
    watcheddate: textAt(item, 'last_watched_at') || times.sort().at(-1) || '',
    first_watched_at: times.sort()[0] ?? '',
    rating: textAt(item, 'user_rating') || textAt(item, 'rating'),
    rated_at: textAt(item, 'user_rated_at') || textAt(item, 'rated_at'),
    added_at: textAt(item, 'added_to_watchlist_at'),
    is_rewatch: textAt(item, 'is_rewatch'),
    memo: textAt(item, 'memo.text') || textAt(item, 'memo'),
    tvdb: at('ids.tvdb'),
    tmdb: at('ids.tmdb'),
    imdb: at('ids.imdb'),
  }
}

const watched = { time: 'watched_at', times: 'plays' }

/** What says which title is meant. */
function aboutOf(raw: Row): Row {
  const about = ['simkl_id', 'title', 'type', 'year', 'tvdb', 'tmdb', 'imdb']
  return Object.fromEntries(Object.entries(raw).filter(([column]) => about.includes(column)))
}

/** Values beside the lists describe the backup. */
function rowsOf({ section, index, value }: JsonValue): Row[] {
  if (index === 0) return []
  const row = columnsOf(section, value as object)
  const [plays = '', ...more] = row['type'] === 'tv' ? columnsOfPlays(value, watched) : []
  return [{ ...row, plays }, ...more.map((others) => ({ ...aboutOf(row), plays: others }))]
}

export const simkl: Format = {
  isHeader: (header) => header.has('simkl_id'),
  isZip: ({ hasHead }) => hasHead(isJsonFile, isBackup),
  isJson: isBackup,
  columns,
  requiredColumns: ['title', 'type', 'watchlist', 'rating'],
  rowsOf,
  shelfOf: ({ get }) => get('watchlist'),
  parse({ notes, get, line, year, date, isYes, text, rating, status: statusOf }) {
    const type = get('type')
    const [tvdb, tmdb, imdb] = (['tvdb', 'tmdb', 'imdb'] as const).map((id) => get(id) || get(`${id}_id`))
    const kind = type === '' ? (tvdb === '' ? 'movie' : 'tvShow') : kindOf(type)
    if (kind !== 'movie' && kind !== 'tvShow') return { type: 'notKept', what: 'other media' }
    const id = numberIdOf(get('simkl_id'))
    const status = statusOf(get('watchlist'))
    // The day comes first.
    const watchedOn = dayOf(dateOf(get('watcheddate'), notes, 'dmy'))
    const startedOn = dayOf(dateOf(get('first_watched_at'), notes))
    const note = text('memo', 'plain')
    const isRewatch = isYes('is_rewatch')
    const plays = playsIn(get('plays'), notes)
    return titleOf({
      kind,
      name: line('title'),
      year: year('year'),
      ids: [
        ['simkl', id],
        ['tmdb-movie', numberIdOf(tmdb!)],
        ['tmdb-tv', numberIdOf(tmdb!)],
        ['tvdb', kind === 'tvShow' ? numberIdOf(tvdb!) : null],
        ['imdb', imdbIdOf(imdb!)],
      ],
      rating: rating('rating', { min: 1, max: 10 }),
      ratedOn: date('rated_at'),
      plays,
      entries: [
        {
          status,
          startedOn: kind === 'tvShow' ? startedOn : null,
          finishedOn: watchedOn,
          text: note,
          origin: id && !isRewatch ? `simkl:${id}` : null,
          addedOn: date('added_at'),
          ...(isRewatch && { isAgain: true }),
        },
      ],
      notKept: [
        kind === 'tvShow' && get('lastepwatched') !== '' && plays.length === 0 && 'episodes',
        !status && note !== '' && 'notes',
      ],
    })
  },
}
