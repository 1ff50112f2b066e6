import type { Format } from './format.ts'
import { partOf } from './plays.ts'
import { titleOf } from './records.ts'
import { numberIdOf } from './values.ts'

// Serializd exports nothing itself. Programs of its community write what its API says, some with names of their own.
const names = {
  name: ['showname', 'show name', 'show', 'title', 'name'],
  date: ['backdate', 'dateadded', 'date', 'watchedon', 'watcheddate', 'watched date'],
  review: ['reviewtext', 'review'],
  spoilers: ['containsspoilers', 'containsspoiler', 'spoilers'],
  season: ['seasonnumber', 'seasonname', 'season', 'seasonid'],
  episode: ['episodenumber', 'episode', 'episodeid'],
}

export const serializd: Format = {
  isHeader: (columns) => columns.has('showid') && columns.has('isrewatch'),
  columns: [...Object.values(names).flat(), ...'showid,rating,isrewatch,tags,like,liked'.split(',')],
  requiredColumns: ['rating'],
  parse({ options, get, line, date, isYes, text, rating }) {
    const columnOf = (field: keyof typeof names) => names[field].find((name) => get(name) !== '') ?? ''
    const isSaid = (column: string) => column !== '' && !/^(null|none|nan|undefined|-|-1)$/i.test(get(column))
    const [isOfEpisode, isOfSeason] = [isSaid(columnOf('episode')), isSaid(columnOf('season'))]
    const given = rating('rating', { min: 1, max: 10 })
    const on = date(columnOf('date'))
    const hasTags = get('tags') !== '' && !/^\[\s*\]$/.test(get('tags'))
    const isLiked = isYes('like') || isYes('liked')
    const about = {
      kind: 'tvShow' as const,
      name: line(columnOf('name')),
      ids: [['tmdb-tv', numberIdOf(get('showid'))] as const],
      rating: given,
      ratedOn: on,
      review: text(columnOf('review')),
      reviewedOn: on,
      hasSpoilers: isYes(columnOf('spoilers')),
    }
    if (isOfEpisode || isOfSeason) {
      // “Season 2”; the number of an episode is a column of its own.
      const numberAt = (field: 'season' | 'episode', id: string) =>
        columnOf(field) === id ? '?' : get(columnOf(field))
      const season = numberAt('season', 'seasonid')
      const number = /^specials$/i.test(season) ? '0' : (/^(?:\D*\s)?(\d{1,6})$/.exec(season)?.[1] ?? '')
      const id = numberIdOf(get('seasonid'))
      const part = partOf(
        number,
        isOfEpisode ? numberAt('episode', 'episodeid') : '',
        !isOfEpisode && id ? `tmdb:${id}` : '',
      )
      if (!part || given === null) return { type: 'notKept', what: isOfEpisode ? 'episodes' : 'seasons' }
      return titleOf({ ...about, part, notKept: [hasTags && 'tags', isLiked && 'likes'] })
    }
    return titleOf({
      ...about,
      isFavorite: isLiked && options.likes,
      entries: [
        {
          status: 'finished',
          finishedOn: on?.slice(0, 10) ?? null,
          isAgain: isYes('isrewatch'),
          isImplied: on === null,
        },
      ],
      notKept: [hasTags && 'tags', isLiked && !options.likes && 'likes'],
    })
  },
}
