import type { IdSource, Kind, PartIdSource, PartType, SourceName } from '#shared/domain/media.ts'

export type ExternalId = { source: IdSource; external_id: string }

/** A part of a title, such as a season, with the parts within it. */
export type FoundPart = {
  type: PartType
  number: number
  name: string | null
  /** As in a title. */
  releaseDate: string | null
  /** Minutes. */
  runtime: number | null
  ids: { source: PartIdSource; external_id: string }[]
  /** Missing if the source was not asked. */
  parts?: FoundPart[]
}

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
  /** Of a TV show: the year of its last episode. */
  lastAirYear?: number | null
  seasonCount?: number | null
  /** Of a book: with its position, if known. */
  series?: string | null
  genres: string[]
  creators: string[]
  platforms: string[]
  /** Mean rating at the source, 0 to 100. */
  rating: number | null
  /** 0 to 100, comparable between sources. */
  popularity: number
  /** All known external ids of the title, including the requested one. */
  ids: ExternalId[]
  /** Missing if the source has no parts of such titles, or was not asked. */
  parts?: FoundPart[]
  /** Of a book that a search found: what its edition has. */
  edition?: { publishYear: number | null; subtitle: string | null }
  /** Whether it comes from a list that lacks some of the title’s details; `find` of its `Source` returns all of them. */
  isPartial?: true
}

/** What lists of search results show of a title. */
export type Hit = Omit<
  FoundTitle,
  'source' | 'parts' | 'tagline' | 'backdrop' | 'runtime' | 'pageCount' | 'popularity'
>

/**
 * A provider of titles. All calls throw SERVICE_UNAVAILABLE if the source is down or slow, BAD_GATEWAY if its response is
 * invalid.
 */
export type Source = {
  name: SourceName
  kinds: readonly Kind[]
  /** The ids that `find` takes. */
  idSources: readonly IdSource[]
  /** Whether the starter catalogue stands in while the source is unreachable. */
  hasFallback?: true
  /** Returns titles of any of its kinds, best first. `source` is the one that has answered, which can be the fallback. */
  search: (q: string, kinds: readonly Kind[]) => Promise<{ results: FoundTitle[]; source: SourceName }>
  /** Returns undefined if the source has no such title, or has deleted it. */
  find: (kind: Kind, id: ExternalId) => Promise<FoundTitle | undefined>
  /** Null if imports do not search the source. */
  lookup: Lookup | null
}

/** What is known of a title that is looked for. Ids of the services are `imdb`, `tvdb` and the sources of external ids. */
export type WantedTitle = {
  kind: Kind
  name: string
  otherNames: string[]
  year: number | null
  authors: string[]
  ids: { source: string; id: string }[]
  /** Whether several titles that are looked for have this name: then a name says nothing for certain. */
  isNamesake?: boolean
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
  /** In the order of precedence. The starter catalogue comes last and serves the kinds that have no other source. */
  all: readonly Source[]
  /** Those of the sources above that are no starter catalogue. */
  lookups: readonly Lookup[]
}
