import { t } from './message.ts'

/** Routers, schemas, screens and seeding are written once for all kinds. The fields of each kind are in shared/contracts/titles.ts. */
/** What people do with a title. Texts that differ only in it have an entry per verb, and need none for a new kind. */
export type Verb = 'watch' | 'read' | 'play'

type Facts = {
  /** Also the key of the title in a response. */
  kind: string
  verb: Verb
  path: string
  router: string
  /** In a review and in the request body of a favorite. */
  idKey: string
  nameKey: 'name' | 'title'
  imageKey: 'imageUrl' | 'coverUrl'
  /** `router` is also the key in their response. `isNested`: a favorite has its title under the key of the kind; otherwise it is the title. */
  favorites: { router: string; path: string; isNested: boolean }
  idSources: readonly [IdSource, ...IdSource[]]
  /** Sources have an id for each edition: the same name and creator are the same title. */
  hasEditions: boolean
  parts: readonly PartType[]
  /** At TMDB; null if TMDB does not have the kind. */
  mediaType: MediaType | null
  listed: { field: 'creators' | 'platforms'; max: number } | null
  tab: Tab
  homePosition: number
  /** Above `hintAbove`, a hint shows the total. */
  profile: { shown: number; hintAbove: number }
  words: {
    eyebrow: string
    one: string
    many: string
    category: string
    notFound: string
    popularEmpty: string
    overviewEmpty: string
    open: string
    creators: string
    similar: string
    sameStory: string
    diary: Record<DiaryStatus | 'again', string>
  }
  details: readonly (
    | 'release'
    | 'releaseYear'
    | 'aired'
    | 'seasons'
    | 'series'
    | 'platforms'
    | 'genres'
    | 'isbn'
  )[]
  length: 'runtime' | 'pageCount' | null
  /** Besides percent; null for a TV show, whose progress are plays. */
  progressUnit: 'page' | 'hours' | 'minutes' | null
}

/** What a member says of how far they are. */
export const progressUnits = ['page', 'percent', 'hours', 'minutes'] as const
export type ProgressUnit = (typeof progressUnits)[number]

/** Tabs of the search. Their texts are in tabs.ts: few pages need them. */
export const tabNames = ['screen', 'books', 'games'] as const
export type Tab = (typeof tabNames)[number]

export const diaryStatuses = ['want', 'started', 'paused', 'finished', 'dropped'] as const
export type DiaryStatus = (typeof diaryStatuses)[number]

/** Only an entry that is over has an end date. */
export function isOver(status: DiaryStatus): status is 'finished' | 'dropped' {
  return status === 'finished' || status === 'dropped'
}

/** An episode is within a season. */
export type PartType = 'season' | 'episode' | 'volume'
/** Of what members review besides titles; a part that is within another one comes later. */
export const partIdKeys = ['seasonId', 'episodeId'] as const
export type PartIdKey = (typeof partIdKeys)[number]
export type PartIdSource = 'tmdb-season' | 'tmdb-episode' | 'tvmaze-episode'

export const mediaTypes = ['movie', 'tv'] as const
export type MediaType = (typeof mediaTypes)[number]

/**
 * In the order of precedence: each field comes from the first source that has it. The terms of the sources require `name`, `credit` and
 * `notice`. Pages load pictures from the origins `pictures`.
 */
export const sources = {
  tmdb: {
    name: 'TMDB',
    credit: 'TMDB',
    href: 'https://www.themoviedb.org/',
    what: t`Movies and TV shows`,
    notice:
      'This product uses TMDB and the TMDB APIs but is not endorsed, certified, or otherwise approved by TMDB.',
    pictures: ['https://image.tmdb.org'],
  },
  openlibrary: {
    name: 'Open Library',
    credit: 'Open Library',
    href: 'https://openlibrary.org/',
    what: t`Books`,
    notice: 'Book data and covers from Open Library, a project of the Internet Archive.',
    // The Internet Archive serves the largest covers.
    pictures: ['https://covers.openlibrary.org', 'https://*.archive.org'],
  },
  igdb: {
    name: 'IGDB',
    credit: 'IGDB.com',
    href: 'https://www.igdb.com/',
    what: t`Games`,
    notice: 'Data from IGDB.com.',
    pictures: ['https://images.igdb.com'],
  },
} as const
export type SourceName = keyof typeof sources | 'starter'
export const sourceNames = Object.keys(sources) as (keyof typeof sources)[]

const number = /^[1-9]\d{0,14}$/
export const idPatterns = {
  'tmdb-movie': number,
  'tmdb-tv': number,
  imdb: /^tt\d{5,10}$/,
  tvdb: number,
  isbn13: /^97[89]\d{10}$/,
  'olid-edition': /^OL\d{1,12}M$/,
  'olid-work': /^OL\d{1,12}W$/,
  igdb: number,
  starter: /^[\w-]{1,20}\/[\w-]{1,100}$/,
} satisfies Record<string, RegExp>
export type IdSource = keyof typeof idPatterns
export const idSources = Object.keys(idPatterns) as IdSource[]

function diaryWords(want: string, started: string, finished: string, again: string) {
  return {
    want,
    started,
    paused: t`Paused`,
    finished,
    dropped: t`Stopped`,
    again,
  }
}

export const kinds = {
  movie: {
    kind: 'movie',
    verb: 'watch',
    path: 'movies',
    router: 'movies',
    idKey: 'movieId',
    nameKey: 'name',
    imageKey: 'imageUrl',
    favorites: { router: 'favoriteMovies', path: 'favorite-movies', isNested: false },
    idSources: ['tmdb-movie'],
    hasEditions: false,
    parts: [],
    mediaType: 'movie',
    listed: null,
    tab: 'screen',
    homePosition: 1,
    profile: { shown: 6, hintAbove: 4 },
    words: {
      eyebrow: t`Feature Film`,
      one: t`Movie`,
      many: t`Movies`,
      category: 'Movie',
      notFound: t`Movie not found.`,
      popularEmpty: t`No movies have enough recent reviews yet.`,
      overviewEmpty: t`No overview for this movie yet.`,
      open: t`Open`,
      creators: t`Directed by`,
      similar: t`People who like this movie also like`,
      sameStory: t`Also a film`,
      diary: diaryWords(t`Want to watch`, t`Watching`, t`Watched`, t`Watched again`),
    },
    details: ['release', 'genres'],
    length: 'runtime',
    progressUnit: 'minutes',
  },
  tvShow: {
    kind: 'tvShow',
    verb: 'watch',
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
    hasEditions: false,
    parts: ['season', 'episode'],
    mediaType: 'tv',
    listed: null,
    tab: 'screen',
    homePosition: 2,
    profile: { shown: 6, hintAbove: 4 },
    words: {
      eyebrow: t`TV Series`,
      one: t`TV show`,
      many: t`TV shows`,
      category: 'TV show',
      notFound: t`TV show not found.`,
      popularEmpty: t`No TV shows have enough recent reviews yet.`,
      overviewEmpty: t`No overview for this TV show yet.`,
      open: t`Open`,
      creators: t`Created by`,
      similar: t`People who like this TV show also like`,
      sameStory: t`Also a series`,
      diary: diaryWords(t`Want to watch`, t`Watching`, t`Watched`, t`Watched again`),
    },
    details: ['release', 'aired', 'seasons', 'genres'],
    length: 'runtime',
    progressUnit: null,
  },
  book: {
    kind: 'book',
    verb: 'read',
    path: 'books',
    router: 'books',
    idKey: 'bookId',
    nameKey: 'title',
    imageKey: 'coverUrl',
    favorites: { router: 'favoriteBooks', path: 'favorite-books', isNested: true },
    idSources: ['isbn13', 'olid-edition', 'olid-work'],
    hasEditions: true,
    parts: ['volume'],
    mediaType: null,
    listed: { field: 'creators', max: 2 },
    tab: 'books',
    homePosition: 4,
    profile: { shown: 8, hintAbove: 5 },
    words: {
      eyebrow: t`Book`,
      one: t`Book`,
      many: t`Books`,
      category: 'Book',
      notFound: t`Book not found.`,
      popularEmpty: t`No books have enough recent reviews yet.`,
      overviewEmpty: t`No description for this book yet.`,
      open: t`View book`,
      creators: t`By`,
      similar: t`People who like this book also like`,
      sameStory: t`Also a book`,
      diary: diaryWords(t`Want to read`, t`Reading`, t`Read`, t`Read again`),
    },
    details: ['release', 'series', 'genres', 'isbn'],
    length: 'pageCount',
    progressUnit: 'page',
  },
  game: {
    kind: 'game',
    verb: 'play',
    path: 'games',
    router: 'games',
    idKey: 'gameId',
    nameKey: 'name',
    imageKey: 'coverUrl',
    favorites: { router: 'favoriteGames', path: 'favorite-games', isNested: false },
    idSources: ['igdb'],
    hasEditions: false,
    parts: [],
    mediaType: null,
    listed: { field: 'platforms', max: 3 },
    tab: 'games',
    homePosition: 3,
    profile: { shown: 6, hintAbove: 4 },
    words: {
      eyebrow: t`Video Game`,
      one: t`Game`,
      many: t`Games`,
      category: 'Game',
      notFound: t`Game not found.`,
      popularEmpty: t`No games have enough recent reviews yet.`,
      overviewEmpty: t`No summary for this game yet.`,
      open: t`View game`,
      creators: t`Developed by`,
      similar: t`People who like this game also like`,
      sameStory: t`Also a game`,
      diary: diaryWords(t`Want to play`, t`Playing`, t`Played`, t`Played again`),
    },
    details: ['releaseYear', 'platforms', 'genres'],
    length: null,
    progressUnit: 'hours',
  },
} as const satisfies Record<string, Facts>
export type Kind = keyof typeof kinds
type KindEntry = (typeof kinds)[Kind]
export type KindDefinition = Facts & {
  kind: Kind
  router: KindEntry['router']
  idKey: KindEntry['idKey']
  favorites: { router: KindEntry['favorites']['router'] }
}

/**
 * https://ogp.me/#types and schema.org. `color` is for share pictures: the kind’s in the dark theme (client/styles.css) as sRGB. Not in `kinds`,
 * because only the server needs them.
 */
export const kindMetadata = {
  movie: {
    openGraph: 'video.movie',
    schema: 'Movie',
    creators: 'director',
    color: '#fd8660',
    section: 'Popular movies, a single movie, and its ratings by all members or by those the caller follows.',
  },
  tvShow: {
    openGraph: 'video.tv_show',
    schema: 'TVSeries',
    creators: 'creator',
    color: '#5fc1fc',
    section: 'The same for TV shows.',
  },
  book: {
    openGraph: 'book',
    schema: 'Book',
    creators: 'author',
    color: '#62d691',
    section: 'The same for books.',
  },
  game: {
    openGraph: 'website',
    schema: 'VideoGame',
    creators: 'author',
    color: '#c899fc',
    section: 'The same for video games.',
  },
} as const satisfies Record<
  Kind,
  {
    openGraph: 'website' | 'book' | 'video.movie' | 'video.tv_show'
    schema: string
    creators: string
    color: `#${string}`
    section: string
  }
>

/** For the OpenAPI document: `One` and `Many` in operation ids (`getTvShow`, `listPopularTvShows`), `one` and `many` in sentences. */
export function namesOf({ kind, router, words }: Facts) {
  const capital = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase())
  const small = (word: string) => word.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
  return { One: capital(kind), Many: capital(router), one: small(words.one), many: small(words.many) }
}

export const kindNames = Object.keys(kinds) as Kind[]

/** The category is the label or the name of the kind. */
export function kindOfCategory(category: string): Kind | undefined {
  return kindNames.find((kind) => kind === category || kinds[kind].words.category === category)
}

export function kindOfMediaType(mediaType: MediaType): 'movie' | 'tvShow' {
  return kindNames.find((kind) => kinds[kind].mediaType === mediaType) as 'movie' | 'tvShow'
}

export const allKinds: readonly KindDefinition[] = Object.values(kinds)

export const kindsOnHome = allKinds.toSorted((a, b) => a.homePosition - b.homePosition)

export function perKind<T>(valueOf: (definition: KindDefinition) => T): Record<Kind, T> {
  return Object.fromEntries(allKinds.map((definition) => [definition.kind, valueOf(definition)])) as Record<
    Kind,
    T
  >
}

export const idKeys = allKinds.map(({ idKey }) => idKey)

export function perIdKey<T>(valueOf: (index: number) => T): Record<KindDefinition['idKey'], T> {
  return Object.fromEntries(idKeys.map((key, index) => [key, valueOf(index)])) as Record<
    KindDefinition['idKey'],
    T
  >
}
