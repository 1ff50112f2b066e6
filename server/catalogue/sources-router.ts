import { TRPCError } from '@trpc/server'
import * as schema from '#shared/catalogue.ts'
import { searchLimit } from '#shared/limits.ts'
import { type IdSource, type Kind, kindOfMediaType, kinds } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { searchText } from '#server/db/fold.ts'
import type { TitleRow } from '#server/db/tables.ts'
import type { Context } from '#server/trpc/context.ts'
import { found, memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts'
import { mergeHits, toBookHit, toGameHit, toScreenHit, toTitle } from './rules.ts'
import { saveTitle } from './save.ts'
import { isFresh } from './sources/title-row.ts'
import type { Source } from './sources/source.ts'
import { findTitle, listByExternalIds, listFetchStates, listTitles } from './store.ts'
import { findTitles } from './search.ts'

const tags = ['Search and sync']
const searchDescription =
  'Returns the best hits of the external source, followed by matching titles of the local catalogue that are not among them, 20 at ' +
  'most. If both have none, one word may have a typo. Hits of the source are not in the local catalogue until they are synced; the ' +
  '`exists` calls return which ones are. The fallback without a key or a network is the starter catalogue; `source` names ' +
  'the source of the results.'

/** The metadata of a search of an external source. */
const searchMeta = (operationId: string, path: `/${string}`, summary: string) => ({
  openapi: {
    method: 'GET' as const,
    path,
    operationId,
    tags,
    summary,
    description: searchDescription,
    protect: false,
    errorResponses: [502, 503],
  },
  limit: 'search' as const,
})

const syncDescription =
  'Returns the local title if it exists, refetched from the source if it is older than 30 days. Idempotent, also under ' +
  'concurrent calls. Returns 404 if the source has no such title.'

/** The metadata of a sync. `note` precedes the description that all syncs share. */
const syncMeta = (operationId: string, path: `/${string}`, summary: string, note = '') => ({
  openapi: {
    method: 'POST' as const,
    path,
    operationId,
    tags,
    summary,
    description: `${note}${syncDescription}`,
    errorResponses: [404, 502, 503],
    successDescription: 'The title was added.',
  },
  status: 201,
  location: Object.values(kinds).map(({ kind, path }) => `/${path}/{${kind}.id}` as const),
  otherStatus: { status: 200, description: 'The title was already in the catalogue.' },
  scope: 'reviews:write' as const,
  returnsPublic: true,
  limit: 'search' as const,
})

/** Procedures that search the external sources and sync titles from them. */
export const sourcesRouter = router({
  searchTmdb: publicProcedure
    .meta(searchMeta('searchTmdb', '/tmdb/search', 'Search movies and TV shows at TMDB'))
    .input(schema.tmdbSearch.input)
    .output(schema.tmdbSearch.output)
    .query(({ ctx, input }) =>
      searchBoth(ctx, ctx.sources.screens, input.q, ['movie', 'tvShow'], toScreenHit, (hit) => [
        `${hit.mediaType} ${hit.tmdbId}`,
      ]),
    ),

  searchBooks: publicProcedure
    .meta(searchMeta('searchBooks', '/books/search', 'Search books at Open Library'))
    .input(schema.bookSearch.input)
    .output(schema.bookSearch.output)
    .query(({ ctx, input }) =>
      searchBoth(ctx, ctx.sources.books, input.q, ['book'], toBookHit, (hit) => [
        hit.isbn13,
        hit.olid,
        hit.key,
        // Open Library has the same book under many ids.
        searchText(hit.title, ...hit.authors.slice(0, 1)),
      ]),
    ),

  searchGames: publicProcedure
    .meta(searchMeta('searchGames', '/games/search', 'Search games at IGDB'))
    .input(schema.gameSearch.input)
    .output(schema.gameSearch.output)
    .query(({ ctx, input }) =>
      searchBoth(ctx, ctx.sources.games, input.q, ['game'], toGameHit, (hit) => [hit.igdbId]),
    ),

  syncTmdb: memberProcedure
    .meta(syncMeta('syncTmdbTitle', '/tmdb/sync/{tmdbId}', 'Add a movie or TV show from TMDB'))
    .input(schema.sync.tmdb.input)
    .output(schema.sync.tmdb.output)
    .mutation(async ({ ctx, input }) => {
      const kind = kindOfMediaType(input.mediaType)
      const externalId = [kinds[kind].idSources[0], String(input.tmdbId)] as const
      return { [kind]: await syncFrom(ctx, kind, ctx.sources.screens, input, externalId) }
    }),

  syncBookByIsbn: memberProcedure
    .meta(
      syncMeta(
        'syncBookByIsbn',
        '/books/sync/{isbn13}',
        'Add a book from Open Library by its ISBN-13',
        'Hyphens are allowed. Returns 400 if the check digit is wrong. ',
      ),
    )
    .input(schema.sync.bookByIsbn.input)
    .output(schema.sync.bookByIsbn.output)
    .mutation(async ({ ctx, input }) => ({
      book: await syncFrom(ctx, 'book', ctx.sources.books, input, ['isbn13', input.isbn13]),
    })),

  syncBookByOlid: memberProcedure
    .meta(
      syncMeta(
        'syncBookByOlid',
        '/books/sync',
        'Add a book from Open Library by its Open Library id',
        'A work (`OL…W`) or an edition (`OL…M`). ',
      ),
    )
    .input(schema.sync.bookByOlid.input)
    .output(schema.sync.bookByOlid.output)
    .mutation(async ({ ctx, input }) => ({
      book: await syncFrom(ctx, 'book', ctx.sources.books, input, [
        input.olid.endsWith('M') ? 'olid-edition' : 'olid-work',
        input.olid,
      ]),
    })),

  syncGame: memberProcedure
    .meta(syncMeta('syncGame', '/games/sync/{igdbId}', 'Add a game from IGDB'))
    .input(schema.sync.game.input)
    .output(schema.sync.game.output)
    .mutation(async ({ ctx, input }) => ({
      game: await syncFrom(ctx, 'game', ctx.sources.games, input, ['igdb', String(input.igdbId)]),
    })),
})

/**
 * Searches an external source and the local catalogue, which knows titles that the source does not return (Open Library
 * ignores stop words) or has under other names. Fails if the source does.
 */
async function searchBoth<Hit>(
  ctx: Context,
  source: Source<Hit, never>,
  q: string,
  kinds: readonly Kind[],
  toHit: (row: TitleRow) => Hit | null,
  keysOf: (hit: Hit) => (string | number | null)[],
) {
  const found = await source.search(q).catch((error: unknown) => {
    throw sourceError(error, messages.searchFailed)
  })
  if (found.results.length >= searchLimit) return found
  const allowsTypo = found.results.length === 0
  const search = (kind: Kind) => findTitles(ctx.db, { q, kind, limit: searchLimit, allowsTypo })
  const ids = (await Promise.all(kinds.map(search))).flat()
  const local = (await listTitles(ctx.db, ids)).flatMap((row) => toHit(row) ?? [])
  return { ...found, results: mergeHits(found.results, local, keysOf) }
}

/**
 * Returns a title from the catalogue, fetched from its source first if it is missing or stale. The source is called outside
 * the transaction. If the source fails, falls back to the stale title; throws if there is none.
 */
async function syncFrom<K extends Kind, Id>(
  ctx: Context,
  kind: K,
  source: Source<unknown, Id>,
  id: Id,
  [idSource, externalId]: readonly [IdSource, string],
) {
  const [known] = await listByExternalIds(ctx.db, idSource, [externalId])
  const [state] = known ? await listFetchStates(ctx.db, [known.media_id]) : []
  let mediaId = known?.media_id
  if (!state || !isFresh(state, source.name, ctx.now)) {
    const title = await source.find(id).catch((error: unknown) => {
      if (mediaId !== undefined) return undefined
      throw sourceError(error, messages.sourceDown)
    })
    if (title) {
      const saved = await saveTitle(ctx.db, title, ctx.now)
      if (!saved.isNew) ctx.response.status = 200
      mediaId = saved.id
    }
  }
  if (known) ctx.response.status = 200
  return toTitle(kind, found(mediaId === undefined ? undefined : await findTitle(ctx.db, kind, mediaId)))
}

function sourceError(error: unknown, message: string): TRPCError {
  const code =
    error instanceof TRPCError && error.code === 'BAD_GATEWAY' ? 'BAD_GATEWAY' : 'SERVICE_UNAVAILABLE'
  return new TRPCError({ code, message, cause: error })
}
