import { useMutation } from '@tanstack/react-query'
import { retryOnce, trpc } from '#client/trpc.ts'
import { type KindFacts, kinds } from '#shared/media.ts'
import { kindRouter } from '#client/kinds.ts'
import { bookHit, type ExternalId, gameHit, type Hit, localHit, screenHit } from './hits.ts'
import { localSearch } from './params.ts'

/**
 * The searches of the external sources, each followed by the titles of the catalogue that no source has, and of the members.
 * Disabled for a blank query.
 */
export function useSearches(q: string) {
  const options = { enabled: q !== '' }
  const screen = trpc.sources.searchTmdb.useQuery({ q }, options)
  const books = trpc.sources.searchBooks.useQuery({ q }, options)
  const games = trpc.sources.searchGames.useQuery({ q }, options)
  const users = trpc.social.searchUsers.useQuery({ q }, options)
  const local = trpc.items.search.useQuery(localSearch(q), options)
  const localHits = (local.data?.results ?? []).map(localHit)
  const withLocal = (tab: KindFacts['tab'], found: Hit[] | undefined) => {
    if (found === undefined || local.isPending) return { hits: undefined, count: undefined }
    const hits = [...found, ...localHits.filter(({ kind }) => kinds[kind].tab === tab)]
    return { hits, count: hits.length }
  }
  return {
    screen: { ...stateOf(screen), ...withLocal('screen', screen.data?.results.map(screenHit)) },
    books: { ...stateOf(books), ...withLocal('books', books.data?.results.map(bookHit)) },
    games: { ...stateOf(games), ...withLocal('games', games.data?.results.map(gameHit)) },
    users: { ...stateOf(users), people: users.data?.results },
  }
}

type Query = {
  error: unknown
  isFetching: boolean
  data: { results: readonly unknown[]; source?: string } | undefined
  refetch: () => unknown
}

function stateOf({ error, isFetching, data, refetch }: Query) {
  return { error, isFetching, count: data?.results.length, source: data?.source, retry: () => void refetch() }
}

export type SearchState = ReturnType<typeof stateOf>

/** Looks up which hits are in the catalogue: `localId(hit)`. Valid once `isKnown`. */
export function useLocalIds(hits: readonly Hit[]) {
  const idsOf = (source: ExternalId['source']) =>
    hits.flatMap((hit) => hit.ids.filter((id) => id.source === source).map((id) => id.id)).join(',')
  const [movies, shows, isbns, olids, games] = [
    idsOf('tmdb-movie'),
    idsOf('tmdb-tv'),
    idsOf('isbn13'),
    idsOf('olid'),
    idsOf('igdb'),
  ]
  const lookups = [
    ['tmdb-movie', trpc.movies.existsByTmdb.useQuery({ tmdbIds: movies }, { enabled: movies !== '' })],
    ['tmdb-tv', trpc.tvShows.existsByTmdb.useQuery({ tmdbIds: shows }, { enabled: shows !== '' })],
    ['isbn13', trpc.books.existsByIsbn.useQuery({ isbn13s: isbns }, { enabled: isbns !== '' })],
    ['olid', trpc.books.existsByOlid.useQuery({ olids }, { enabled: olids !== '' })],
    ['igdb', trpc.games.existsByIgdb.useQuery({ igdbIds: games }, { enabled: games !== '' })],
  ] as const
  return {
    isKnown: lookups.every(([, lookup]) => !lookup.isLoading),
    localId(hit: Hit): number | undefined {
      if (hit.localId !== undefined) return hit.localId
      for (const { source, id } of hit.ids) {
        const found = lookups.find(([name]) => name === source)?.[1].data?.exists[id]
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

type Client = ReturnType<typeof trpc.useUtils>['client']

/** Imports a title by its external id and returns its local id, by source. */
const syncs: Record<ExternalId['source'], (client: Client, id: string) => Promise<number | undefined>> = {
  'tmdb-movie': async (client, id) =>
    (await client.sources.syncTmdb.mutate({ tmdbId: Number(id), mediaType: 'movie' })).movie?.id,
  'tmdb-tv': async (client, id) =>
    (await client.sources.syncTmdb.mutate({ tmdbId: Number(id), mediaType: 'tv' })).tvShow?.id,
  isbn13: async (client, isbn13) => (await client.sources.syncBookByIsbn.mutate({ isbn13 })).book.id,
  olid: async (client, olid) => (await client.sources.syncBookByOlid.mutate({ olid })).book.id,
  igdb: async (client, id) => (await client.sources.syncGame.mutate({ igdbId: Number(id) })).game.id,
}

/** Adds a hit to the catalogue. Returns its local id. Invalidates the list of items and the lookups of its kind. */
export function useAddHit() {
  const utils = trpc.useUtils()
  return useMutation({
    ...retryOnce,
    async mutationFn(hit: Hit) {
      const [best] = hit.ids
      return best && syncs[best.source](utils.client, best.id)
    },
    onSuccess: (_id, hit) =>
      Promise.all([utils.items.list.invalidate(), kindRouter(utils, kinds[hit.kind]).invalidate()]),
  })
}
