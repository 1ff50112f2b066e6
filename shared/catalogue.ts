import { z } from 'zod'
import * as limits from './limits.ts'
import { kindNames, type Kind } from './media.ts'
import { messages } from './messages.ts'
import { id, image, keyed, limit, line, page, pagination, query, text, uploadedImage } from './scalars.ts'

const nullableText = z.string().nullable()
const texts = z.array(z.string())
const date = nullableText.meta({
  description: '`YYYY-MM-DD`, or `YYYY` or `YYYY-MM` where no more is known.',
  example: '1999-03-31',
})
const year = z.int().nullable()

const source = nullableText.meta({
  description: 'Where the record came from: tmdb, openlibrary, igdb, starter, or null for a member.',
})

export const movie = z
  .object({
    id,
    name: z.string(),
    imageUrl: image,
    backdropUrl: image,
    overview: nullableText,
    description: nullableText.meta({ description: 'The same text as `overview`.' }),
    tagline: nullableText,
    releaseDate: date,
    releaseYear: year,
    genres: texts,
    creators: texts.meta({ description: 'Directors.' }),
    runtime: z.int().nullable().meta({ description: 'Minutes.' }),
    tmdbId: z.int().nullable(),
    source,
  })
  .meta({ id: 'Movie' })

export const tvShow = movie
  .extend({
    firstAirDate: date,
    creators: texts.meta({ description: 'Creators.' }),
    runtime: z.int().nullable().meta({ description: 'Minutes of an episode.' }),
  })
  .meta({ id: 'TvShow' })

export const book = z
  .object({
    id,
    title: z.string(),
    authors: texts,
    coverUrl: image,
    backdropUrl: image,
    tagline: nullableText,
    description: nullableText,
    pageCount: z.int().nullable(),
    publishDate: date,
    publishYear: year,
    categories: texts,
    isbn13: nullableText,
    olid: nullableText,
    source,
  })
  .meta({ id: 'Book' })

export const game = z
  .object({
    id,
    name: z.string(),
    coverUrl: image,
    backdropUrl: image,
    tagline: nullableText,
    summary: nullableText,
    releaseDate: date,
    releaseYear: year,
    platforms: texts,
    genres: texts,
    developers: texts,
    igdbId: z.int().nullable(),
    rating: z.number().nullable().meta({ description: 'The mean rating at IGDB, 0 to 100.' }),
    source,
  })
  .meta({ id: 'Game' })

/** The record of a kind, as its REST answers show it. */
export const record = { movie, tvShow, book, game } as const satisfies Record<Kind, z.ZodType>

const counted = { reviewCount: z.int(), reviewAverage: z.number().nullable() }

/** A short record: what a card shows. */
export const card = {
  movie: movie.pick({ id: true, name: true, imageUrl: true, releaseDate: true, releaseYear: true }),
  tvShow: tvShow.pick({ id: true, name: true, imageUrl: true, releaseDate: true, releaseYear: true }),
  book: book.pick({ id: true, title: true, authors: true, coverUrl: true, publishYear: true }),
  game: game.pick({ id: true, name: true, coverUrl: true, releaseYear: true }),
} as const satisfies Record<Kind, z.ZodType>

const popularEntry = {
  movie: card.movie.extend(counted),
  tvShow: card.tvShow.extend(counted),
  book: card.book.extend(counted),
  game: card.game.extend(counted),
} as const satisfies Record<Kind, z.ZodType>

export const popular = {
  input: z.object({
    days: z.int().min(1).max(limits.popularDaysMax).default(limits.popularDays),
    limit: limit(limits.popularLimit),
  }),
  output: <K extends Kind>(kind: K) =>
    z.object({ popular: z.array(popularEntry[kind] as (typeof popularEntry)[K]) }),
}

export const average = z
  .number()
  .nullable()
  .meta({ description: 'The mean of the ratings, 1 to 5; null where there is none.', example: 3.87 })

const stats = z.object({ avg: average, count: z.int() })

export const byId = {
  input: z.object({ id }),
  output: <K extends Kind>(kind: K) => keyed(kind, record[kind] as (typeof record)[K], { stats }),
}

const starCounts = z.object({ '1': z.int(), '2': z.int(), '3': z.int(), '4': z.int(), '5': z.int() })

export const overallRating = { output: z.object({ avg: average, count: z.int() }) }
export const networkRating = { output: z.object({ networkAvg: average, count: z.int() }) }
export const ratingHistogram = { output: z.object({ counts: starCounts, total: z.int(), avg: average }) }
export const networkHistogram = {
  output: z.object({ counts: starCounts, total: z.int(), networkAvg: average }),
}

export const createMovie = {
  input: z.object({
    name: line(limits.nameMax).min(1, messages.nameRequired),
    description: text(limits.descriptionMax).nullish(),
    imageUrl: uploadedImage.nullish(),
  }),
  output: z.object({ movie }),
}

export const suggest = {
  input: z.object({ q: query, limit: limit(limits.suggestionsLimit) }),
  output: z.object({ results: z.array(card.movie) }),
}

export const item = z
  .object({ id, name: z.string(), category: z.string(), description: nullableText, imageUrl: image })
  .meta({ id: 'Item', description: 'A title of any kind; the id is the same number as the medium’s own.' })

/** An item for our own screens, which link to the kind's page. */
export const listItems = {
  input: z.object({ page, limit: limit(limits.listPageSize), category: z.enum(kindNames).optional() }),
  output: z.object({ items: z.array(item), pagination }),
}

export const itemById = { input: z.object({ id }), output: z.object({ item }) }

const search = <Hit extends z.ZodType>(hit: Hit) => ({
  input: z.object({ q: query }),
  output: z.object({
    results: z.array(hit),
    source: z
      .string()
      .meta({
        description: 'Who answered: the outside source, or `starter` where it has no key or no network.',
      }),
  }),
})

export const tmdbSearch = search(
  z.object({
    tmdbId: z.int(),
    mediaType: z.enum(['movie', 'tv']),
    name: z.string(),
    overview: nullableText,
    imageUrl: image,
    releaseDate: date,
  }),
)

export const bookSearch = search(
  z.object({
    isbn13: nullableText,
    olid: nullableText,
    key: nullableText,
    title: z.string(),
    authors: texts,
    publishYear: year,
    firstPublishYear: year,
    coverUrl: image,
    description: nullableText,
    subtitle: nullableText,
  }),
)

export const gameSearch = search(
  z.object({
    igdbId: z.int(),
    name: z.string(),
    summary: nullableText,
    releaseYear: year,
    platforms: texts,
    genres: texts,
    coverUrl: image,
    rating: z.number().nullable(),
  }),
)

/** Comma-separated ids in an address; answers the list. */
function idList(pattern: RegExp, example: string) {
  return z
    .string()
    .max(2_500)
    .regex(
      new RegExp(`^${pattern.source}(,${pattern.source}){0,${limits.externalIdsMax - 1}}$`),
      'must be 1 to 100 ids with commas between',
    )
    .meta({ description: 'At most 100 ids with commas between.', example })
}

export const exists = {
  byTmdb: z.object({ tmdbIds: idList(/\d{1,15}/, '603,550') }),
  byIsbn: z.object({ isbn13s: idList(/\d{13}/, '9780261103573') }),
  byOlid: z.object({ olids: idList(/OL\d{1,15}[MW]/, 'OL27448W') }),
  byIgdb: z.object({ igdbIds: idList(/\d{1,15}/, '72') }),
  output: z.object({
    exists: z
      .record(z.string(), id)
      .meta({
        description: 'External id to local id; what is not known is left out.',
        example: { '603': 12 },
      }),
  }),
}

/** Thirteen digits, hyphens allowed, with a right check digit. */
export const isbn13 = z
  .string()
  .overwrite((value) => value.replace(/[\s-]/g, ''))
  .regex(/^97[89]\d{10}$/, messages.isbnInvalid)
  .refine(hasRightCheckDigit, { error: messages.isbnInvalid })
  .meta({ example: '9780261103573' })

export function hasRightCheckDigit(isbn: string): boolean {
  const sum = [...isbn].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

const externalNumber = z.int().positive().meta({ example: 603 })
const olid = z
  .string()
  .trim()
  .regex(/^OL\d{1,15}[MW]$/, 'must be an Open Library id like OL27448W')
  .meta({ example: 'OL27448W' })

export const sync = {
  tmdb: {
    input: z.object({ tmdbId: externalNumber, mediaType: z.enum(['movie', 'tv']) }),
    output: z
      .object({ movie: movie.optional(), tvShow: tvShow.optional() })
      .meta({ description: 'One of the two, by `mediaType`.' }),
  },
  bookByIsbn: { input: z.object({ isbn13 }), output: z.object({ book }) },
  bookByOlid: { input: z.object({ olid }), output: z.object({ book }) },
  game: { input: z.object({ igdbId: externalNumber }), output: z.object({ game }) },
}
