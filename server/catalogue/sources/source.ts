import type { z } from 'zod'
import type { bookSearch, gameSearch, tmdbSearch } from '#shared/catalogue.ts'
import type { IdSource, Kind, MediaType } from '#shared/media.ts'

type SourceName = 'tmdb' | 'openlibrary' | 'igdb' | 'starter'

/** A title from an external source, cleaned: text without HTML, valid dates, https URLs of pictures. */
export type FoundTitle = {
  source: SourceName
  kind: Kind
  name: string
  /** Names that the search finds too, such as the original one. */
  otherNames?: string[] | undefined
  overview: string | null
  tagline: string | null
  image: string | null
  backdrop: string | null
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  releaseDate: string | null
  /** Minutes. */
  runtime: number | null
  pageCount: number | null
  genres: string[]
  creators: string[]
  platforms: string[]
  /** Mean rating at the source, 0 to 100. */
  rating: number | null
  /** 0 to 100, comparable between sources. */
  popularity: number
  /** All known external ids of the title, including the requested one. */
  ids: { source: IdSource; external_id: string }[]
  /** Whether it comes from a list that lacks some of the title’s details; `find` of its `Source` returns all of them. */
  isPartial?: true
}

export type ScreenHit = z.infer<typeof tmdbSearch.output>['results'][number]
export type BookHit = z.infer<typeof bookSearch.output>['results'][number]
export type GameHit = z.infer<typeof gameSearch.output>['results'][number]

export type ScreenId = { tmdbId: number; mediaType: MediaType }
export type BookId = { isbn13: string } | { olid: string }
export type GameId = { igdbId: number }

/**
 * A provider of titles. Both calls throw SERVICE_UNAVAILABLE if the source is down or slow, BAD_GATEWAY if its response is
 * invalid.
 */
export type Source<Hit, Id> = {
  /** The source that is called first. A result names the source that it came from, which can be the fallback. */
  name: SourceName
  search: (q: string) => Promise<{ results: Hit[]; source: SourceName }>
  /** Returns undefined if the source has no such title, or has deleted it. */
  find: (id: Id) => Promise<FoundTitle | undefined>
}

/** A title that an import looks for. Ids of the services are `imdb`, `tvdb` and the sources of external ids. */
export type WantedTitle = {
  kind: Kind
  name: string
  otherNames: string[]
  year: number | null
  authors: string[]
  ids: { source: string; id: string }[]
}

/**
 * The search of a source for imports: slower than `Source`, below all other calls, in batches where the source has them.
 * Starter titles are no source: an import looks them up in the catalogue.
 */
export type Lookup = {
  name: SourceName
  kinds: readonly Kind[]
  /** The most titles of one call of `findCandidates`. */
  batchSize: number
  /**
   * Returns for each wanted title what the source has under its ids or its name, best first, at most five. They can be of
   * another kind: a film that the source has as a show. One call waits up to three minutes for its turn, and a batch consists of
   * up to two calls a title, rarely more.
   *
   * Throws SERVICE_UNAVAILABLE if the source is down, slow or rate limited, BAD_GATEWAY if its response is invalid: neither means
   * that a title is unknown. `retryAfterMs` of the error’s cause, if any, is how long the source asked to wait.
   */
  findCandidates: (wanted: readonly WantedTitle[]) => Promise<FoundTitle[][]>
}

export type Sources = {
  screens: Source<ScreenHit, ScreenId>
  books: Source<BookHit, BookId>
  games: Source<GameHit, GameId>
  /** Those of the sources above that are no starter catalogue. */
  lookups: readonly Lookup[]
}
