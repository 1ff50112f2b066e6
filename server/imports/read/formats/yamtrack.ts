import { idPatterns, type Kind } from '#shared/domain/kinds.ts'
import type { Format } from './format.ts'
import { partOf, playOf } from './plays.ts'
import { titleOf } from './records.ts'
import { imdbIdOf, numberIdOf } from './values.ts'

/** An anime may be a film; its id at MyAnimeList is no id here, so it is found by name. */
const kindsByType = new Map<string, Kind>([
  ['movie', 'movie'],
  ['tv', 'tvShow'],
  ['anime', 'tvShow'],
  ['book', 'book'],
  ['manga', 'book'],
  ['comic', 'book'],
  ['game', 'game'],
])

const olidOf = (form: 'olid-edition' | 'olid-work', id: string) => (idPatterns[form].test(id) ? id : null)

const isRepeat = (status: string) => /^repeating$/i.test(status)
/** The member is not asked what is known here. */
const shelfOf = (status: string) => (isRepeat(status) ? '' : status)

export const yamtrack: Format = {
  isHeader: (columns) => columns.has('media_id') && columns.has('source') && columns.has('media_type'),
  columns: [
    ...'media_id,source,media_type,title,score,progress,status,repeats,start_date,end_date,notes'.split(','),
    ...'created_at,progressed_at,season_number,episode_number'.split(','),
  ],
  requiredColumns: ['title', 'score', 'status'],
  shelfOf: ({ get }) => (kindsByType.has(get('media_type').toLowerCase()) ? shelfOf(get('status')) : ''),
  parse({ get, line, date, day, text, rating, status: statusOf }) {
    const type = get('media_type').toLowerCase()
    const isEpisode = type === 'episode'
    const isPart = isEpisode || type === 'season'
    const kind = isPart ? 'tvShow' : kindsByType.get(type)
    if (!kind) return { type: 'notKept', what: 'other media' }
    const source = get('source').toLowerCase()
    const id = line('media_id', 40)
    const idAt = (...names: string[]) => (names.includes(source) ? id : '')
    // A title that was entered by hand has an id of one instance.
    const isOfSource = source !== '' && source !== 'manual' && id !== ''
    const own = isOfSource ? `${isPart ? 'tv' : type}:${source}:${id}`.slice(0, 100) : null

    const isRepeating = isRepeat(get('status'))
    const status = isRepeating ? 'started' : statusOf(get('status'))
    const createdAt = get('created_at').slice(0, 40)
    const about = {
      kind,
      name: line('title'),
      ids: [
        ['yamtrack', own],
        ['tmdb-movie', numberIdOf(idAt('tmdb'))],
        ['tmdb-tv', numberIdOf(idAt('tmdb'))],
        ['tvdb', numberIdOf(idAt('tvdb'))],
        ['imdb', imdbIdOf(idAt('imdb'))],
        ['igdb', numberIdOf(idAt('igdb'))],
        ['olid-edition', olidOf('olid-edition', idAt('openlibrary'))],
        ['olid-work', olidOf('olid-work', idAt('openlibrary'))],
      ],
    } satisfies Parameters<typeof titleOf>[0]
    // The importers of Yamtrack write 0 for what has no rating.
    const given = rating('score', { max: 10 })
    if (isPart) {
      const [season, number] = [get('season_number'), isEpisode ? get('episode_number') : '']
      const part = isEpisode && number === '' ? undefined : partOf(season, number)
      const origin = own && createdAt && `yamtrack:${own}:${season}x${number}:${createdAt}`
      const plays = isEpisode ? playOf({ season, number, day: day('end_date'), origin }) : []
      if (!part || (!isEpisode && given === null)) return { type: 'notKept', what: `${type}s` }
      return titleOf({ ...about, plays, part, rating: given, ratedOn: day('end_date') })
    }

    const note = text('notes', 'plain')
    return titleOf({
      ...about,
      rating: given,
      entries: [
        {
          status,
          startedOn: day('start_date'),
          finishedOn: day('end_date'),
          text: note,
          origin: own && createdAt && `yamtrack:${own}:${createdAt}`,
          addedOn: date('created_at'),
          updatedOn: date('progressed_at'),
          ...(isRepeating && { isAgain: true }),
          // Each time is a row of its own.
          ...(status === 'finished' && { isOfHistory: true }),
        },
      ],
      notKept: [
        kind !== 'movie' && /[1-9]/.test(get('progress')) && 'progress',
        /[1-9]/.test(get('repeats')) && 'repeats',
        !status && note !== '' && 'notes',
      ],
    })
  },
}
