import type { z } from 'zod'
import type { card, title } from '#shared/catalogue.ts'
import { type IdSource, type Kind, kinds } from '#shared/media.ts'
import { meanRating } from '#shared/reviews.ts'
import type { CardRow, ItemRow, TitleDetails, MediaRow, RatedCardRow, TitleRow } from '#server/db/tables.ts'

type Card<K extends Kind> = z.infer<(typeof card)[K]>
type Title<K extends Kind> = z.infer<(typeof title)[K]>

const cards: { [K in Kind]: (row: CardRow, details: TitleDetails) => Card<K> } = {
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

/** Converts a row to the card of a title, with the property names of its kind (a book has a `title`). */
export function toCard<K extends Kind>(kind: K, row: CardRow): Card<K> {
  return cards[kind](row, detailsOf(row))
}

const titles: { [K in Kind]: (row: TitleRow, details: TitleDetails) => Title<K> } = {
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

function screenTitle(row: TitleRow, details: TitleDetails) {
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

/** Converts a row to all fields of a title, with the property names of its kind. */
export function toTitle<K extends Kind>(kind: K, row: TitleRow): Title<K> {
  return titles[kind](row, detailsOf(row))
}

function externalId({ ids }: TitleRow, source: IdSource): string | null {
  const words = ids?.split(' ') ?? []
  const at = words.indexOf(source)
  return at < 0 ? null : words[at + 1]!
}

export function detailsOf(row: Pick<MediaRow, 'details'>): TitleDetails {
  return JSON.parse(row.details) as TitleDetails
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
 * Returns the titles with the most ratings, then the higher average, then the newer title. Averages are compared as
 * fractions, without rounding. `readCards` is called once, with the titles that can be among the first `limit`.
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
