import type { Kind } from '#shared/domain/kinds.ts'
import type { EntryRow } from '#server/diary/tables.ts'
import { idOf, type Export, type ExportedTitle } from '#server/export/titles.ts'
import { csvLine } from '#server/export/csv-line.ts'
import { historiesOf, isFullDate, openTally, partRatingsOf, uploadLine } from './histories.ts'

const columns = [
  ...'media_id,source,media_type,title,image,season_number,episode_number,score,progress,status'.split(','),
  ...'start_date,end_date,notes'.split(','),
]

const types: { [K in Kind]?: string } = { movie: 'movie', tvShow: 'tv', book: 'book', game: 'game' }

const statuses = {
  want: 'Planning',
  started: 'In progress',
  paused: 'Paused',
  finished: 'Completed',
  dropped: 'Dropped',
} as const

const sources = [
  ['tmdb', 'tmdb-movie', 'tmdb-tv'],
  ['igdb', 'igdb'],
  ['openlibrary', 'olid-edition', 'olid-work'],
] as const

/** A title without an id of a source that Yamtrack knows is one that was entered by hand. */
function identityOf(title: ExportedTitle): [id: string | null, source: string] {
  for (const [source, ...ids] of sources) {
    const id = idOf(title, ...ids)
    if (id !== null) return [id, source]
  }
  return [null, 'manual']
}

/**
 * A line for each entry, with the rating in the newest. A rated title that is not in the diary has a line without a status. A rated season has
 * the status of its show, without which Yamtrack does not read its line. An episode has none: its line would be a viewing there.
 */
export async function* forYamtrack(about: Export): AsyncGenerator<string> {
  const { lose, loseOf, rating } = openTally(about, 'yamtrack')
  yield csvLine(columns)
  const statusOfShow = new Map<number, string>()
  for await (const { title, review, entries } of historiesOf(about, 'yamtrack')) {
    let newest: EntryRow | undefined
    loseOf(review, [])
    for await (const entry of entries) {
      loseOf(undefined, [entry])
      lose(
        'inexactDates',
        [entry.started_on, entry.finished_on].some((date) => date && !isFullDate(date)),
      )
      const [older, newer] = newest && lastDay(entry) < lastDay(newest) ? [entry, newest] : [newest, entry]
      if (older) yield line(title, older, null)
      newest = newer
    }
    if (newest || review) yield line(title, newest, review ? rating(review) : null)
    lose('statusless', !newest && review !== undefined)
    const [id] = identityOf(title)
    if (newest && id !== null && title.kind === 'tvShow') statusOfShow.set(title.ref, statuses[newest.status])
  }
  for await (const { title, review } of partRatingsOf(about, ['season', 'episode'])) {
    const status = statusOfShow.get(title.ref)
    const isHeld = review.type === 'season' && status !== undefined
    lose('episodeReviews', !isHeld)
    if (!isHeld) continue
    loseOf(review, [])
    const cells = ['season', title.name, null, review.number, null, rating(review).toFixed(1), null, status]
    yield uploadLine([...identityOf(title), ...cells, null, null, null])
  }

  function line(title: ExportedTitle, entry: EntryRow | undefined, score: number | null): string {
    const day = (date: string | null | undefined) => (date && isFullDate(date) ? date : null)
    return uploadLine([
      ...identityOf(title),
      types[title.kind] ?? null,
      title.name,
      null,
      null,
      null,
      score === null ? null : score.toFixed(1),
      null,
      entry ? statuses[entry.status] : null,
      day(entry?.started_on),
      day(entry?.finished_on),
      entry?.text ?? null,
    ])
  }
}

/** As the import sees it: without dates that the file cannot hold. */
function lastDay({ started_on, finished_on }: EntryRow): string {
  return [finished_on, started_on].find((date) => isFullDate(date ?? null)) ?? ''
}
