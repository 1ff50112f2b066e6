import { type Kind, kindNames, kindOfMediaType, kinds } from '#shared/media.ts'
import { searchLimit } from '#shared/limits.ts'
import { foldWords, searchText } from '#server/db/fold.ts'
import { externalIdsOf, pictureOf, starterTitles } from '#server/starter/titles.ts'
import type { StarterTitle } from '#server/starter/schema.ts'
import type { FoundTitle, Sources } from './source.ts'

type Entry = { kind: Kind; title: StarterTitle; words: string[] }

const entries: Entry[] = kindNames.flatMap((kind) =>
  starterTitles[kind].map((title) => ({
    kind,
    title,
    words: searchText(title.name, ...title.creators, ...(title.otherNames ?? [])).split(' '),
  })),
)

/** The starter catalogue as a source: the fallback for sources without a key or a network. */
export const starterSources: Sources = {
  lookups: [],
  screens: {
    name: 'starter',
    search: async (q) =>
      search(
        q,
        ['movie', 'tvShow'],
        ({ title }) => title.tmdbId,
        ({ kind, title }) => ({
          tmdbId: title.tmdbId!,
          mediaType: kinds[kind].mediaType!,
          name: title.name,
          overview: title.overview,
          imageUrl: pictureOf(kind, title, 'poster'),
          releaseDate: title.releaseDate,
        }),
      ),
    find: async ({ tmdbId, mediaType }) =>
      find(({ kind, title }) => title.tmdbId === tmdbId && kind === kindOfMediaType(mediaType)),
  },
  books: {
    name: 'starter',
    search: async (q) =>
      search(
        q,
        ['book'],
        ({ title }) => title.isbn13 ?? title.olid,
        ({ kind, title }) => ({
          isbn13: title.isbn13 ?? null,
          olid: title.olid ?? null,
          key: title.olid?.endsWith('W') ? `/works/${title.olid}` : null,
          title: title.name,
          authors: title.creators,
          publishYear: yearOf(title),
          firstPublishYear: yearOf(title),
          coverUrl: pictureOf(kind, title, 'poster'),
          description: title.overview,
          subtitle: null,
        }),
      ),
    find: async (id) =>
      find(
        ({ kind, title }) =>
          kind === 'book' && ('isbn13' in id ? title.isbn13 === id.isbn13 : title.olid === id.olid),
      ),
  },
  games: {
    name: 'starter',
    search: async (q) =>
      search(
        q,
        ['game'],
        ({ title }) => title.igdbId,
        ({ kind, title }) => ({
          igdbId: title.igdbId!,
          name: title.name,
          summary: title.overview,
          releaseYear: yearOf(title),
          platforms: title.platforms ?? [],
          genres: title.genres,
          coverUrl: pictureOf(kind, title, 'poster'),
          rating: null,
        }),
      ),
    find: async ({ igdbId }) => find(({ kind, title }) => kind === 'game' && title.igdbId === igdbId),
  },
}

function search<Hit>(
  q: string,
  searched: readonly Kind[],
  idOf: (entry: Entry) => unknown,
  toHit: (entry: Entry) => Hit,
) {
  const wanted = foldWords(q)
  const isMatch = (entry: Entry) =>
    searched.includes(entry.kind) &&
    idOf(entry) !== undefined &&
    wanted.every((word) => entry.words.some((candidate) => candidate.startsWith(word)))
  const found = wanted.length === 0 ? [] : entries.filter(isMatch)
  const results = found
    .sort((a, b) => b.title.fame - a.title.fame)
    .slice(0, searchLimit)
    .map(toHit)
  return { results, source: 'starter' as const }
}

function find(matches: (entry: Entry) => boolean): FoundTitle | undefined {
  const entry = entries.find(matches)
  if (!entry) return undefined
  const { kind, title } = entry
  return {
    source: 'starter',
    kind,
    name: title.name,
    otherNames: title.otherNames,
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

function yearOf(title: StarterTitle): number {
  return Number(title.releaseDate.slice(0, 4))
}
