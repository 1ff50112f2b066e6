import { TRPCError } from '@trpc/server'
import * as schema from '#shared/catalogue.ts'
import type { IdSource, Kind } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import type { Context } from '#server/trpc/context.ts'
import { found, memberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts'
import { toTitle } from './rules.ts'
import { isFresh, mergeFound, titleRowOf } from './sources/title-row.ts'
import type { FoundTitle, Source } from './sources/source.ts'
import {
  findTitle,
  insertExternalIds,
  insertTitle,
  listByExternalIds,
  listFetchStates,
  lockByExternalIds,
  updateTitle,
} from './store.ts'

const tags = ['Search and sync']
const searchDescription =
  'Returns the best hits of the external source, 20 at most. Hits are not in the local catalogue until they are synced; the ' +
  '`exists` calls return which ones are. The fallback without a key or a network is the starter catalogue; `source` names ' +
  'the source of the results.'
const successDescription = 'The title was added.'
const otherStatus = { status: 200, description: 'The title was already in the catalogue.' }
const syncDescription =
  'Returns the local title if it exists, refetched from the source if it is older than 30 days. Idempotent, also under ' +
  'concurrent calls. Returns 404 if the source has no such title.'

/** Procedures that search the external sources and sync titles from them. */
export const sourcesRouter = router({
  searchTmdb: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/tmdb/search',
        operationId: 'searchTmdb',
        tags,
        summary: 'Search movies and TV shows at TMDB',
        description: searchDescription,
        protect: false,
        errorResponses: [502, 503],
      },
      limit: 'search',
    })
    .input(schema.tmdbSearch.input)
    .output(schema.tmdbSearch.output)
    .query(({ ctx, input }) => searchSource(ctx.sources.screens, input.q)),

  searchBooks: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/books/search',
        operationId: 'searchBooks',
        tags,
        summary: 'Search books at Open Library',
        description: searchDescription,
        protect: false,
        errorResponses: [502, 503],
      },
      limit: 'search',
    })
    .input(schema.bookSearch.input)
    .output(schema.bookSearch.output)
    .query(({ ctx, input }) => searchSource(ctx.sources.books, input.q)),

  searchGames: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/games/search',
        operationId: 'searchGames',
        tags,
        summary: 'Search games at IGDB',
        description: searchDescription,
        protect: false,
        errorResponses: [502, 503],
      },
      limit: 'search',
    })
    .input(schema.gameSearch.input)
    .output(schema.gameSearch.output)
    .query(({ ctx, input }) => searchSource(ctx.sources.games, input.q)),

  syncTmdb: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/tmdb/sync/{tmdbId}',
        operationId: 'syncTmdbTitle',
        tags,
        summary: 'Add a movie or TV show from TMDB',
        description: syncDescription,
        errorResponses: [404, 502, 503],
        successDescription,
      },
      status: 201,
      otherStatus,
      limit: 'search',
    })
    .input(schema.sync.tmdb.input)
    .output(schema.sync.tmdb.output)
    .mutation(async ({ ctx, input }) => {
      const kind = input.mediaType === 'movie' ? 'movie' : 'tvShow'
      const source = input.mediaType === 'movie' ? 'tmdb-movie' : 'tmdb-tv'
      return { [kind]: await syncFrom(ctx, kind, ctx.sources.screens, input, [source, String(input.tmdbId)]) }
    }),

  syncBookByIsbn: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/books/sync/{isbn13}',
        operationId: 'syncBookByIsbn',
        tags,
        summary: 'Add a book from Open Library by its ISBN-13',
        description: `Hyphens are allowed. Returns 400 if the check digit is wrong. ${syncDescription}`,
        errorResponses: [404, 502, 503],
        successDescription,
      },
      status: 201,
      otherStatus,
      limit: 'search',
    })
    .input(schema.sync.bookByIsbn.input)
    .output(schema.sync.bookByIsbn.output)
    .mutation(async ({ ctx, input }) => ({
      book: await syncFrom(ctx, 'book', ctx.sources.books, input, ['isbn13', input.isbn13]),
    })),

  syncBookByOlid: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/books/sync',
        operationId: 'syncBookByOlid',
        tags,
        summary: 'Add a book from Open Library by its Open Library id',
        description: `A work (\`OL…W\`) or an edition (\`OL…M\`). ${syncDescription}`,
        errorResponses: [404, 502, 503],
        successDescription,
      },
      status: 201,
      otherStatus,
      limit: 'search',
    })
    .input(schema.sync.bookByOlid.input)
    .output(schema.sync.bookByOlid.output)
    .mutation(async ({ ctx, input }) => ({
      book: await syncFrom(ctx, 'book', ctx.sources.books, input, [
        input.olid.endsWith('M') ? 'olid-edition' : 'olid-work',
        input.olid,
      ]),
    })),

  syncGame: memberProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/games/sync/{igdbId}',
        operationId: 'syncGame',
        tags,
        summary: 'Add a game from IGDB',
        description: syncDescription,
        errorResponses: [404, 502, 503],
        successDescription,
      },
      status: 201,
      otherStatus,
      limit: 'search',
    })
    .input(schema.sync.game.input)
    .output(schema.sync.game.output)
    .mutation(async ({ ctx, input }) => ({
      game: await syncFrom(ctx, 'game', ctx.sources.games, input, ['igdb', String(input.igdbId)]),
    })),
})

async function searchSource<Hit, Id>(source: Source<Hit, Id>, q: string) {
  try {
    return await source.search(q)
  } catch (error) {
    throw sourceError(error, messages.searchFailed)
  }
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
  [idSource, externalId]: [IdSource, string],
) {
  const [known] = await listByExternalIds(ctx.db, idSource, [externalId])
  const [state] = known ? await listFetchStates(ctx.db, [known.media_id]) : []
  let mediaId = known?.media_id
  if (!state || !isFresh(state, source.name, ctx.now)) {
    const title = await source.find(id).catch((error: unknown) => {
      if (mediaId !== undefined) return undefined
      throw sourceError(error, messages.sourceDown)
    })
    if (title) mediaId = await saveTitle(ctx, title)
  }
  if (known) ctx.response.status = 200
  return toTitle(kind, found(mediaId === undefined ? undefined : await findTitle(ctx.db, kind, mediaId)))
}

/** Inserts a title from a source, or updates the title that has one of its external ids. Returns its id. */
async function saveTitle(ctx: Context, title: FoundTitle): Promise<number> {
  const row = titleRowOf(title, title.source, ctx.now)
  return ctx.db.transaction().execute(async (trx) => {
    const known = await lockByExternalIds(trx, title.ids)
    const id = known?.id ?? (await insertTitle(trx, row))
    // The starter catalogue is a fallback: it never overwrites what a real source returned.
    if (known && title.source !== 'starter') await updateTitle(trx, id, mergeFound(known, row))
    await insertExternalIds(
      trx,
      title.ids.map((each) => ({ ...each, media_id: id })),
    )
    if (known) ctx.response.status = 200
    return id
  })
}

function sourceError(error: unknown, message: string): TRPCError {
  const code =
    error instanceof TRPCError && error.code === 'BAD_GATEWAY' ? 'BAD_GATEWAY' : 'SERVICE_UNAVAILABLE'
  return new TRPCError({ code, message, cause: error })
}
