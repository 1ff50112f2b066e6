import type { DiaryStatus } from '#shared/domain/kinds.ts'
import type { Format } from './format.ts'
import { type Row, titleOf } from './records.ts'
import { listAt, textAt } from './rows.ts'
import { compact } from './values.ts'

// Backloggd exports nothing itself. Programs of its community write a table, or the JSON “backloggd-transfer”.

/** Retired: the main story of such a game has no end. */
const statuses = new Map<string, DiaryStatus>([
  ['abandoned', 'dropped'],
  ['shelved', 'paused'],
  ['retired', 'finished'],
])

const columns = [
  ...'title,rating,status,backlog,wishlist,playing,played,platform,review,release date,year'.split(','),
  ...'game_id,is_replay,spoilers,started,finished,liked,tags,sessions,play time,scale'.split(','),
]

const isTransfer = (head: string) => /^\{\s*/.test(head) && /"format"\s*:\s*"backloggd-transfer"/.test(head)

/** As a row of a table for each time that the game was played. */
function rowsOf(entry: object): Row[] {
  const first = (...paths: string[]) => paths.map((path) => textAt(entry, path)).find(Boolean) ?? ''
  const all = listAt(entry, 'playthroughs')
    .filter((each) => typeof each === 'object' && each !== null)
    .slice(0, 200)
  const of = (path: string) => (first(path) === 'true' ? 'yes' : '')
  // The status is of the last time.
  return (all.length > 0 ? all : [{}]).map((each, at, { length }) => {
    const isLast = at === length - 1
    return {
      scale: '10',
      title: textAt(entry, 'title'),
      game_id: textAt(entry, 'game_id'),
      rating: textAt(each, 'rating') || (length === 1 ? first('rating') : ''),
      review: textAt(each, 'review') || (length === 1 ? first('review') : ''),
      spoilers: textAt(each, 'review_spoilers'),
      is_replay: textAt(each, 'is_replay'),
      started: textAt(each, 'start_date') || (length === 1 ? first('dateStart') : ''),
      finished: textAt(each, 'finish_date') || (length === 1 ? first('dateEnd') : ''),
      status: isLast ? first('log.status', 'status') : 'played',
      playing: isLast ? of('log.is_playing') : '',
      played: isLast ? of('log.is_play') : '',
      backlog: isLast ? of('log.is_backlog') : '',
      wishlist: isLast ? of('log.is_wishlist') : '',
      liked: isLast ? first('log.game_liked', 'favorite') : '',
      tags: isLast && listAt(entry, 'tags').length > 0 ? 'some' : '',
      sessions: isLast && listAt(entry, 'dates').length > 0 ? 'some' : '',
      'play time': textAt(each, 'hours_played') || textAt(each, 'mins_played'),
    }
  })
}

export const backloggd: Format = {
  isHeader: (header) => ['title', 'rating', 'status', 'backlog'].every((column) => header.has(column)),
  isJson: isTransfer,
  columns,
  rowsOf: ({ section, index, value }) => (section === 'entries' && index > 0 ? rowsOf(value as object) : []),
  shelfOf: ({ get }) => (statuses.has(compact(get('status'))) ? '' : get('status')),
  parse({ options, get, line, year, day, text, rating, status: statusOf }) {
    const isYes = (column: string) => /^(true|yes|1|x|✓|backlog|wishlist|playing|played)$/i.test(get(column))
    const said = statuses.get(compact(get('status'))) ?? statusOf(get('status'))
    const [startedOn, finishedOn] = [day('started'), day('finished')]
    const byFlags = isYes('playing') ? 'started' : isYes('played') || finishedOn !== null ? 'finished' : null
    const status = said === null ? (byFlags ?? (startedOn === null ? null : 'started')) : said
    const isWanted = isYes('backlog') || isYes('wishlist')
    const id = line('game_id', 40)
    const isLiked = get('liked') === 'true'
    return titleOf({
      isFavorite: isLiked && options.likes,
      kind: 'game',
      name: line('title'),
      year: year('release date') ?? year('year'),
      ids: [['backloggd', id]],
      rating:
        get('scale') === '10'
          ? rating('rating', { min: 1, max: 10 })
          : rating('rating', { min: 0.5, max: 5 }),
      review: text('review'),
      hasSpoilers: get('spoilers') === 'true',
      entries: [
        { status, startedOn, finishedOn, isAgain: get('is_replay') === 'true' },
        ...(isWanted && status !== 'want' ? [{ status: 'want' as const }] : []),
      ],
      notKept: [
        isLiked && !options.likes && 'likes',
        get('tags') !== '' && 'tags',
        get('sessions') !== '' && 'play sessions',
        /[1-9]/.test(get('play time')) && 'play time',
        get('platform') !== '' && 'platforms',
      ],
    })
  },
}
