import type { Format } from './format.ts'
import { titleOf } from './records.ts'
import { numberIdOf } from './values.ts'

// Serializd exports nothing itself. Programs of its community write what its API says, some with names of their own.
const names = {
  name: ['showname', 'show name', 'show', 'title', 'name'],
  date: ['backdate', 'dateadded', 'date', 'watchedon', 'watcheddate', 'watched date'],
  review: ['reviewtext', 'review'],
  spoilers: ['containsspoilers', 'containsspoiler', 'spoilers'],
  season: ['seasonid', 'seasonnumber', 'seasonname', 'season'],
  episode: ['episodenumber', 'episodeid', 'episode'],
}

export const serializd: Format = {
  isHeader: (columns) => columns.has('showid') && columns.has('isrewatch'),
  columns: [...Object.values(names).flat(), ...'showid,rating,isrewatch,tags,like,liked'.split(',')],
  requiredColumns: ['rating'],
  parse({ options, get, line, date, text, rating }) {
    const columnOf = (field: keyof typeof names) => names[field].find((name) => get(name) !== '') ?? ''
    const isSaid = (column: string) => column !== '' && !/^(null|none|nan|undefined|-|-1)$/i.test(get(column))
    if (isSaid(columnOf('episode'))) return { type: 'notKept', what: 'episodes' }
    if (isSaid(columnOf('season'))) return { type: 'notKept', what: 'seasons' }
    const isYes = (column: string) => /^(true|yes|1)$/i.test(get(column))
    const on = date(columnOf('date'))
    const isLiked = isYes('like') || isYes('liked')
    return titleOf({
      isFavorite: isLiked && options.likes,
      kind: 'tvShow',
      name: line(columnOf('name')),
      ids: [['tmdb-tv', numberIdOf(get('showid'))]],
      rating: rating('rating', { min: 1, max: 10 }),
      ratedOn: on,
      review: text(columnOf('review')),
      reviewedOn: on,
      hasSpoilers: isYes(columnOf('spoilers')),
      entries: [
        {
          status: 'finished',
          finishedOn: on?.slice(0, 10) ?? null,
          isAgain: isYes('isrewatch'),
          isImplied: on === null,
        },
      ],
      notKept: [
        get('tags') !== '' && !/^\[\s*\]$/.test(get('tags')) && 'tags',
        isLiked && !options.likes && 'likes',
      ],
    })
  },
}
