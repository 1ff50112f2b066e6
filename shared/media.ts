/**
 * The four kinds of titles. Every difference between them is in this table: routers, screens and seeding are written once
 * and parameterized by it.
 */
export type Kind = 'movie' | 'tvShow' | 'book' | 'game'

export type KindFacts = {
  kind: Kind
  /** First segment of the path, on the web and in REST. */
  path: string
  /** Name of the tRPC router. */
  router: 'movies' | 'tvShows' | 'books' | 'games'
  /** Key of the title in a response and in an entry of the feed. */
  key: Kind
  /** Key of the title's id in a review and in the request body of a favorite. */
  idKey: 'movieId' | 'tvShowId' | 'bookId' | 'gameId'
  nameKey: 'name' | 'title'
  imageKey: 'imageUrl' | 'coverUrl'
  /** The tRPC router and the REST path of the favorites, and the key of the list in their response. */
  favorites: { router: string; path: string; key: string }
  /** Sources of external ids; a sync reads the first. */
  idSources: readonly IdSource[]
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
  }
  /** The facts that the detail page shows below the poster. */
  details: readonly ('release' | 'releaseYear' | 'platforms' | 'genres')[]
  /** The field that the runtime pill shows. */
  length: 'runtime' | 'pageCount' | null
}

export type IdSource = 'tmdb-movie' | 'tmdb-tv' | 'isbn13' | 'olid-edition' | 'olid-work' | 'igdb' | 'starter'

export const kinds = {
  movie: {
    kind: 'movie',
    path: 'movies',
    router: 'movies',
    key: 'movie',
    idKey: 'movieId',
    nameKey: 'name',
    imageKey: 'imageUrl',
    favorites: { router: 'favoriteMovies', path: 'favorite-movies', key: 'favoriteMovies' },
    idSources: ['tmdb-movie'],
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
    },
    details: ['release', 'genres'],
    length: 'runtime',
  },
  tvShow: {
    kind: 'tvShow',
    path: 'tv-shows',
    router: 'tvShows',
    key: 'tvShow',
    idKey: 'tvShowId',
    nameKey: 'name',
    imageKey: 'imageUrl',
    favorites: { router: 'favoriteTvShows', path: 'favorite-tv-shows', key: 'favoriteTvShows' },
    idSources: ['tmdb-tv'],
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
    },
    details: ['release', 'genres'],
    length: 'runtime',
  },
  book: {
    kind: 'book',
    path: 'books',
    router: 'books',
    key: 'book',
    idKey: 'bookId',
    nameKey: 'title',
    imageKey: 'coverUrl',
    favorites: { router: 'favoriteBooks', path: 'favorite-books', key: 'favoriteBooks' },
    idSources: ['isbn13', 'olid-edition', 'olid-work'],
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
    },
    details: ['release', 'genres'],
    length: 'pageCount',
  },
  game: {
    kind: 'game',
    path: 'games',
    router: 'games',
    key: 'game',
    idKey: 'gameId',
    nameKey: 'name',
    imageKey: 'coverUrl',
    favorites: { router: 'favoriteGames', path: 'favorite-games', key: 'favoriteGames' },
    idSources: ['igdb'],
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
    },
    details: ['releaseYear', 'platforms', 'genres'],
    length: null,
  },
} as const satisfies Record<Kind, KindFacts>

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

export const allKinds: readonly KindFacts[] = Object.values(kinds)
