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

export type Sources = {
  screens: Source<ScreenHit, ScreenId>
  books: Source<BookHit, BookId>
  games: Source<GameHit, GameId>
}
