import type { z } from 'zod'
import type { card, record } from '#shared/catalogue.ts'
import { type IdSource, type Kind, kinds } from '#shared/media.ts'
import { nameMax } from '#shared/limits.ts'
import { meanRating } from '#shared/reviews.ts'
import { fold, searchText } from '#server/db/fold.ts'
import type {
  CardRow,
  ItemRow,
  MediaDetails,
  MediaRow,
  NewMedia,
  RatedCardRow,
  TitleRow,
} from '#server/db/tables.ts'
import type { FoundTitle } from './sources/source.ts'

type Card<K extends Kind> = z.infer<(typeof card)[K]>
type Title<K extends Kind> = z.infer<(typeof record)[K]>

/** Builds the card of a kind from a row. */
const cards: { [K in Kind]: (row: CardRow, details: MediaDetails) => Card<K> } = {
  movie: screenCard,
  tvShow: screenCard,
  book: (row, details) => ({
    id: row.id,
    title: row.name,
    authors: details.creators,
    coverUrl: row.image,
    publishYear: row.release_year,
  }),
  game: (row) => ({ id: row.id, name: row.name, coverUrl: row.image, releaseYear: row.release_year }),
}

function screenCard(row: CardRow) {
  return {
    id: row.id,
    name: row.name,
    imageUrl: row.image,
    releaseDate: row.release_date,
    releaseYear: row.release_year,
  }
}

/** Returns the card of a title with the property names of its kind (a book has a `title`). */
export function toCard<K extends Kind>(kind: K, row: CardRow): Card<K> {
  return cards[kind](row, detailsOf(row))
}

const titles: { [K in Kind]: (row: TitleRow, details: MediaDetails) => Title<K> } = {
  movie: screenTitle,
  tvShow: (row, details) => ({ ...screenTitle(row, details), firstAirDate: row.release_date }),
  book: (row, details) => ({
    ...cards.book(row, details),
    backdropUrl: row.backdrop,
    tagline: row.tagline,
    description: row.overview,
    pageCount: row.page_count,
    publishDate: row.release_date,
    categories: details.genres,
    isbn13: externalId(row, 'isbn13'),
    olid: externalId(row, 'olid-edition') ?? externalId(row, 'olid-work'),
    source: row.source,
  }),
  game: (row, details) => ({
    ...cards.game(row, details),
    backdropUrl: row.backdrop,
    tagline: row.tagline,
    summary: row.overview,
    releaseDate: row.release_date,
    platforms: details.platforms,
    genres: details.genres,
    developers: details.creators,
    igdbId: Number(externalId(row, 'igdb')) || null,
    rating: details.rating,
    source: row.source,
  }),
}

function screenTitle(row: TitleRow, details: MediaDetails) {
  return {
    ...screenCard(row),
    backdropUrl: row.backdrop,
    overview: row.overview,
    description: row.overview,
    tagline: row.tagline,
    genres: details.genres,
    creators: details.creators,
    runtime: row.runtime,
    tmdbId: Number(externalId(row, kinds[row.kind].idSources[0])) || null,
    source: row.source,
  }
}

/** Returns all fields of a title with the property names of its kind. */
export function toTitle<K extends Kind>(kind: K, row: TitleRow): Title<K> {
  return titles[kind](row, detailsOf(row))
}

function externalId({ ids }: TitleRow, source: IdSource): string | null {
  const words = ids?.split(' ') ?? []
  const at = words.indexOf(source)
  return at < 0 ? null : words[at + 1]!
}

function detailsOf(row: Pick<MediaRow, 'details'>): MediaDetails {
  return JSON.parse(row.details) as MediaDetails
}

export function toItem(row: ItemRow) {
  return {
    id: row.id,
    name: row.name,
    category: kinds[row.kind].words.category,
    description: row.overview,
    imageUrl: row.image,
  }
}

/**
 * The titles with the most ratings, then the higher average, then the newer title. Averages are compared as fractions,
 * so that no rounding decides. `readCards` is asked once, for the titles that can still be among the first.
 */
export async function mostPopular<K extends Kind>(
  kind: K,
  ratings: readonly { media_id: number; rating: number }[],
  limit: number,
  readCards: (ids: number[]) => Promise<RatedCardRow[]>,
) {
  const totals = new Map<number, { id: number; count: number; sum: number }>()
  for (const { media_id: id, rating } of ratings) {
    const total = totals.get(id)
    if (total) {
      total.count++
      total.sum += rating
    } else totals.set(id, { id, count: 1, sum: rating })
  }
  const byRatings = (a: Total, b: Total) => b.count - a.count || b.sum * a.count - a.sum * b.count
  const sorted = [...totals.values()].sort(byRatings)
  const last = sorted[limit - 1]
  const candidates = last ? sorted.filter((total) => byRatings(total, last) <= 0) : sorted
  const cards = new Map((await readCards(candidates.map((total) => total.id))).map((card) => [card.id, card]))
  return {
    popular: candidates
      .flatMap((total) => {
        const card = cards.get(total.id)
        return card ? [{ total, card }] : []
      })
      .sort((a, b) => byRatings(a.total, b.total) || newer(a.card, b.card))
      .slice(0, limit)
      .map(({ total, card }) => ({
        ...toCard(kind, card),
        reviewCount: total.count,
        reviewAverage: meanRating(total.sum, total.count),
      })),
  }
}
type Total = { id: number; count: number; sum: number }

function newer(a: RatedCardRow, b: RatedCardRow): number {
  return (b.release_date ?? '').localeCompare(a.release_date ?? '') || b.id - a.id
}

/** What a source tells anew of a title that is here: where it says nothing, or less, what is known stays. */
export function mergeFound(
  known: Pick<MediaRow, 'details' | 'popularity' | 'release_date'>,
  fresh: NewMedia,
): Partial<NewMedia> {
  const { created_at: _kept, ...told } = fresh
  const before = detailsOf(known)
  const now = JSON.parse(fresh.details) as MediaDetails
  const list = (key: 'genres' | 'creators' | 'platforms') => (now[key].length > 0 ? now[key] : before[key])
  const details: MediaDetails = {
    genres: list('genres'),
    creators: list('creators'),
    platforms: list('platforms'),
    rating: now.rating ?? before.rating,
  }
  const isLessExact = !!fresh.release_date && !!known.release_date?.startsWith(fresh.release_date)
  return {
    ...Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null)),
    release_date: isLessExact ? known.release_date : (fresh.release_date ?? known.release_date),
    details: JSON.stringify(details),
    search_text: searchText(fresh.name, ...details.creators),
    popularity: fresh.popularity || known.popularity,
  }
}

/** TMDB asks that what was fetched is not kept for more than six months; a month keeps it well within. */
const freshDays = 30

/** Whether a title need not be asked for again: it came from this very source, and not long ago. */
export function isFresh(state: Pick<MediaRow, 'source' | 'fetched_at'>, source: string, now: Date): boolean {
  if (source === 'starter') return true
  const age = state.fetched_at ? now.getTime() - Date.parse(state.fetched_at) : Infinity
  return state.source === source && age < freshDays * 86_400_000
}

/** Returns the row of a title that an outside source returned. */
export function titleRowOf(title: FoundTitle, source: string, now: Date): NewMedia {
  const name = title.name.slice(0, nameMax)
  return {
    kind: title.kind,
    name,
    name_folded: fold(name),
    search_text: searchText(name, ...title.creators),
    overview: title.overview,
    tagline: title.tagline,
    image: title.image,
    backdrop: title.backdrop,
    release_date: title.releaseDate,
    release_year: title.releaseDate ? Number(title.releaseDate.slice(0, 4)) : null,
    runtime: title.runtime,
    page_count: title.pageCount,
    details: JSON.stringify({
      genres: title.genres,
      creators: title.creators,
      platforms: title.platforms,
      rating: title.rating,
    } satisfies MediaDetails),
    source,
    fetched_at: now.toISOString(),
    created_at: now.toISOString(),
    popularity: title.popularity,
  }
}
