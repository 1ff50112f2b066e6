import { z } from 'zod'
import type { Kind } from '#shared/media.ts'
import type { Format, ReadingEntry, ReadingId } from './reading.ts'
import {
  cell,
  dateOf,
  dayOf,
  entryOf,
  imdbIdOf,
  lineOf,
  noName,
  ratingOf,
  readingOf,
  textOf,
} from './values.ts'

const optional = <S extends z.ZodType>(schema: S) => schema.nullish().catch(undefined)
const text = optional(z.string())
const number = optional(z.number())

const title = optional(
  z.object({
    title: text,
    year: number,
    ids: optional(z.object({ trakt: number, imdb: text, tmdb: number, tvdb: number })),
  }),
)
const episodes = optional(z.array(z.object({ last_watched_at: text })))

const item = z.object({
  id: number,
  type: text,
  rating: number,
  rated_at: text,
  watched_at: text,
  last_watched_at: text,
  listed_at: text,
  collected_at: text,
  item_count: number,
  notes: text,
  movie: title,
  show: title,
  seasons: optional(z.array(z.object({ episodes }))),
  /** Set by `keptOfTrakt`. */
  first_watched_at: text,
})

/** The files of the zip that are read, by their name without folders. */
export const traktFile = /^(ratings|watched|lists|collection|comments)-[\w-]{1,200}\.json$/

/** Returns whether a JSON list is of Trakt, by one item. */
export function isTraktItem(value: unknown): boolean {
  const parsed = item.safeParse(value).data
  return typeof (parsed?.movie ?? parsed?.show)?.ids?.trakt === 'number'
}

/** Returns the fields of an item that are kept: the episodes of a show would exceed the maximum of a line. */
export function keptOfTrakt(value: unknown): object | null {
  const parsed = item.safeParse(value)
  if (!parsed.success) return null
  const { seasons, ...kept } = parsed.data
  const watched = (seasons ?? []).flatMap((season) =>
    (season.episodes ?? []).flatMap((episode) => episode.last_watched_at ?? []),
  )
  const first = watched.filter((time) => !time.startsWith('1970')).reduce((a, b) => (b < a ? b : a), '9')
  return { ...kept, ...(first !== '9' && { first_watched_at: first }) }
}

export const trakt: Format = {
  interpret(row, options) {
    const parsed = item.safeParse(JSON.parse(cell(row, 'json') || 'null'))
    if (!parsed.success) return { type: 'unreadable', problem: 'This item has an unexpected form.' }
    const given = parsed.data
    const file = row.file.slice(row.file.lastIndexOf('/') + 1)
    if (file.startsWith('comments-')) return { type: 'notKept', what: 'comments' }
    if (given.item_count !== undefined) return { type: 'notKept', what: 'lists' }
    if (given.collected_at) return { type: 'notKept', what: 'collection' }
    const isRating = given.rating !== undefined && given.rating !== null
    if (given.type === 'season') return { type: 'notKept', what: 'seasons' }
    if (given.type === 'episode' && !given.watched_at) return { type: 'notKept', what: 'episodes' }
    if (given.type === 'person') return { type: 'notKept', what: 'people' }
    const isWanted = file.startsWith('lists-watchlist')
    const isFavorite = file.startsWith('lists-favorites')
    if (given.listed_at && !isWanted && !isFavorite) return { type: 'notKept', what: 'places in lists' }

    const about = given.movie ?? given.show
    const kind: Kind = given.movie ? 'movie' : 'tvShow'
    const name = lineOf(about?.title ?? '')
    if (name === '') return noName
    const notes: string[] = []
    const { trakt: traktId, imdb, tmdb, tvdb } = about?.ids ?? {}
    const imdbId = imdbIdOf(imdb ?? '')
    const numberIds = [
      ['trakt', traktId],
      [kind === 'movie' ? 'tmdb-movie' : 'tmdb-tv', tmdb],
      ['tvdb', kind === 'tvShow' ? tvdb : undefined],
    ] as const
    const ids: ReadingId[] = numberIds.flatMap(([source, id]) =>
      Number.isSafeInteger(id) && id! > 0 ? [{ source, id: String(id) }] : [],
    )
    if (imdbId !== null) ids.push({ source: 'imdb', id: imdbId })

    const day = (time: string | null | undefined) => dayOf(dateOf(time ?? '', notes))
    const titleOrigin = (what: string) => (traktId ? `trakt:${what}:${kind}:${traktId}` : null)
    const seenShow = (first: string | null, last: string | null) =>
      entryOf({
        status: options.shows,
        startedOn: first,
        finishedOn: options.shows === 'finished' ? last : null,
        origin: titleOrigin('show'),
      })
    const entries: ReadingEntry[] = []
    if (isWanted) {
      entries.push(
        entryOf({
          status: 'want',
          text: textOf(given.notes ?? '', notes, { isHtml: false }),
          origin: titleOrigin('want'),
          addedOn: dateOf(given.listed_at ?? '', notes),
        }),
      )
    } else if (given.watched_at) {
      const seenOn = day(given.watched_at)
      entries.push(
        kind === 'tvShow'
          ? seenShow(seenOn, seenOn)
          : entryOf({
              status: 'finished',
              finishedOn: seenOn,
              origin: given.id ? `trakt:history:${given.id}` : null,
              isOfHistory: true,
            }),
      )
    } else if (given.last_watched_at) {
      const last = day(given.last_watched_at)
      // Only the last play: the history has all of them, in newer exports.
      entries.push(
        kind === 'tvShow'
          ? seenShow(day(given.first_watched_at), last)
          : entryOf({
              status: 'finished',
              finishedOn: last,
              origin: titleOrigin('watched'),
              isImplied: true,
            }),
      )
    }
    const rating = isRating ? ratingOf(String(given.rating), { min: 1, max: 10 }, notes) : null
    const year = about?.year
    return {
      type: 'title',
      reading: readingOf({
        kind,
        name,
        year: Number.isInteger(year) && year! > 1000 && year! < 3000 ? year! : null,
        ids,
        rating:
          rating === null
            ? null
            : { given: rating, on: dateOf(given.rated_at ?? '', notes), isOfTitle: true },
        entries,
        isFavorite,
        notes,
      }),
      ...(given.type === 'episode' && { notKept: ['episodes'] }),
    }
  },
}
