import type { Kind, PartType } from '#shared/domain/kinds.ts'
import { idOf, type Export, type ExportedTitle, type ExportFiles } from '#server/export/titles.ts'
import { historiesOf, isFullDate, noonOf, openTally, partRatingsOf, ratedAt } from './histories.ts'

/** Trakt’s own sign for an unknown date. */
const unknownTime = '1970-01-01T00:00:00.000Z'

/** The first file counts what the service cannot hold of titles. */
export const traktFiles: ExportFiles = {
  'ratings-movies.json': (about) => jsonOf(ratings(about, 'movie', true)),
  'ratings-shows.json': (about) => jsonOf(ratings(about, 'tvShow')),
  'ratings-seasons.json': (about) => jsonOf(partRatings(about, 'season')),
  'ratings-episodes.json': (about) => jsonOf(partRatings(about, 'episode')),
  'watched-history-1.json': (about) => jsonOf(history(about)),
  'lists-watchlist.json': (about) => jsonOf(watchlist(about)),
}

async function* jsonOf(items: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

const uncounted = (of: Export): Export => ({ ...of, tally: new Map() })

/** `{ type: 'movie', movie: { title, year, ids } }` */
function about(title: ExportedTitle) {
  const type = title.kind === 'movie' ? 'movie' : 'show'
  const number = (id: string | null) => id && Number(id)
  const ids = {
    trakt: null,
    imdb: idOf(title, 'imdb'),
    tmdb: number(idOf(title, title.kind === 'movie' ? 'tmdb-movie' : 'tmdb-tv')),
    ...(type === 'show' && { tvdb: number(idOf(title, 'tvdb')) }),
  }
  return { type, [type]: { title: title.name, year: title.year, ids } }
}

async function* ratings(of: Export, kind: Kind, isCounted = false): AsyncGenerator<object> {
  const counting = isCounted ? of : uncounted(of)
  const tally = openTally(counting, 'trakt')
  for await (const { title, review, entries: rows } of historiesOf(counting, 'trakt')) {
    if (isCounted) {
      const entries = await tally.read(rows)
      tally.loseOf(review, entries)
      for (const { status, finished_on } of entries) {
        tally.lose('showEntries', title.kind === 'tvShow' && status !== 'want')
        const isMovie = title.kind === 'movie' && status === 'finished'
        tally.lose('inexactDates', isMovie && finished_on !== null && !isFullDate(finished_on))
      }
    }
    if (review && title.kind === kind)
      yield { rated_at: ratedAt(review) ?? undefined, rating: tally.rating(review), ...about(title) }
    else if (review && isCounted) tally.rating(review)
  }
}

async function* partRatings(of: Export, type: PartType): AsyncGenerator<object> {
  const tally = openTally(of, 'trakt')
  for await (const { title, review } of partRatingsOf(of, [type])) {
    tally.loseOf(review, [])
    const { season, number } = review
    const tmdb = /^tmdb-\w+:(\d+)$/.exec(review.outside_id ?? '')?.[1]
    const ids = { trakt: null, tmdb: tmdb === undefined ? null : Number(tmdb) }
    yield {
      rated_at: ratedAt(review) ?? undefined,
      rating: tally.rating(review),
      ...about(title),
      type,
      [type]: type === 'season' ? { number, ids } : { season, number, ids },
    }
  }
}

/** The movies: Trakt counts the episodes of shows. */
async function* history(of: Export): AsyncGenerator<object> {
  for await (const { title, entries } of historiesOf(uncounted(of), 'trakt'))
    if (title.kind === 'movie')
      for await (const { status, finished_on } of entries)
        if (status === 'finished')
          yield {
            watched_at: isFullDate(finished_on) ? noonOf(finished_on) : unknownTime,
            action: 'watch',
            ...about(title),
          }
}

async function* watchlist(of: Export): AsyncGenerator<object> {
  let rank = 0
  for await (const { title, entries } of historiesOf(uncounted(of), 'trakt'))
    for await (const { status, created_at } of entries)
      if (status === 'want') yield { rank: ++rank, listed_at: created_at, ...about(title) }
}
