import type { Generated, Insertable, Selectable } from 'kysely'
import type { IdSource, Kind, PartIdSource, PartType } from '#shared/domain/kinds.ts'
import type { TitleNameKind } from '#shared/domain/title-names.ts'
import type { PrivateColumns, Tables } from '#server/db/tables.ts'

declare module '#server/db/tables.ts' {
  interface Tables {
    /** At most a few minutes old. */
    source_calls: {
      source: string
      succeeded_at: string | null
      failed_at: string | null
      error: string | null
    }
    media: {
      id: Generated<number>
      kind: Kind
      name: string
      /** Folded name and creators; see `titleColumns`. */
      search_text: string
      /** Folded names in languages; see `namesText`. */
      names_text: Generated<string>
      name_folded: string
      name_key: Generated<string>
      overview: string | null
      tagline: string | null
      image: string | null
      backdrop: string | null
      release_date: string | null
      release_year: number | null
      runtime: number | null
      page_count: number | null
      details: string
      /** The first of the sources of its fields, in the order of `sourceNames`. Null if a member created the title. */
      source: string | null
      /** Of fields from another source, as JSON: `{"overview":"igdb"}`. */
      field_sources: string | null
      fetched_at: string | null
      created_by: number | null
      created_at: string
      /** At the external source; sorts titles without ratings. */
      popularity: Generated<number>
      rating_count: Generated<number>
      /** In tenths of a star, as `reviews.rating`. */
      rating_sum: Generated<number>
      /** The five bars: a half counts in the bar above it. */
      stars_1: Generated<number>
      stars_2: Generated<number>
      stars_3: Generated<number>
      stars_4: Generated<number>
      stars_5: Generated<number>
      /** Ratings of one and a half stars; `stars_2` counts them too. */
      halves_1: Generated<number>
      halves_2: Generated<number>
      halves_3: Generated<number>
      halves_4: Generated<number>
      text_count: Generated<number>
      /** Of these, what everybody may see (`is_public`): the total of a visitor. */
      public_text_count: Generated<number>
      removed_at: Generated<string | null>
    }
    external_ids: { source: IdSource; external_id: string; media_id: number }
    /** Names of titles in languages. A source replaces only its own. */
    title_names: {
      media_id: number
      source: string
      kind: TitleNameKind
      language: string
      /** Blank if the source has descriptions in the language, and no name. */
      name: string
      name_key: string
      overview: string | null
      tagline: string | null
    }
    /** Seasons and episodes of a show, volumes of a work. Members’ rows about a part name its id. */
    parts: {
      id: Generated<number>
      media_id: number
      /** The season of an episode; null directly within the title. */
      parent_id: number | null
      type: PartType
      /** Unique among the parts of its type and parent. Season 0 are specials. */
      number: number
      name: Generated<string>
      release_date: string | null
      airs_at: Generated<string | null>
      runtime: number | null
      source: string
      /** Of an episode: the number of its season. */
      season: Generated<number | null>
      /** The source has it no longer, but members have watched or rated it. */
      is_gone: Generated<number>
      /** Of the ratings of this part. */
      rating_count: Generated<number>
      rating_sum: Generated<number>
      text_count: Generated<number>
      public_text_count: Generated<number>
    }
    part_ids: { source: PartIdSource; external_id: string; part_id: number }
    /** When a source was last asked for the episodes of a show. */
    part_checks: { media_id: number; checked_at: string }
    /** The newest season that has been announced to viewers. At first, the newest season of the first import of episodes. */
    announced_seasons: { media_id: number; season: number }
    /** A book, its film, its game. */
    story_titles: { story: string; media_id: number }
    /** In several rows of each kind. Maintained by triggers. */
    title_counts: { kind: Kind; shard: number; count: number }
    /** Also a row with a blank genre for each title. `decade` is 1990 for 1990 to 1999, and 0 if the year is unknown. Maintained by triggers. */
    title_facets: { media_id: number; genre: string; kind: Kind; decade: number }
    /** In several rows. Maintained by triggers. */
    facet_counts: { genre: string; kind: Kind; decade: number; shard: number; count: number }
  }
}

/** Without a column of their own; lists are never missing. */
export type TitleDetails = {
  genres: string[]
  creators: string[]
  platforms: string[]
  rating: number | null
  /** For the search, such as the original name. */
  otherNames?: string[]
  lastAirYear?: number | null
  seasonCount?: number | null
  /** With the position: `Dune, 1`. */
  series?: string | null
}

export type TitleRow = Selectable<Tables['media']>

export type TitleNameRow = Selectable<Tables['title_names']>

export type PartRow = Selectable<Tables['parts']>
export type NewPart = Insertable<Tables['parts']>
export type NewTitle = Insertable<Tables['media']>

export const cardColumns = [
  'media.id',
  'media.kind',
  'media.name',
  'media.image',
  'media.release_date',
  'media.release_year',
  'media.details',
] as const satisfies readonly `media.${keyof Tables['media']}`[]

export type CardRow = Pick<
  TitleRow,
  'id' | 'kind' | 'name' | 'image' | 'release_date' | 'release_year' | 'details'
>

export type RatedCardRow = CardRow & Pick<TitleRow, 'rating_count' | 'rating_sum' | 'created_at'>

export const titleColumns = [
  ...cardColumns,
  'media.backdrop',
  'media.overview',
  'media.tagline',
  'media.runtime',
  'media.page_count',
  'media.source',
  'media.rating_count',
  'media.rating_sum',
] as const

export type TypoCandidateRow = Pick<TitleRow, 'id' | 'search_text' | 'rating_count' | 'popularity'>

/**
 * `ids` is `source id source id …`; `added_by` is `id username` of the member whose import created it, or null; `original` is the language
 * and the name in it, or null.
 */
export type TitlePageRow = CardRow &
  Pick<
    TitleRow,
    'backdrop' | 'overview' | 'tagline' | 'runtime' | 'page_count' | 'source' | 'rating_count' | 'rating_sum'
  > & { ids: string | null; added_by: string | null; original: string | null }

export const knownColumns = [...titleColumns, 'media.popularity', 'media.field_sources'] as const

export type KnownTitle = Omit<TitlePageRow, 'ids' | 'added_by' | 'original'> &
  Pick<TitleRow, 'popularity' | 'field_sources'>

/** The API calls a title an item in the list of all kinds. */
export const itemColumns = ['id', 'kind', 'name', 'overview', 'image', 'release_year'] as const

export type ItemRow = Pick<TitleRow, (typeof itemColumns)[number]>

export const ratingColumns = [
  'rating_count',
  'rating_sum',
  'stars_1',
  'stars_2',
  'stars_3',
  'stars_4',
  'stars_5',
  'halves_1',
  'halves_2',
  'halves_3',
  'halves_4',
] as const

export type RatingsRow = Pick<TitleRow, (typeof ratingColumns)[number]>

export const privateColumns = {
  media: [],
  external_ids: [],
  title_names: [],
  parts: [],
  part_ids: [],
  part_checks: [],
  announced_seasons: [],
  story_titles: [],
  title_counts: [],
  title_facets: [],
  facet_counts: [],
  source_calls: [],
} satisfies PrivateColumns
