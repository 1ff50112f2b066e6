import { z } from 'zod'
import type { Kind } from '#shared/media.ts'
import type { Files, Format } from './format.ts'
import { readJson } from './read-json.ts'
import { baseOf, jsonRecord, unreadable } from './tables.ts'
import {
  dateOf,
  dayOf,
  imdbIdOf,
  lineOf,
  listItemOf,
  listOf,
  type MaybeEntry,
  ratingOf,
  textOf,
  titleOf,
  unexpected,
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
  rank: number,
  /** Those of a list. */
  name: text,
  description: text,
  display_numbers: optional(z.boolean()),
  created_at: text,
  updated_at: text,
  ids: optional(z.object({ trakt: number })),
  movie: title,
  show: title,
  seasons: optional(z.array(z.object({ episodes }))),
  /** Set by `keptOf`. */
  first_watched_at: text,
})

/** The files of the zip that are read, by their name without folders. */
const traktFile = /^(ratings|watched|lists|collection|comments)-[\w-]{1,200}\.json$/

/** Returns the fields of an item that are kept: the episodes of a show would exceed the maximum of a line. */
function keptOf(value: unknown): object | null {
  const parsed = item.safeParse(value)
  if (!parsed.success) return null
  const { seasons, ...kept } = parsed.data
  const watched = (seasons ?? []).flatMap((season) =>
    (season.episodes ?? []).flatMap((episode) => episode.last_watched_at ?? []),
  )
  const first = watched.filter((time) => !time.startsWith('1970')).reduce((a, b) => (b < a ? b : a), '9')
  return { ...kept, ...(first !== '9' && { first_watched_at: first }) }
}

async function* records(files: Files): ReturnType<NonNullable<Format['records']>> {
  for (const name of files.names) {
    const file = baseOf(name)
    if (name !== '' && !traktFile.test(file)) continue
    for (const each of readJson(await files.read(name), files.count)) {
      const kept = 'value' in each ? keptOf(each.value) : null
      yield kept ? jsonRecord(file, each.index, kept) : unreadable(file, each)
    }
  }
}

/** Returns what Medley does not keep of an item; undefined if the item says something about a title. */
function notKeptOf(file: string, given: z.infer<typeof item>): string | undefined {
  if (file.startsWith('comments-')) return 'comments'
  if (given.collected_at) return 'collection'
  if (given.type === 'season') return 'seasons'
  if (given.type === 'episode' && !given.watched_at) return 'episodes'
  if (given.type === 'person') return 'people'
  return undefined
}

/** The file with the titles of a list, as in `lists-list-77-rainy-days.json`. */
const listFile = /^lists-list-(\d{1,12})-?(.*)\.json$/

export const trakt: Format = {
  isZip: ({ files }) =>
    files.some((file) => traktFile.test(baseOf(file)) && /^(ratings|watched|lists)-/.test(baseOf(file))),
  isJson(head, bytes) {
    if (!head.startsWith('[')) return false
    const { value: first } = readJson(bytes, () => {}).next()
    const parsed = first && 'value' in first ? item.safeParse(first.value).data : undefined
    return typeof (parsed?.movie ?? parsed?.show)?.ids?.trakt === 'number'
  },
  records,
  parse({ record, options, notes, json }) {
    const parsed = item.safeParse(json())
    if (!parsed.success) return unexpected
    const given = parsed.data
    const file = baseOf(record.file)
    const what = notKeptOf(file, given)
    if (what !== undefined) return { type: 'notKept', what }

    if (given.item_count !== undefined) {
      const { name, description, display_numbers: isRanked, created_at, updated_at, ids } = given
      const [createdOn, updatedOn] = [dateOf(created_at ?? '', []), dateOf(updated_at ?? '', [])]
      // Who may read it is decided here.
      return listOf({
        key: String(ids?.trakt ?? name),
        name: name || 'List',
        description: textOf(description ?? '', [], { isHtml: false }),
        isRanked: isRanked === true,
        createdOn,
        updatedOn,
      })
    }

    const about = given.movie ?? given.show
    const kind: Kind = given.movie ? 'movie' : 'tvShow'
    const { trakt: traktId, imdb, tmdb, tvdb } = about?.ids ?? {}
    const idOf = (id: number | null | undefined) => (Number.isSafeInteger(id) && id! > 0 ? String(id) : null)
    const date = (time: string | null | undefined) => dateOf(time ?? '', notes)
    const originOf = (what: string) => (traktId ? `trakt:${what}:${kind}:${traktId}` : null)
    const year = about?.year
    return titleOf({
      kind,
      name: lineOf(about?.title ?? ''),
      year: Number.isInteger(year) && year! > 1000 && year! < 3000 ? year! : null,
      ids: [
        ['trakt', idOf(traktId)],
        ['tmdb-movie', idOf(tmdb)],
        ['tmdb-tv', idOf(tmdb)],
        ['tvdb', kind === 'tvShow' ? idOf(tvdb) : null],
        ['imdb', imdbIdOf(imdb ?? '')],
      ],
      rating:
        typeof given.rating === 'number' ? ratingOf(String(given.rating), { min: 1, max: 10 }, notes) : null,
      ratedOn: date(given.rated_at),
      entries: entriesOf(),
      isFavorite: file.startsWith('lists-favorites'),
      listItems: listItemsOf(),
      notKept: [given.type === 'episode' && 'episodes'],
    })

    function listItemsOf() {
      const [, key, slug = ''] = listFile.exec(file) ?? []
      if (key === undefined) return []
      const note = textOf(given.notes ?? '', notes, { isHtml: false })
      const position = given.rank ?? record.line
      const name = slug.replaceAll('-', ' ') || 'List'
      return [listItemOf({ key, name, position, note, addedOn: date(given.listed_at) })]
    }

    function entriesOf(): MaybeEntry[] {
      if (file.startsWith('lists-watchlist')) {
        const text = textOf(given.notes ?? '', notes, { isHtml: false })
        return [{ status: 'want', text, origin: originOf('want'), addedOn: date(given.listed_at) }]
      }
      // `watched` has only the last play; the history has all of them, in newer exports.
      const last = given.watched_at || given.last_watched_at
      if (!last) return []
      const finishedOn = dayOf(date(last))
      if (kind === 'tvShow') {
        const startedOn = given.watched_at ? finishedOn : dayOf(date(given.first_watched_at))
        return [{ status: options.shows, startedOn, finishedOn, origin: originOf('show') }]
      }
      if (!given.watched_at)
        return [{ status: 'finished', finishedOn, origin: originOf('watched'), isImplied: true }]
      const origin = given.id ? `trakt:history:${given.id}` : null
      return [{ status: 'finished', finishedOn, origin, isOfHistory: true }]
    }
  },
}
