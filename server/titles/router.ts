import type { z } from 'zod'
import * as schema from '#shared/contracts/titles.ts'
import { genresMax, localMatchesMax } from '#shared/domain/limits.ts'
import { type IdSource, type KindDefinition, kindOfCategory, namesOf } from '#shared/domain/kinds.ts'
import { messages } from '#shared/texts/messages.ts'
import { meanRating } from '#shared/domain/ratings.ts'
import { titleColumns } from '#server/db/fold.ts'
import { badRequest } from '#server/calls/errors.ts'
import { atCursor, endOfPage } from '#server/calls/cursors.ts'
import { callsIn, found, loggedIn, router } from '#server/calls/procedures.ts'
import { holdUpload } from '#server/uploads/store.ts'
import { toCard, toItem, toTitle } from './rules.ts'
import { listGenres, listItemsByIds } from './browse-store.ts'
import { listByExternalIds, listLocalIds } from './external-ids-store.ts'
import * as store from './store.ts'
import { listItems, listItemsFor } from './items.ts'
import { listPopular } from './popular.ts'
import { findTitles } from './search.ts'

const items = callsIn('Items')
const searches = callsIn('Search and sync')

const daysWide = 31

export function kindRouter(definition: KindDefinition) {
  const { kind, path, words } = definition
  const { One, Many, one, many } = namesOf(definition)
  const { forAll } = callsIn(words.many)

  return router({
    popular: forAll(
      `GET /${path}/popular`,
      `listPopular${Many}`,
      { input: schema.popular.input, output: schema.popular.output(kind) },
      {
        summary: `List popular ${many}`,
        description:
          'Returns titles with ratings created or changed in the last `days` days, ordered by number of ratings, then average, then release date, descending.',
        returnsData: 'catalogue',
      },
    ).query(async ({ ctx, input }) => {
      if (input.days > daysWide) await ctx.limit('longPeriod')
      return listPopular(ctx.db, { ...input, kind, now: ctx.now })
    }),

    byId: forAll(
      `GET /${path}/{id}`,
      `get${One}`,
      { input: schema.byId.input, output: schema.byId.output(kind) },
      {
        summary: `Get a ${one}`,
        description:
          'Returns all fields and the average of all ratings. Returns 404 for an id of another kind.',
        errors: [404],
        returnsData: 'catalogue',
      },
    ).query(async ({ ctx, input }) => {
      const row = found(await store.findTitle(ctx.db, kind, input.id), words.notFound)
      const stats = { avg: meanRating(row.rating_sum, row.rating_count), count: row.rating_count }
      return { [kind]: toTitle(kind, row), stats }
    }),
  })
}

function existsRouter<const Name extends string, Ids extends string>(
  name: Name,
  operationId: string,
  path: `/${string}`,
  source: IdSource | [IdSource, IdSource],
  input: z.ZodType<Record<Ids, string>, Record<Ids, string>>,
) {
  const schemas = { input, output: schema.exists.output }
  const procedure = searches
    .forAll(`GET ${path}`, operationId, schemas, {
      summary: 'Look up local ids by external ids',
      description:
        'Takes at most 100 comma-separated ids of the external source. Ids of titles that are not in the catalogue are left out.',
      returnsData: 'catalogue',
    })
    .query(async ({ ctx, input: lists }) => {
      const ids = Object.values<string>(lists as Record<Ids, string>).flatMap((list) => list.split(','))
      const rows = (
        await Promise.all([source].flat().map((one) => listByExternalIds(ctx.db, one, ids)))
      ).flat()
      return { exists: Object.fromEntries(rows.map((row) => [row.external_id, row.media_id])) }
    })
  return { [name]: procedure } as { [N in Name]: typeof procedure }
}

export const moviesRouter = router({
  ...existsRouter(
    'existsByTmdb',
    'findMoviesByTmdbId',
    '/movies/exists/by-tmdb',
    'tmdb-movie',
    schema.exists.byTmdb,
  ),

  create: callsIn('Movies')
    .forMembers('POST /movies', 'createMovie', schema.createMovie, {
      summary: 'Create a movie',
      description:
        'For movies that are missing at the external source. Two movies may have the same name. `imageUrl` is the `imageUrl` of an upload.',
      scope: 'reviews:write',
      returnsPublic: true,
      status: 201,
      location: '/movies/{movie.id}',
    })
    .mutation(async ({ ctx, input }) => {
      const id = await ctx.db.transaction().execute(async (trx) => {
        if (input.imageUrl && !(await holdUpload(trx, input.imageUrl))) throw badRequest(messages.uploadFirst)
        return store.insertTitle(trx, {
          kind: 'movie',
          name: input.name,
          ...titleColumns(input.name),
          overview: input.description || null,
          image: input.imageUrl ?? null,
          details: JSON.stringify({ genres: [], creators: [], platforms: [], rating: null }),
          created_by: ctx.member.id,
          created_at: ctx.now.toISOString(),
        })
      })
      return { movie: toTitle('movie', found(await store.findTitle(ctx.db, 'movie', id))) }
    }),

  search: searches
    .forAll('GET /movies/search', 'suggestMovies', schema.suggest, {
      summary: 'Suggest movies from the local catalogue',
      description:
        'Each word of `q` must begin a word of the name, of another name or of a director. The best matches come first. If nothing matches, one word may have a typo.',
      cost: 2,
      returnsData: 'catalogue',
    })
    .query(async ({ ctx, input }) => {
      const ids = await findTitles(ctx.db, { ...input, kind: 'movie' })
      return { results: (await store.listCards(ctx.db, ids)).map((card) => toCard('movie', card)) }
    }),
})

export const tvShowsRouter = router(
  existsRouter(
    'existsByTmdb',
    'findTvShowsByTmdbId',
    '/tv-shows/exists/by-tmdb',
    'tmdb-tv',
    schema.exists.byTmdb,
  ),
)

export const booksRouter = router({
  ...existsRouter('existsByIsbn', 'findBooksByIsbn', '/books/exists/by-isbn', 'isbn13', schema.exists.byIsbn),
  ...existsRouter(
    'existsByOlid',
    'findBooksByOlid',
    '/books/exists/by-olid',
    ['olid-work', 'olid-edition'],
    schema.exists.byOlid,
  ),
})

export const gamesRouter = router(
  existsRouter('existsByIgdb', 'findGamesByIgdbId', '/games/exists/by-igdb', 'igdb', schema.exists.byIgdb),
)

export const itemsRouter = router({
  list: items
    .forAll('GET /items', 'listItems', schema.listItems, {
      summary: 'List the whole catalogue',
      description:
        'Returns titles of all kinds, ordered by name unless `sort` says otherwise. The filters can be combined.',
      errors: [401],
      readsToken: true,
      returnsData: ['catalogue', 'networkTitles'],
    })
    .query(async ({ ctx, input }) => {
      const list = `items ${input.sort}`
      const query = atCursor(input, list)
      const isOfMember = query.unrated === true || query.network === true
      const { items, total } = isOfMember
        ? await listItemsFor(ctx.db, query, loggedIn(ctx).id)
        : await listItems(ctx.db, query)
      return { items, ...endOfPage(query, list, total) }
    }),

  genres: items
    .forAll('GET /items/genres', 'listGenres', schema.listGenres, {
      summary: 'List the genres of the catalogue',
      description: 'The values of the filter `genre`. `category` restricts the list to one kind.',
      returnsData: 'catalogue',
    })
    .query(async ({ ctx, input: { category } }) => ({
      genres: await listGenres(ctx.db, category && kindOfCategory(category), genresMax),
    })),

  search: items
    .forAll('GET /items/search', 'searchItems', schema.searchItems, {
      summary: 'Search the local catalogue',
      description:
        'Searches all kinds. Each word of `q` must begin a word of the name, of another name or of a creator. If nothing matches, one word may have a typo. Case and accents are ' +
        'ignored. Names that begin with `q` come first, then the most rated titles. `category` restricts the search to one kind.',
      cost: 2,
      returnsData: 'catalogue',
    })
    .query(async ({ ctx, input: { q, limit, category, local } }) => {
      const search = { q, kind: category && kindOfCategory(category) }
      const ids = local
        ? await listLocalIds(
            ctx.db,
            await findTitles(ctx.db, { ...search, limit: localMatchesMax, allowsTypo: false }),
          )
        : await findTitles(ctx.db, { ...search, limit })
      const rows = await listItemsByIds(ctx.db, ids.slice(0, limit))
      return {
        results: rows.map((row) => ({
          ...toItem(row),
          average: meanRating(row.rating_sum, row.rating_count),
        })),
      }
    }),

  byId: items
    .forAll('GET /items/{id}', 'getItem', schema.itemById, {
      summary: 'Get an item',
      description:
        'Returns a title of any kind. Items share their ids with their kind: item 12 of category Book is book 12.',
      errors: [404],
      returnsData: 'catalogue',
    })
    .query(async ({ ctx, input }) => ({
      item: toItem(found(await store.findItem(ctx.db, input.id), messages.itemNotFound)),
    })),
})
