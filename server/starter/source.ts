import { idSources, type Kind, kindNames } from '#shared/domain/kinds.ts'
import { searchLimit } from '#shared/domain/limits.ts'
import { foldWords, namesText, searchText } from '#server/db/fold.ts'
import { seasonsOf } from '#server/starter/episodes.ts'
import { externalIdsOf, namesOf, pictureOf, starterTitles } from '#server/starter/titles.ts'
import type { StarterTitle } from '#server/starter/schema.ts'
import type { FoundTitle, Source, Sources } from '#server/titles/sources/source.ts'

type StarterEntry = { slug: string; found: FoundTitle; words: string[] }

const entries: StarterEntry[] = kindNames.flatMap((kind) =>
  starterTitles[kind].map((title) => ({
    slug: title.slug,
    found: foundOf(kind, title),
    words: [
      searchText(title.name, ...title.creators, ...(title.otherNames ?? [])),
      namesText(namesOf(title).map(({ name }) => name)),
    ]
      .join(' ')
      .split(' '),
  })),
)

/** The fallback for sources without a key or a network. */
const starter: Source = {
  name: 'starter',
  kinds: kindNames,
  idSources,
  lookup: null,

  async search(q, kinds) {
    const wanted = foldWords(q)
    const results = entries
      .filter(
        ({ found, words }) =>
          wanted.length > 0 &&
          kinds.includes(found.kind) &&
          // Titles without an id of another source cannot be added by one.
          found.ids.length > 1 &&
          wanted.every((word) => words.some((candidate) => candidate.startsWith(word))),
      )
      .map(({ found }) => found)
      .sort((a, b) => b.popularity - a.popularity)
      .slice(0, searchLimit)
    return { results, source: 'starter' }
  },

  async find(kind, id) {
    const entry = entries.find(
      ({ found }) =>
        found.kind === kind &&
        found.ids.some((one) => one.source === id.source && one.external_id === id.external_id),
    )
    const parts = entry && kind === 'tvShow' ? seasonsOf(entry.slug) : undefined
    return parts ? { ...entry!.found, parts } : entry?.found
  },
}

export const starterSources: Sources = { all: [starter], lookups: [], episodes: [] }

function foundOf(kind: Kind, title: StarterTitle): FoundTitle {
  return {
    source: 'starter',
    kind,
    name: title.name,
    otherNames: title.otherNames,
    names: namesOf(title),
    overview: title.overview,
    tagline: title.tagline,
    image: pictureOf(kind, title, 'poster'),
    backdrop: pictureOf(kind, title, 'backdrop'),
    releaseDate: title.releaseDate,
    runtime: title.runtime ?? null,
    pageCount: title.pageCount ?? null,
    genres: title.genres,
    creators: title.creators,
    platforms: title.platforms ?? [],
    rating: null,
    popularity: title.fame,
    ids: externalIdsOf(kind, title),
  }
}
