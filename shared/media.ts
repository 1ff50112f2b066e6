/**
 * The four kinds of titles. What differs between them as data is in this table: routers, screens and seeding are written
 * once and parameterized by it. Their fields differ in the schemas of shared/catalogue.ts, which server/catalogue/rules.ts
 * writes and client/catalogue/title/title-view.ts reads.
 */
export type Kind = 'movie' | 'tvShow' | 'book' | 'game'

export type KindFacts = {
  /** Also the key of the title in a response and in an entry of the feed. */
  kind: Kind
  /** First segment of the path, on the web and in REST. */
  path: string
  /** Name of the tRPC router. */
  router: 'movies' | 'tvShows' | 'books' | 'games'
  /** Key of the title's id in a review and in the request body of a favorite. */
  idKey: 'movieId' | 'tvShowId' | 'bookId' | 'gameId'
  nameKey: 'name' | 'title'
  imageKey: 'imageUrl' | 'coverUrl'
  /**
   * The favorites: their tRPC router, which is also the key of the list in their response, and their REST path. `isNested`:
   * a favorite has its title under the key of the kind; otherwise it is the title.
   */
  favorites: { router: string; path: string; isNested: boolean }
  /** Sources of external ids; a sync reads the first. */
  idSources: readonly IdSource[]
  /** The type of the kind at TMDB; null if TMDB has none of the kind. */
  mediaType: MediaType | null
  /** The tab that shows the kind on Search and For You. */
  tab: 'screen' | 'books' | 'games'
  words: {
    eyebrow: string
    one: string
    many: string
    /** The category of an item, in the API. */
    category: string
    notFound: string
    popularEmpty: string
    overviewEmpty: string
    favoritesHeading: string
    favoritesEmpty: string
    open: string
    creators: string
    /** The statuses of a diary entry; `again` if it is not the first one. */
    diary: Record<DiaryStatus | 'again', string>
  }
  /** The facts that the detail page shows below the poster. */
  details: readonly ('release' | 'releaseYear' | 'platforms' | 'genres')[]
  /** The field that the runtime pill shows. */
  length: 'runtime' | 'pageCount' | null
}

/** See `shared/diary.ts`. */
export const diaryStatuses = ['want', 'started', 'paused', 'finished', 'dropped'] as const
export type DiaryStatus = (typeof diaryStatuses)[number]

/** Returns whether an entry with this status is over: only such an entry has an end date. */
export function isOver(status: DiaryStatus): boolean {
  return status === 'finished' || status === 'dropped'
}

export const mediaTypes = ['movie', 'tv'] as const
export type MediaType = (typeof mediaTypes)[number]

/** The catalogues whose ids of titles are stored. */
export const idSources = [
  'tmdb-movie',
  'tmdb-tv',
  'imdb',
  'tvdb',
  'isbn13',
  'olid-edition',
  'olid-work',
  'igdb',
  'starter',
] as const
export type IdSource = (typeof idSources)[number]

function diaryWords(verb: string, started: string, finished: string) {
  return {
    want: `Want to ${verb}`,
    started,
    paused: 'Paused',
    finished,
    dropped: 'Stopped',
    again: `${finished} again`,
  }
}

export const kinds = {
  movie: {
    kind: 'movie',
    path: 'movies',
    router: 'movies',
    idKey: 'movieId',
    nameKey: 'name',
    imageKey: 'imageUrl',
    favorites: { router: 'favoriteMovies', path: 'favorite-movies', isNested: false },
    idSources: ['tmdb-movie'],
    mediaType: 'movie',
    tab: 'screen',
    words: {
      eyebrow: 'Feature Film',
      one: 'Movie',
      many: 'Movies',
      category: 'Movie',
      notFound: 'Movie not found.',
      popularEmpty: 'No movies have enough recent reviews yet.',
      overviewEmpty: 'No overview for this movie yet.',
      favoritesHeading: 'Favorite Movies',
      favoritesEmpty: 'No favorite movies yet.',
      open: 'Open',
      creators: 'Directed by',
      diary: diaryWords('watch', 'Watching', 'Watched'),
    },
    details: ['release', 'genres'],
    length: 'runtime',
  },
  tvShow: {
    kind: 'tvShow',
    path: 'tv-shows',
    router: 'tvShows',
    idKey: 'tvShowId',
    nameKey: 'name',
    imageKey: 'imageUrl',
    favorites: {
      router: 'favoriteTvShows',
      path: 'favorite-tv-shows',
      isNested: false,
    },
    idSources: ['tmdb-tv'],
    mediaType: 'tv',
    tab: 'screen',
    words: {
      eyebrow: 'TV Series',
      one: 'TV show',
      many: 'TV shows',
      category: 'TV show',
      notFound: 'TV show not found.',
      popularEmpty: 'No TV shows have enough recent reviews yet.',
      overviewEmpty: 'No overview for this TV show yet.',
      favoritesHeading: 'Favorite TV Shows',
      favoritesEmpty: 'No favorite TV shows yet.',
      open: 'Open',
      creators: 'Created by',
      diary: diaryWords('watch', 'Watching', 'Watched'),
    },
    details: ['release', 'genres'],
    length: 'runtime',
  },
  book: {
    kind: 'book',
    path: 'books',
    router: 'books',
    idKey: 'bookId',
    nameKey: 'title',
    imageKey: 'coverUrl',
    favorites: { router: 'favoriteBooks', path: 'favorite-books', isNested: true },
    idSources: ['isbn13', 'olid-edition', 'olid-work'],
    mediaType: null,
    tab: 'books',
    words: {
      eyebrow: 'Book',
      one: 'Book',
      many: 'Books',
      category: 'Book',
      notFound: 'Book not found.',
      popularEmpty: 'No books have enough recent reviews yet.',
      overviewEmpty: 'No description for this book yet.',
      favoritesHeading: 'Favorite Books',
      favoritesEmpty: 'No favorite books yet.',
      open: 'View book',
      creators: 'By',
      diary: diaryWords('read', 'Reading', 'Read'),
    },
    details: ['release', 'genres'],
    length: 'pageCount',
  },
  game: {
    kind: 'game',
    path: 'games',
    router: 'games',
    idKey: 'gameId',
    nameKey: 'name',
    imageKey: 'coverUrl',
    favorites: { router: 'favoriteGames', path: 'favorite-games', isNested: false },
    idSources: ['igdb'],
    mediaType: null,
    tab: 'games',
    words: {
      eyebrow: 'Video Game',
      one: 'Game',
      many: 'Games',
      category: 'Game',
      notFound: 'Game not found.',
      popularEmpty: 'No games have enough recent reviews yet.',
      overviewEmpty: 'No summary for this game yet.',
      favoritesHeading: 'Favorite Games',
      favoritesEmpty: 'No favorite games yet.',
      open: 'View game',
      creators: 'Developed by',
      diary: diaryWords('play', 'Playing', 'Played'),
    },
    details: ['releaseYear', 'platforms', 'genres'],
    length: null,
  },
} as const satisfies Record<Kind, KindFacts>

/**
 * The types of a title’s page at https://ogp.me/#types and schema.org, and the property of its creators at the latter. Not in
 * `kinds`, because only the server needs them.
 */
export const kindMetadata = {
  movie: { openGraph: 'video.movie', schema: 'Movie', creators: 'director' },
  tvShow: { openGraph: 'video.tv_show', schema: 'TVSeries', creators: 'creator' },
  book: { openGraph: 'book', schema: 'Book', creators: 'author' },
  game: { openGraph: 'website', schema: 'VideoGame', creators: 'author' },
} as const satisfies Record<
  Kind,
  { openGraph: 'website' | 'book' | 'video.movie' | 'video.tv_show'; schema: string; creators: string }
>

/**
 * Returns the names of a kind for the OpenAPI document: `One` and `Many` in operation ids (`getTvShow`,
 * `listPopularTvShows`), `one` and `many` in sentences (“a TV show”, “movies”).
 */
export function namesOf({ kind, router, words }: KindFacts) {
  const capital = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase())
  const small = (word: string) => word.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
  return { One: capital(kind), Many: capital(router), one: small(words.one), many: small(words.many) }
}

export const kindNames = Object.keys(kinds) as Kind[]

/** Returns the kind of an item's category, given as its label or as the name of the kind; undefined if there is none. */
export function kindOfCategory(category: string): Kind | undefined {
  return kindNames.find((kind) => kind === category || kinds[kind].words.category === category)
}

export function kindOfMediaType(mediaType: MediaType): 'movie' | 'tvShow' {
  return kindNames.find((kind) => kinds[kind].mediaType === mediaType) as 'movie' | 'tvShow'
}

export const allKinds: readonly KindFacts[] = Object.values(kinds)
