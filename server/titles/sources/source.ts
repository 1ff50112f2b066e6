import type { OfferType } from '#shared/domain/offers.ts'
import type { DescribedName } from '#shared/domain/title-names.ts'
import type { IdSource, Kind, PartIdSource, PartType, SourceName } from '#shared/domain/kinds.ts'
import type { Priority } from './fetcher.ts'

export type ExternalId = { source: IdSource; external_id: string }

export type FoundPart = {
  type: PartType
  number: number
  name: string | null
  releaseDate: string | null
  /** The exact time of an episode, in UTC. */
  airsAt?: string | null
  runtime: number | null
  ids: { source: PartIdSource; external_id: string }[]
  /** Missing if the source was not asked. */
  parts?: FoundPart[]
}

/** Cleaned: text without HTML, valid dates, https URLs of pictures. */
export type FoundTitle = {
  source: SourceName
  kind: Kind
  name: string
  /** For the search, such as the original name. */
  otherNames?: string[] | undefined
  /** Missing if the source was not asked. */
  names?: DescribedName[]
  /** The source was asked about one edition of many: names that it said before stay. */
  hasOtherNames?: boolean
  overview: string | null
  tagline: string | null
  image: string | null
  backdrop: string | null
  releaseDate: string | null
  runtime: number | null
  pageCount: number | null
  lastAirYear?: number | null
  seasonCount?: number | null
  /** With the position in the series, if known. */
  series?: string | null
  genres: string[]
  creators: string[]
  platforms: string[]
  /** The source’s mean, 0 to 100. */
  rating: number | null
  /** 0 to 100, comparable between sources. */
  popularity: number
  ids: ExternalId[]
  /** Missing if the source has none of such titles, or was not asked. */
  parts?: FoundPart[]
  edition?: { publishYear: number | null; subtitle: string | null }
  /** From a list that lacks some details; `find` of its `Source` returns all. */
  isPartial?: true
}

export type Hit = Omit<
  FoundTitle,
  | 'source'
  | 'names'
  | 'hasOtherNames'
  | 'parts'
  | 'tagline'
  | 'backdrop'
  | 'runtime'
  | 'pageCount'
  | 'popularity'
>

/** All calls throw SERVICE_UNAVAILABLE if the source is down or slow, BAD_GATEWAY if its response is invalid. */
export type Source = {
  name: SourceName
  kinds: readonly Kind[]
  idSources: readonly IdSource[]
  /** The starter catalogue stands in while the source is unreachable. */
  hasFallback?: true
  /** Best first. `source` can be the fallback. */
  search: (q: string, kinds: readonly Kind[]) => Promise<{ results: FoundTitle[]; source: SourceName }>
  /** Undefined if the source has no such title, or has deleted it. */
  find: (kind: Kind, id: ExternalId) => Promise<FoundTitle | undefined>
  /** Null if imports do not search the source. */
  lookup: Lookup | null
  episodes?: EpisodeSource
  offers?: OfferSource
}

/** Ids are `imdb`, `tvdb` and the sources of external ids. */
export type WantedTitle = {
  kind: Kind
  name: string
  otherNames: string[]
  year: number | null
  authors: string[]
  ids: { source: string; id: string }[]
  /** Several wanted titles have this name: then it says nothing for certain. */
  isNamesake?: boolean
}

/**
 * For imports: below all other calls, in batches where the source has them. Starter titles are no source: an import looks them up in the
 * catalogue.
 */
export type Lookup = {
  name: SourceName
  kinds: readonly Kind[]
  batchSize: number
  /**
   * For each wanted title, by ids or name, best first, at most five. They can be of another kind: a film that the source has as a show.
   * Waits up to three minutes for its turn. Throws SERVICE_UNAVAILABLE if the source is down, slow or rate limited, BAD_GATEWAY if its
   * response is invalid: neither means that a title is unknown. `retryAfterMs` of the error’s cause is how long the source asked to wait.
   */
  findCandidates: (wanted: readonly WantedTitle[]) => Promise<FoundTitle[][]>
}

/** Its calls are below all others and can wait for minutes. They throw as calls of a `Source` do. */
export type EpisodeSource = {
  name: string
  /** The seasons with their episodes; undefined if the source has no show with one of these ids, or no episodes of it. */
  findEpisodes: (ids: readonly ExternalId[]) => Promise<FoundPart[] | undefined>
  /** A call that does not wait. Throws if the source does not answer it. Missing if it is also a `Source`. */
  check?: () => Promise<void>
}

export type FoundService = { id: number; name: string; image: string | null }

/** What the services of a country offer, the best known services first. `link` is a page of the source. */
export type CountryOffers = {
  country: string
  link: string | null
  offers: { type: OfferType; service: FoundService }[]
}

/** Where titles can be watched. Calls throw as the calls of a `Source` do. */
export type OfferSource = {
  /** Finds the offers of all countries in which a service has the title. Undefined if none of the ids is one of the source. */
  findOffers: (ids: readonly ExternalId[], priority: Priority) => Promise<CountryOffers[] | undefined>
  /** The best known first. */
  listServices: (country: string) => Promise<FoundService[]>
}

export type Sources = {
  /** In the order of precedence. The starter catalogue comes last and serves kinds without a source. */
  all: readonly Source[]
  lookups: readonly Lookup[]
  /** In the order of precedence. */
  episodes: readonly EpisodeSource[]
  offers?: OfferSource | undefined
}
