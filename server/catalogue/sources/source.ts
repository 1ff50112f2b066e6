import type { z } from 'zod'
import type { bookSearch, gameSearch, tmdbSearch } from '#shared/catalogue.ts'
import type { IdSource, Kind } from '#shared/media.ts'

type SourceName = 'tmdb' | 'openlibrary' | 'igdb' | 'starter'

/** A title as an outside source tells it, cleaned: text without HTML, dates as far as they are known, https pictures. */
export type FoundTitle = {
  /** Who told of it. */
  source: SourceName
  kind: Kind
  name: string
  overview: string | null
  tagline: string | null
  image: string | null
  backdrop: string | null
  /** `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or null. */
  releaseDate: string | null
  /** Minutes. */
  runtime: number | null
  pageCount: number | null
  genres: string[]
  creators: string[]
  platforms: string[]
  /** Mean rating there, 0 to 100. */
  rating: number | null
  /** How widely known, 0 to 100 whatever the source counts. */
  popularity: number
  /** Every id that names this very title; the one asked for among them. */
  ids: { source: IdSource; external_id: string }[]
}

export type ScreenHit = z.infer<typeof tmdbSearch.output>['results'][number]
export type BookHit = z.infer<typeof bookSearch.output>['results'][number]
export type GameHit = z.infer<typeof gameSearch.output>['results'][number]

export type ScreenId = { tmdbId: number; mediaType: 'movie' | 'tv' }
export type BookId = { isbn13: string } | { olid: string }
export type GameId = { igdbId: number }

/**
 * Where titles come from. Both calls throw a TRPCError (SERVICE_UNAVAILABLE or BAD_GATEWAY) where the source is down,
 * slow or answers nonsense.
 */
export type Source<Hit, Id> = {
  /** Who is asked first; who answered stands in the answer, since the starter catalogue can stand in. */
  name: SourceName
  search: (q: string) => Promise<{ results: Hit[]; source: SourceName }>
  /** Undefined where there is no such title (any more). */
  find: (id: Id) => Promise<FoundTitle | undefined>
}

export type Sources = {
  screens: Source<ScreenHit, ScreenId>
  books: Source<BookHit, BookId>
  games: Source<GameHit, GameId>
}
