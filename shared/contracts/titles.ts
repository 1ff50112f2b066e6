import { z } from 'zod'
import { hasValidCheckDigit } from '#shared/domain/isbn.ts'
import * as limits from '#shared/domain/limits.ts'
import {
  idPatterns,
  idSources,
  type Kind,
  kindNames,
  kinds,
  mediaTypes,
  namesOf,
  perKind,
  sourceNames,
  tabNames,
} from '#shared/domain/kinds.ts'
import { numberText } from '#shared/texts/formats.ts'
import { messages } from '#shared/texts/messages.ts'
import { average, ratingStats } from './ratings.ts'
import {
  bounded,
  count,
  cursor,
  decade,
  genre,
  id,
  idList,
  image,
  keyed,
  limit,
  line,
  page,
  nextCursor,
  pagination,
  query,
  shownTexts,
  text,
  titleName as name,
  uploadedImage,
} from './scalars.ts'

const bookTitle = name.meta({ example: 'A Map of Small Hours' })
const nullableText = (example: string, description?: string) =>
  z
    .string()
    .nullable()
    .meta({ example, ...(description ? { description } : {}) })
const textList = (example: string[], description?: string) =>
  z.array(z.string()).meta({ example, ...(description ? { description } : {}) })
const nullableInt = (example: number, description?: string) =>
  z
    .int()
    .nullable()
    .meta({ example, ...(description ? { description } : {}) })

const overview = nullableText(
  'Two sisters walk home across a country that has forgotten its roads.',
).register(shownTexts, { text: 'overview' })
const tagline = nullableText('Every road ends somewhere.').register(shownTexts, { text: 'tagline' })
const genres = textList(['Drama', 'Adventure'])
const authors = textList(['Ada Example'])
const platforms = textList(['PC', 'Switch'])
const igdbRating = z
  .number()
  .nullable()
  .meta({ description: 'The average rating on IGDB, 0 to 100.', example: 87.5 })
const date = nullableText('1999-03-31', '`YYYY-MM-DD`, or `YYYY-MM` or `YYYY` if the exact date is unknown.')
const year = nullableInt(1999)
const isbn = nullableText('9780261103573')
const olidText = nullableText(
  'OL27448W',
  'The Open Library id of the work (`OL…W`) or of an edition (`OL…M`).',
)

const original = {
  originalName: nullableText(
    'El camino largo',
    'The name in the language of the title; null if it is unknown, or the name of the title.',
  ),
  originalLanguage: nullableText('es', 'The language of `originalName`, if it is known.'),
}

const source = nullableText(
  'starter',
  `The source of the title: ${sourceNames.map((name) => `\`${name}\``).join(', ')}, \`starter\`, or \`import\` if an import created it; null if a member created it.`,
)
const addedBy = z
  .object({ id, username: z.string().meta({ example: 'maria' }) })
  .nullable()
  .meta({ description: 'The member whose import created the title; otherwise null.', example: null })

const movie = z
  .object({
    id,
    name,
    imageUrl: image,
    backdropUrl: image,
    overview,
    description: overview.meta({ description: 'The same text as `overview`.' }),
    tagline,
    releaseDate: date,
    releaseYear: year,
    genres,
    creators: textList(['Ada Example'], 'Directors.'),
    runtime: nullableInt(136, 'Minutes.'),
    tmdbId: nullableInt(603),
    ...original,
    source,
    addedBy,
  })
  .meta({ id: 'Movie' })

const tvShow = movie
  .extend({
    firstAirDate: date,
    creators: textList(['Ada Example'], 'Creators.'),
    runtime: nullableInt(52, 'Minutes of an episode.'),
    lastAirYear: nullableInt(2013, 'The year of the last episode.'),
    seasonCount: nullableInt(5),
  })
  .meta({ id: 'TvShow' })

const book = z
  .object({
    id,
    title: bookTitle,
    authors,
    coverUrl: image,
    backdropUrl: image,
    tagline,
    description: overview,
    pageCount: nullableInt(320),
    series: nullableText('Dune, 1', 'The series, with the position in it if known.'),
    publishDate: date,
    publishYear: year,
    categories: textList(['Fiction']),
    isbn13: isbn,
    olid: olidText,
    ...original,
    source,
    addedBy,
  })
  .meta({ id: 'Book' })

const game = z
  .object({
    id,
    name,
    coverUrl: image,
    backdropUrl: image,
    tagline,
    summary: overview,
    releaseDate: date,
    releaseYear: year,
    platforms,
    genres,
    developers: textList(['Example Works']),
    igdbId: nullableInt(72),
    rating: igdbRating,
    ...original,
    source,
    addedBy,
  })
  .meta({ id: 'Game' })

export const title = { movie, tvShow, book, game } as const satisfies Record<Kind, z.ZodType>

export const card = {
  movie: movie
    .pick({ id: true, name: true, imageUrl: true, releaseDate: true, releaseYear: true })
    .meta({ id: 'MovieCard' }),
  tvShow: tvShow
    .pick({ id: true, name: true, imageUrl: true, releaseDate: true, releaseYear: true })
    .meta({ id: 'TvShowCard' }),
  book: book
    .pick({ id: true, title: true, authors: true, coverUrl: true, publishYear: true })
    .meta({ id: 'BookCard' }),
  game: game.pick({ id: true, name: true, coverUrl: true, releaseYear: true }).meta({ id: 'GameCard' }),
} as const satisfies Record<Kind, z.ZodType>

const counted = {
  reviewCount: count.meta({ description: 'Ratings in the period, with or without a text.' }),
  reviewAverage: average,
}

type PopularEntry = z.infer<(typeof card)[Kind]> & z.infer<z.ZodObject<typeof counted>>
const popularEntry = perKind(
  (definition): z.ZodType<PopularEntry> =>
    z
      .object({ ...card[definition.kind].shape, ...counted })
      .meta({ id: `Popular${namesOf(definition).One}` }) as z.ZodType as z.ZodType<PopularEntry>,
)

export const popular = {
  input: z.object({
    days: z.int().min(1).max(limits.popularDaysMax).default(limits.popularDays).meta({ example: 7 }),
    limit: limit(limits.popularLimit),
  }),
  output: (kind: Kind) => z.object({ popular: z.array(popularEntry[kind]) }),
}

export const byId = {
  input: z.object({ id }),
  output: (kind: Kind) => keyed(kind, title, { stats: ratingStats }),
}

export const createMovie = {
  input: z.object({
    name: line(limits.nameMax).min(1, messages.nameRequired).meta({ example: 'The Long Way' }),
    description: text(limits.descriptionMax)
      .nullish()
      .meta({ example: 'Two sisters walk home across a country that has forgotten its roads.' }),
    imageUrl: uploadedImage.nullish(),
  }),
  output: z.object({ movie }),
}

export const suggest = {
  input: z.object({ q: query, limit: limit(limits.suggestionsLimit) }),
  output: z.object({ results: z.array(card.movie) }),
}

const categories = kindNames.map((kind) => kinds[kind].words.category)

const item = z
  .object({
    id,
    name,
    category: z.enum(categories).meta({ description: 'The kind of the title.', example: 'Movie' }),
    description: overview,
    imageUrl: image,
    releaseYear: year,
  })
  .meta({
    id: 'Item',
    description: 'A title of any kind. The id equals the id of the movie, TV show, book or game.',
  })

const category = z.enum([...kindNames, ...categories]).meta({
  description: 'Returns only titles of this kind: the `category` of an item.',
  // Names of kinds are accepted too, but only the categories are documented.
  enum: categories,
  example: 'Book',
})

export const itemSorts = ['title', 'popularity', 'rating', 'added', 'release'] as const

export const listItems = {
  input: z.object({
    page,
    cursor,
    limit: limit(limits.listPageSize),
    category: category.optional(),
    sort: z.enum(itemSorts).default('title').meta({
      description:
        'Title from A to Z; otherwise descending: number of ratings, average (weighted: titles with few ratings are drawn to the middle), time of addition, release date.',
    }),
    genre: genre.optional(),
    decade: decade.optional(),
    unrated: z
      .boolean()
      .optional()
      .meta({ description: 'Only titles that the caller has not rated. Requires a token.' }),
    network: z
      .boolean()
      .optional()
      .meta({
        description: `Only titles that people the caller follows have rated. Requires a token. If these people have more than ${numberText(limits.networkRowsMax)} ratings, the ratings of the people followed last are considered.`,
      }),
  }),
  output: z.object({ items: z.array(item), pagination, nextCursor }),
}

export const listGenres = {
  input: z.object({ category: category.optional() }),
  output: z.object({
    genres: z.array(z.object({ name: z.string().meta({ example: 'Drama' }), count })).meta({
      description: 'At most 100, the genres with most titles first. `count` is the number of titles.',
    }),
  }),
}

export const searchItems = {
  input: z.object({
    q: query,
    limit: limit(limits.searchLimit),
    category: category.optional(),
    local: z
      .boolean()
      .optional()
      .meta({
        description:
          'Only titles that the searches of the external sources do not return, since they have no id of TMDB, IGDB or Open Library ' +
          `and no ISBN: those among the ${limits.localMatchesMax} best matches, without allowing a typo.`,
      }),
  }),
  output: z.object({
    results: z.array(
      item
        .extend({ average })
        .meta({ id: 'FoundItem', description: 'An item, with the average of all ratings.' }),
    ),
  }),
}

export const itemById = { input: z.object({ id }), output: z.object({ item }) }

const search = <Hit extends z.ZodType>(hit: Hit) => ({
  input: z.object({ q: query }),
  output: z.object({
    results: z.array(hit),
    source: z.string().meta({
      description:
        'The source of the results; `starter` if the external source has no key or is unreachable.',
      example: 'starter',
    }),
  }),
})

/** The web app searches all sources; the documented calls below one each. */
export const searchTab = {
  input: z.object({ q: query, tab: z.enum(tabNames) }),
  output: search(
    z.object({
      kind: z.enum(kindNames),
      /** The preferred one first; the title can be added with any of them. */
      ids: z.array(z.object({ source: z.enum(idSources), id: z.string() })),
      name,
      text: overview,
      imageUrl: image,
      releaseYear: year,
      creators: authors,
      platforms,
      localId: id.nullable(),
      average,
    }),
  ).output,
}
export const syncTitle = {
  input: z
    .object({ kind: z.enum(kindNames), source: z.enum(idSources), id: z.string().max(limits.externalIdMax) })
    .refine(({ source, id }) => idPatterns[source].test(id)),
  output: z.object({ id }),
}

export const tmdbSearch = search(
  z
    .object({
      tmdbId: z.int().meta({ example: 603 }),
      mediaType: z.enum(mediaTypes),
      name,
      overview,
      imageUrl: image,
      releaseDate: date,
    })
    .meta({ id: 'ScreenHit', description: 'A movie or a TV show.' }),
)

export const bookSearch = search(
  z
    .object({
      isbn13: isbn,
      olid: olidText,
      key: nullableText('/works/OL27448W', 'The path on Open Library.'),
      title: bookTitle,
      authors,
      publishYear: year,
      firstPublishYear: year,
      coverUrl: image,
      description: overview,
      subtitle: nullableText('A Novel'),
    })
    .meta({ id: 'BookHit' }),
)

export const gameSearch = search(
  z
    .object({
      igdbId: z.int().meta({ example: 72 }),
      name,
      summary: overview,
      releaseYear: year,
      platforms,
      genres,
      coverUrl: image,
      rating: igdbRating,
    })
    .meta({ id: 'GameHit' }),
)

export const exists = {
  byTmdb: z.object({ tmdbIds: idList(/\d{1,15}/, '603,550') }),
  byIsbn: z.object({ isbn13s: idList(/\d{13}/, '9780261103573') }),
  byOlid: z.object({ olids: idList(/OL\d{1,15}[MW]/, 'OL27448W') }),
  byIgdb: z.object({ igdbIds: idList(/\d{1,15}/, '72') }),
  output: z.object({
    exists: z.record(z.string(), id).meta({
      description: 'Maps external ids to local ids. Unknown ids are left out.',
      example: { '603': 12 },
    }),
  }),
}

export const isbn13 = bounded(limits.isbnMax, messages.isbnInvalid)
  .overwrite((value) => value.replace(/[\s-]/g, ''))
  .regex(/^97[89]\d{10}$/, messages.isbnInvalid)
  .refine(hasValidCheckDigit, { error: messages.isbnInvalid })
  .meta({ maxLength: limits.isbnMax, example: '9780261103573' })

const externalNumber = z.int().positive().meta({ example: 603 })
const olidInvalid = 'must be an Open Library id like OL27448W'
const olid = bounded(limits.olidMax, olidInvalid)
  .trim()
  .regex(/^OL\d{1,15}[MW]$/, olidInvalid)
  .meta({ maxLength: limits.olidMax, example: 'OL27448W' })

export const sync = {
  tmdb: {
    input: z.object({ tmdbId: externalNumber, mediaType: z.enum(mediaTypes) }),
    output: z
      .object({ movie: movie.optional(), tvShow: tvShow.optional().meta({ examples: [] }) })
      .meta({ description: 'One of the two, depending on `mediaType`.' }),
  },
  bookByIsbn: { input: z.object({ isbn13 }), output: z.object({ book }) },
  bookByOlid: { input: z.object({ olid }), output: z.object({ book }) },
  game: { input: z.object({ igdbId: externalNumber }), output: z.object({ game }) },
}
