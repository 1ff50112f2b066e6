import { TRPCError } from '@trpc/server'
import * as schema from '#shared/contracts/titles.ts'
import { type Kind, kindOfMediaType, kinds, type Tab } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import type { Context } from '#server/calls/context.ts'
import {
  callsIn,
  type Documented,
  found,
  memberProcedure,
  publicProcedure,
  router,
  countTexts,
} from '#server/calls/procedures.ts'
import { searchTab, toBookHit, toGameHit, toResults, toScreenHit } from './hits.ts'
import { toTitle } from './rules.ts'
import { saveTitle } from './save.ts'
import { isFresh } from './sources/title-row.ts'
import type { ExternalId, Hit, Source } from './sources/source.ts'
import { listByExternalIds, listExternalIds } from './external-ids-store.ts'
import { findTitle, listFetchStates } from './store.ts'

const { forAll, forMembers } = callsIn('Search and sync')
const searchDescription =
  'Returns the best hits of the external source, followed by matching titles of the local catalogue that are not among them, 20 at ' +
  'most. If both have none, one word may have a typo. Hits of the source are not in the local catalogue until they are synced; the ' +
  '`exists` calls return which ones are. The fallback without a key or a network is the starter catalogue; `source` names ' +
  'the source of the results.'

const aboutSearch = (summary: string): Documented => ({
  summary,
  description: searchDescription,
  errors: [502, 503],
  limit: 'search',
  cost: 2,
  returnsData: 'catalogue',
})

const syncDescription =
  'Returns the local title if it exists, refetched from the source if it is older than 30 days. Idempotent, also under ' +
  'concurrent calls. Returns 404 if the source has no such title.'

const aboutSync = (summary: string, note = ''): Documented => ({
  summary,
  description: `${note}${syncDescription}`,
  errors: [404, 502, 503],
  success: 'The title was added.',
  status: 201,
  location: Object.values(kinds).map(({ kind, path }) => `/${path}/{${kind}.id}` as const),
  otherStatus: { status: 200, description: 'The title was already in the catalogue.' },
  scope: 'reviews:write',
  returnsPublic: true,
  limit: 'search',
})

export const sourcesRouter = router({
  /** The documented searches return only titles with an id of one source. */
  search: publicProcedure
    .meta({ limit: 'search', cost: 2, returnsData: 'catalogue' })
    .input(schema.searchTab.input)
    .output(schema.searchTab.output)
    .query(async ({ ctx, input: { tab, q } }) => {
      const { results, source } = await searchSources(ctx, tab, q)
      return { results: await toResults(ctx.db, results), source }
    }),

  sync: memberProcedure
    .meta({ scope: 'reviews:write', limit: 'search' })
    .input(schema.syncTitle.input)
    .use(countTexts)
    .output(schema.syncTitle.output)
    .mutation(async ({ ctx, input: { kind, source, id } }) => {
      const { id: titleId } = await syncFrom(ctx, kind, { source, external_id: id })
      return { id: titleId }
    }),

  searchTmdb: forAll(
    'GET /tmdb/search',
    'searchTmdb',
    schema.tmdbSearch,
    aboutSearch('Search movies and TV shows at TMDB'),
  ).query(({ ctx, input }) => searchAs(ctx, 'screen', input.q, toScreenHit)),

  searchBooks: forAll(
    'GET /books/search',
    'searchBooks',
    schema.bookSearch,
    aboutSearch('Search books at Open Library'),
  ).query(({ ctx, input }) => searchAs(ctx, 'books', input.q, toBookHit)),

  searchGames: forAll(
    'GET /games/search',
    'searchGames',
    schema.gameSearch,
    aboutSearch('Search games at IGDB'),
  ).query(({ ctx, input }) => searchAs(ctx, 'games', input.q, toGameHit)),

  syncTmdb: forMembers(
    'POST /tmdb/sync/{tmdbId}',
    'syncTmdbTitle',
    schema.sync.tmdb,
    aboutSync('Add a movie or TV show from TMDB'),
  ).mutation(async ({ ctx, input }) => {
    const kind = kindOfMediaType(input.mediaType)
    const id = { source: kinds[kind].idSources[0], external_id: String(input.tmdbId) }
    return { [kind]: await syncFrom(ctx, kind, id) }
  }),

  syncBookByIsbn: forMembers(
    'POST /books/sync/{isbn13}',
    'syncBookByIsbn',
    schema.sync.bookByIsbn,
    aboutSync(
      'Add a book from Open Library by its ISBN-13',
      'Hyphens are allowed. Returns 400 if the check digit is wrong. ',
    ),
  ).mutation(async ({ ctx, input }) => ({
    book: await syncFrom(ctx, 'book', { source: 'isbn13', external_id: input.isbn13 }),
  })),

  syncBookByOlid: forMembers(
    'POST /books/sync',
    'syncBookByOlid',
    schema.sync.bookByOlid,
    aboutSync(
      'Add a book from Open Library by its Open Library id',
      'A work (`OL…W`) or an edition (`OL…M`). ',
    ),
  ).mutation(async ({ ctx, input }) => ({
    book: await syncFrom(ctx, 'book', {
      source: input.olid.endsWith('M') ? 'olid-edition' : 'olid-work',
      external_id: input.olid,
    }),
  })),

  syncGame: forMembers(
    'POST /games/sync/{igdbId}',
    'syncGame',
    schema.sync.game,
    aboutSync('Add a game from IGDB'),
  ).mutation(async ({ ctx, input }) => ({
    game: await syncFrom(ctx, 'game', { source: 'igdb', external_id: String(input.igdbId) }),
  })),
})

/** Throws the error of a source that fails as one for the caller. */
async function searchSources(ctx: Context, tab: Tab, q: string) {
  return searchTab(ctx, tab, q).catch((error: unknown) => {
    throw sourceError(error, messages.searchFailed)
  })
}

async function searchAs<Result>(ctx: Context, tab: Tab, q: string, toResult: (hit: Hit) => Result | null) {
  const { results, source } = await searchSources(ctx, tab, q)
  return { results: results.flatMap((hit) => toResult(hit) ?? []), source }
}

/**
 * Fetches a missing or stale title from the source that has the id; other sources complete it. The calls are outside the transaction. Falls
 * back to the stale title if the source fails.
 */
async function syncFrom<K extends Kind>(ctx: Context, kind: K, id: ExternalId) {
  const sources = ctx.sources.all.filter((each) => each.kinds.includes(kind))
  const source = found(sources.find(({ idSources }) => idSources.includes(id.source)))
  const [known] = await listByExternalIds(ctx.db, id.source, [id.external_id])
  const [state] = known ? await listFetchStates(ctx.db, [known.media_id]) : []
  let titleId = known?.media_id
  if (!state || !isFresh(state, source.name, ctx.now)) {
    const title = await source.find(kind, id).catch((error: unknown) => {
      if (titleId !== undefined) return undefined
      throw sourceError(error, messages.sourceDown)
    })
    if (title) {
      const saved = await saveTitle(ctx.db, title, ctx.now)
      if (!saved.isNew) ctx.response.status = 200
      titleId = saved.id
      const others = sources.filter((other) => other !== source)
      if (others.length > 0) await complete(ctx, kind, titleId, others)
    }
  }
  if (known) ctx.response.status = 200
  return toTitle(kind, found(titleId === undefined ? undefined : await findTitle(ctx.db, kind, titleId)))
}

/** Sources that fail are left out. */
async function complete({ db, now }: Context, kind: Kind, titleId: number, sources: readonly Source[]) {
  const ids = await listExternalIds(db, titleId)
  const titles = await Promise.allSettled(
    sources.flatMap((source) => {
      const id = ids.find((one) => source.idSources.includes(one.source))
      return id ? source.find(kind, id) : []
    }),
  )
  for (const title of titles)
    if (title.status === 'fulfilled' && title.value) await saveTitle(db, title.value, now, titleId)
}

function sourceError(error: unknown, message: string): TRPCError {
  const code =
    error instanceof TRPCError && error.code === 'BAD_GATEWAY' ? 'BAD_GATEWAY' : 'SERVICE_UNAVAILABLE'
  return new TRPCError({ code, message, cause: error })
}
