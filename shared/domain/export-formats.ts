import type { DiaryStatus, Kind } from './kinds.ts'
import { toStars } from './ratings.ts'
import { t } from './message.ts'

/** What a format of another service cannot hold. The README of an export counts them, and docs/imports.md has them as a table. */
export const losses = {
  removed: 'titles that were removed from this server, which an export does not name',
  reviews: 'texts of reviews',
  spoilers: 'marks for spoilers',
  notes: 'private notes',
  wanted: 'titles you want to see',
  open: 'titles you have started or paused',
  paused: 'paused titles, which are under way there',
  dropped: 'titles you stopped',
  entries: 'entries of the diary',
  showEntries: 'entries of TV shows other than wanted ones',
  others: 'entries beside the latest state of a title',
  undated: 'finished titles without an exact date, which have no entry there',
  inexactDates: 'dates without a day',
  startDates: 'dates on which you started',
  olderDates: 'dates of all reads but the last',
  entryRatings: 'ratings of single viewings, reads or plays',
  statusless: 'rated titles that are not in your diary, which have no status there',
  favorites: 'favorites',
  listItems: 'titles in lists',
  partReviews: 'ratings of seasons and episodes',
  episodeReviews: 'ratings of episodes, and of seasons whose show has no status or id there',
} as const
export type Loss = keyof typeof losses

type ServiceFormat = {
  name: string
  /** Also what `?format=` downloads. */
  file: 'csv' | 'zip'
  kinds: readonly Kind[]
  about: string
  rating: { min: number; max: number; step: number }
  ratings: string
  /** Statuses that become others. */
  statuses?: Partial<Record<DiaryStatus, DiaryStatus>>
  losses: readonly Loss[]
}

const everywhere = ['removed', 'favorites'] as const

const formats = {
  letterboxd: {
    name: 'Letterboxd',
    file: 'csv',
    kinds: ['movie'],
    about: t`The movies you rated or finished, with your reviews. Upload the file at letterboxd.com/import.`,
    rating: { min: 0.5, max: 5, step: 0.5 },
    ratings: '0.5 to 5 in halves',
    losses: [...everywhere, 'notes', 'wanted', 'open', 'dropped', 'undated', 'startDates', 'entryRatings'],
  },
  goodreads: {
    name: 'Goodreads',
    file: 'csv',
    kinds: ['book'],
    about: t`Your books with their shelves and reviews. Upload the file at goodreads.com/review/import.`,
    rating: { min: 1, max: 5, step: 1 },
    ratings: '1 to 5, halves become the next whole star',
    statuses: { paused: 'started' },
    losses: [
      ...everywhere,
      ...(['notes', 'paused', 'others', 'startDates', 'olderDates', 'entryRatings', 'listItems'] as const),
    ],
  },
  imdb: {
    name: 'IMDb',
    file: 'csv',
    kinds: ['movie', 'tvShow'],
    about: t`The movies and TV shows you rated, as IMDb lists ratings. Other services read the file too.`,
    rating: { min: 1, max: 10, step: 1 },
    ratings: '1 to 10',
    losses: [...everywhere, 'reviews', 'spoilers', 'entries', 'notes', 'listItems', 'partReviews'],
  },
  trakt: {
    name: 'Trakt',
    file: 'zip',
    kinds: ['movie', 'tvShow'],
    about: t`Ratings, watched movies and the watchlist, as Trakt exports them.`,
    rating: { min: 1, max: 10, step: 1 },
    ratings: '1 to 10',
    losses: [
      ...everywhere,
      ...(['reviews', 'spoilers', 'notes', 'open', 'dropped', 'showEntries', 'inexactDates'] as const),
      ...(['startDates', 'entryRatings', 'listItems'] as const),
    ],
  },
  yamtrack: {
    name: 'Yamtrack',
    file: 'csv',
    kinds: ['movie', 'tvShow', 'book', 'game'],
    about: t`Everything you rated or have in your diary, with your private notes, for your own Yamtrack.`,
    rating: { min: 0.1, max: 10, step: 0.1 },
    ratings: '0 to 10 with one decimal',
    losses: [
      ...everywhere,
      ...(['reviews', 'spoilers', 'inexactDates', 'entryRatings', 'statusless'] as const),
      ...(['listItems', 'episodeReviews'] as const),
    ],
  },
  storygraph: {
    name: 'StoryGraph',
    file: 'csv',
    kinds: ['book'],
    about: t`Your books with their reads and reviews, as StoryGraph exports them.`,
    rating: { min: 0.25, max: 5, step: 0.25 },
    ratings: '0.25 to 5 in quarters',
    losses: [...everywhere, 'spoilers', 'notes', 'others', 'entryRatings', 'listItems'],
  },
} as const satisfies Record<string, ServiceFormat>

export type ExportService = keyof typeof formats
export const exportServices = Object.keys(formats) as ExportService[]

export function isExportService(service: string): service is ExportService {
  return Object.hasOwn(formats, service)
}

export function exportFormat(service: ExportService): ServiceFormat {
  return formats[service]
}

type Rated = { rating: number | null; rating_given: string | null }

/**
 * Returns a stored rating on the scale of a service: the original, if the rating has one, else the stars. Exactly between two steps, the
 * stored rating decides, then the higher step. `isRounded`: the service cannot hold it exactly.
 */
export function ratingAt(service: ExportService, { rating, rating_given }: Rated) {
  const { min, max, step } = formats[service].rating
  const [value = 0, scale = 1] = rating_given?.split('/').map(Number) ?? [toStars(rating ?? 0), 5]
  // Of whole hundredths, so that the middle of two steps is exact.
  const exact = (Math.round(value * 100) * max) / (scale * 100)
  const steps = clean(exact / step)
  const stored = rating === null ? exact : (toStars(rating) * max) / 5
  const isDown = steps % 1 === 0.5 && clean(stored) < clean(exact)
  const nearest = clean(step * (isDown ? Math.floor(steps) : Math.round(steps)))
  const number = Math.min(max, Math.max(min, nearest))
  return { number, isRounded: number !== clean(exact) }
}

/** Without what binary fractions add, as in 0.1 · 3. */
const clean = (value: number) => Math.round(value * 1e6) / 1e6

/** Returns whether a file of a service says the stored rating, as far as the service can hold it. */
export function isRatingAt(service: string, stored: Rated, given: string): boolean {
  if (!isExportService(service)) return false
  return `${ratingAt(service, stored).number}/${formats[service].rating.max}` === given
}

/** Returns the status that a diary entry has at a service. */
export function statusAt(service: string, status: DiaryStatus): DiaryStatus {
  return (isExportService(service) && exportFormat(service).statuses?.[status]) || status
}
