import { idOf, type Export } from '#server/export/titles.ts'
import { csvLine } from '#server/export/csv-line.ts'
import { historiesOf, openTally, ratedAt, uploadLine } from './histories.ts'

const columns = [
  ...'Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins)'.split(','),
  ...'Year,Genres,Num Votes,Release Date,Directors'.split(','),
]

/** The ratings, as IMDb exports them. */
export async function* forImdb(about: Export): AsyncGenerator<string> {
  const { loseOf, read, rating } = openTally(about, 'imdb')
  yield csvLine(columns)
  for await (const { title, review, entries: rows } of historiesOf(about, 'imdb')) {
    loseOf(review, await read(rows))
    if (!review) continue
    const imdbId = idOf(title, 'imdb')
    const isMovie = title.kind === 'movie'
    yield uploadLine([
      imdbId,
      rating(review),
      ratedAt(review)?.slice(0, 10) ?? null,
      title.name,
      title.name,
      imdbId && `https://www.imdb.com/title/${imdbId}`,
      isMovie ? 'Movie' : 'TV Series',
      null,
      null,
      title.year,
      null,
      null,
      null,
      isMovie ? title.creators.join(', ') : null,
    ])
  }
}
