import type { Cells, Files, Format } from './format.ts'
import { playOf } from './plays.ts'
import { type LineRecord, type MaybeEntry, type Records, titleOf } from './records.ts'
import { baseOf, recordsIn } from './rows.ts'
import { imdbIdOf, numberIdOf } from './values.ts'

/** What was watched, by TV Time itself and by a program of its community; the shows that a member follows; movies. */
const filesOf = {
  records: /^tracking-prod-records-v2\.csv$/i,
  seen: /^seen_episode_source\.csv$/i,
  episodes: /^tvtime-series-episodes[^/]{0,100}\.csv$/i,
  followed: /^followed_tv_show\.csv$/i,
  movies: /^tracking-prod-records\.csv$/i,
}

const columns = [
  ...'key,series_name,s_id,ep_id,season_number,episode_number,s_no,ep_no,created_at,rewatch_count'.split(','),
  ...'is_followed,is_archived,is_for_later,is_unitary,movie_name,type,release_date,uuid'.split(','),
  ...'tv_show_name,tv_show_id,archived,episode_season_number,episode_id'.split(','),
  ...'series_tvdb_id,series_imdb_id,title,season,episode,tvdb_id,is_watched,watched_at'.split(','),
]

/** A zip also holds tokens and addresses: no other file is opened. */
function isOf(type: keyof typeof filesOf) {
  return (file: string) => filesOf[type].test(baseOf(file))
}

async function* records(files: Files): Records {
  if (!files.isZip) return yield* recordsIn(files, tvtime)
  const read = (type: keyof typeof filesOf) =>
    recordsIn({ ...files, names: files.names.filter(isOf(type)) }, tvtime)
  const idOfName = new Map<string, string>()
  const followed = await Array.fromAsync(read('followed'))
  for (const row of followed)
    if ('raw' in row) idOfName.set(row.raw['tv_show_name'] ?? '', row.raw['tv_show_id'] ?? '')
  const known = new Set<string>()
  for await (const row of read('records')) {
    if ('raw' in row && row.raw['key']?.startsWith('user-series-')) known.add(row.raw['s_id'] ?? '')
    yield row
  }
  // The other files repeat what the newer one has.
  const hasRecords = files.names.some(isOf('records'))
  if (!hasRecords)
    for await (const row of read('seen')) {
      const id = 'raw' in row ? idOfName.get(row.raw['tv_show_name'] ?? '') : undefined
      yield 'raw' in row && id !== undefined ? { ...row, raw: { ...row.raw, tv_show_id: id } } : row
    }
  yield* read('episodes')
  for (const row of followed) if (!('raw' in row) || !known.has(row.raw['tv_show_id'] ?? '')) yield row
  yield* read('movies')
}

type Show = { id: string | null; name: string; imdb?: string | null }

function showOf(
  { options }: Cells,
  { id, name, imdb = null }: Show,
  plays: string[],
  entry?: MaybeEntry,
): LineRecord {
  if (plays.length === 0 && !entry) return { type: 'notKept', what: 'episodes' }
  const ofPlays = { status: options.shows, isOfPlays: true as const, origin: id && `tvtime:show:${id}` }
  return titleOf({
    kind: 'tvShow',
    name,
    ids: [
      ['tvtime', id],
      ['tvdb', id],
      ['imdb', imdb],
    ],
    plays,
    entries: plays.length > 0 ? [ofPlays] : entry ? [entry] : [],
  })
}

function movieOf({ year }: Cells, name: string, entry: MaybeEntry): LineRecord {
  return titleOf({ kind: 'movie', name, year: year('release_date'), entries: [entry] })
}

export const tvtime: Format = {
  isZip: ({ files }) =>
    (['records', 'seen', 'episodes', 'movies'] as const).some((type) => files.some(isOf(type))),
  isHeader: (header) =>
    [
      ['key', 's_id', 'created_at'],
      ['tv_show_name', 'episode_season_number', 'episode_number'],
      ['series_tvdb_id', 'season', 'episode'],
      ['tv_show_name', 'tv_show_id', 'archived'],
      ['type', 'movie_name', 'release_date', 'created_at'],
    ].some((names) => names.every((name) => header.has(name))),
  columns,
  records,
  parse(cells) {
    const { get, line, date, day, isYes } = cells
    const [key, type] = [get('key'), get('type').toLowerCase()]
    const addedOn = date('created_at')
    const watchedOn = day('created_at')
    const isAgain = key.startsWith('rewatch-')

    if (get('series_tvdb_id') !== '' || get('is_watched') !== '') {
      if (!isYes('is_watched')) return { type: 'notKept', what: 'episodes that were not watched' }
      const id = numberIdOf(get('series_tvdb_id'))
      const imdb = imdbIdOf(get('series_imdb_id'))
      const name = line('title') || line('series_name')
      return showOf(cells, { id, name, imdb }, playsOf(id, get('season'), get('episode'), day('watched_at')))
    }
    if (/^(re)?watch-episode-/.test(key)) {
      if (isYes('is_unitary'))
        return movieOf(cells, line('movie_name') || line('series_name'), {
          status: 'finished',
          finishedOn: watchedOn,
          isAgain,
          origin: `tvtime:${key}`,
        })
      const id = numberIdOf(get('s_id'))
      const place = [get('season_number') || get('s_no'), get('episode_number') || get('ep_no')] as const
      return showOf(cells, { id, name: line('series_name') }, playsOf(id, ...place, watchedOn))
    }
    if (key.startsWith('user-series-')) {
      const status = isYes('is_archived')
        ? 'dropped'
        : isYes('is_for_later') || isYes('is_followed')
          ? 'want'
          : null
      const id = numberIdOf(get('s_id'))
      return showOf(cells, { id, name: line('series_name') }, [], followed(status, id))
    }
    if (get('movie_name') !== '' && /^(watch|rewatch|towatch)$/.test(type)) {
      const origin = get('uuid') && `tvtime:${type}:${get('uuid').slice(0, 100)}:${watchedOn ?? ''}`
      const status = type === 'towatch' ? 'want' : 'finished'
      const seen = { finishedOn: watchedOn, isAgain: type === 'rewatch' }
      return movieOf(cells, line('movie_name'), { status, origin, addedOn, ...seen })
    }
    if (get('episode_season_number') !== '') {
      const id = numberIdOf(get('tv_show_id'))
      const place = [get('episode_season_number'), get('episode_number')] as const
      return showOf(cells, { id, name: line('tv_show_name') }, playsOf(id, ...place, watchedOn))
    }
    if (get('tv_show_name') !== '') {
      const id = numberIdOf(get('tv_show_id'))
      const status = isYes('archived') ? 'dropped' : 'want'
      return showOf(cells, { id, name: line('tv_show_name') }, [], followed(status, id))
    }
    return { type: 'notKept', what: 'statistics' }

    function followed(status: MaybeEntry['status'], id: string | null): MaybeEntry {
      return { status, addedOn, origin: id && `tvtime:series:${id}` }
    }

    function playsOf(show: string | null, season: string, number: string, on: string | null): string[] {
      const episodeId = numberIdOf(get('ep_id') || get('episode_id') || get('tvdb_id'))
      return playOf({
        season,
        number,
        day: on,
        times: isAgain ? 1 : 1 + (Number(get('rewatch_count')) || 0),
        ...(episodeId && { episodeId: `tvdb:${episodeId}` }),
        ...(key !== '' && show && { origin: `tvtime:${show}:${season}x${number}:${key}` }),
      })
    }
  },
}
