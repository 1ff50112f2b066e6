import { idOf, type Export, type ExportedTitle } from '#server/export/titles.ts'
import { csvLine } from '#server/export/csv-line.ts'
import { type Entry, historiesOf, isFullDate, openTally, toHtml, uploadLine } from './histories.ts'

const columns = 'tmdbID,imdbID,Title,Year,Directors,Rating,WatchedDate,Rewatch,Tags,Review'.split(',')

/** A line for each viewing with a date, the review in the last. Movies without one have one line, which is no entry of a diary. */
export async function* forLetterboxd(about: Export): AsyncGenerator<string> {
  const { lose, loseOf, read, rating, ratingOf } = openTally(about, 'letterboxd')
  yield csvLine(columns)
  for await (const { title, review, entries: rows } of historiesOf(about, 'letterboxd')) {
    const entries = await read(rows)
    loseOf(review, entries)
    const finished = entries.filter(({ status }) => status === 'finished')
    const viewings = finished.filter(({ finished_on }) => isFullDate(finished_on))
    const last = viewings.at(-1)
    for (const entry of finished) lose('undated', !viewings.includes(entry))
    // A viewing’s rating on the last day would become the movie’s, and one without the movie’s would become a review.
    const isHeld = (entry: Entry) =>
      review && isFullDate(entry.finished_on) && entry.finished_on !== last?.finished_on
    for (const entry of entries) lose('entryRatings', entry.rating_given !== null && !isHeld(entry))
    for (const entry of viewings.slice(0, -1))
      yield line(title, entry, entry.rating_given !== null && isHeld(entry) ? ratingOf(entry) : null)
    const shown = last ?? finished.at(-1)
    if (review) yield line(title, shown, rating(review), review)
    else if (shown) yield line(title, shown, null)
  }

  function line(
    title: ExportedTitle,
    entry: Entry | undefined,
    rating: number | null,
    review?: { text: string; has_spoilers: number },
  ) {
    return uploadLine([
      idOf(title, 'tmdb-movie'),
      idOf(title, 'imdb'),
      title.name,
      title.year,
      title.creators.join(', '),
      rating,
      entry && isFullDate(entry.finished_on) ? entry.finished_on : null,
      entry?.is_again === 1 ? 'true' : null,
      review?.has_spoilers === 1 ? 'spoilers' : null,
      review ? toHtml(review.text) : null,
    ])
  }
}
