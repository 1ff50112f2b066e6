import type { z } from 'zod'
import * as schema from '#shared/catalogue.ts'
import type { IdSource, KindFacts } from '#shared/media.ts'
import { messages } from '#shared/messages.ts'
import { fold } from '#server/db/fold.ts'
import { found, memberProcedure, publicProcedure, router } from '#server/trpc.ts'
import { histogramOf, meanRating, mostPopular, paginationOf, toCard, toItem, toRecord } from './rules.ts'
import {
  countItems,
  findItem,
  findMedium,
  findRatings,
  insertMedium,
  listByExternalIds,
  listCards,
  listExternalIds,
  listItems,
  listRecentRatings,
  searchTitles,
} from './store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** What all four kinds answer alike; the words and the keys are the kind's. */
export function kindRouter<const F extends KindFacts>(facts: F) {
  const kind = facts.kind as F['kind']
  const { path, words } = facts
  const one = words.one
  const openapi = (address: string, summary: string) => ({
    method: 'GET' as const,
    path: `/${path}${address}` as const,
    tags: [words.many],
    summary,
    protect: false,
  })

  return router({
    popular: publicProcedure
      .meta({
        openapi: {
          ...openapi('/popular', `${words.many} that are popular now`),
          description:
            'By ratings given or changed in the last `days` days: most first, then the higher average, then the newer title.',
        },
      })
      .input(schema.popular.input)
      .output(schema.popular.output(kind))
      .query(async ({ ctx, input }) => {
        const since = new Date(ctx.now.getTime() - input.days * dayMs).toISOString()
        const ratings = await listRecentRatings(ctx.db, kind, since)
        return (await mostPopular(kind, ratings, input.limit, (ids) => listCards(ctx.db, ids))) as never
      }),

    byId: publicProcedure
      .meta({ openapi: { ...openapi('/{id}', `One ${one}`), errorResponses: [404] } })
      .input(schema.byId.input)
      .output(schema.byId.output(kind))
      .query(async ({ ctx, input }) => {
        const row = found(await findMedium(ctx.db, kind, input.id), words.notFound)
        const record = toRecord(kind, row, await listExternalIds(ctx.db, row.id))
        const stats = { avg: meanRating(row.rating_sum, row.rating_count), count: row.rating_count }
        return { [kind]: record, stats } as never
      }),

    overallRating: publicProcedure
      .meta({
        openapi: {
          ...openapi('/{id}/overall-rating', `The average rating of one ${one}`),
          errorResponses: [404],
        },
      })
      .input(schema.byId.input)
      .output(schema.overallRating.output)
      .query(async ({ ctx, input }) => {
        const row = found(await findRatings(ctx.db, kind, input.id), words.notFound)
        return { avg: meanRating(row.rating_sum, row.rating_count), count: row.rating_count }
      }),

    ratingHistogram: publicProcedure
      .meta({
        openapi: {
          ...openapi('/{id}/rating-histogram', `How everybody rated one ${one}`),
          errorResponses: [404],
        },
      })
      .input(schema.byId.input)
      .output(schema.ratingHistogram.output)
      .query(async ({ ctx, input }) =>
        histogramOf(found(await findRatings(ctx.db, kind, input.id), words.notFound)),
      ),
  })
}

/** Which titles of outside sources are here already, as `{ exists }`. */
function existsRouter<const Name extends string, Ids extends string>(
  name: Name,
  path: `/${string}`,
  source: IdSource | [IdSource, IdSource],
  input: z.ZodType<Record<Ids, string>, Record<Ids, string>>,
) {
  const procedure = publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path,
        tags: ['Search and sync'],
        summary: 'Which of these are here already',
        protect: false,
      },
    })
    .input(input)
    .output(schema.exists.output)
    .query(async ({ ctx, input: given }) => {
      const ids = Object.values<string>(given as Record<Ids, string>).flatMap((list) => list.split(','))
      const rows = (
        await Promise.all([source].flat().map((one) => listByExternalIds(ctx.db, one, ids)))
      ).flat()
      return { exists: Object.fromEntries(rows.map((row) => [row.external_id, row.media_id])) }
    })
  return { [name]: procedure } as { [N in Name]: typeof procedure }
}

/** What movies have beside: they can be made by members, and are suggested while somebody types. */
export const moviesRouter = router({
  ...existsRouter('existsByTmdb', '/movies/exists/by-tmdb', 'tmdb-movie', schema.exists.byTmdb),

  create: memberProcedure
    .meta({
      openapi: { method: 'POST', path: '/movies', tags: ['Movies'], summary: 'Add a movie of your own' },
      status: 201,
    })
    .input(schema.createMovie.input)
    .output(schema.createMovie.output)
    .mutation(async ({ ctx, input }) => {
      const folded = fold(input.name)
      const id = await insertMedium(ctx.db, {
        kind: 'movie',
        name: input.name,
        name_folded: folded,
        search_text: folded,
        overview: input.description || null,
        image: input.imageUrl ?? null,
        details: JSON.stringify({ genres: [], creators: [], platforms: [], rating: null }),
        created_by: ctx.member.id,
        created_at: ctx.now.toISOString(),
      })
      return { movie: toRecord('movie', found(await findMedium(ctx.db, 'movie', id)), []) }
    }),

  search: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/movies/search',
        tags: ['Search and sync'],
        summary: 'Suggest movies of the local catalogue',
        description: 'Each word of `q` begins a word of the name or of a director; the best first.',
        protect: false,
      },
    })
    .input(schema.suggest.input)
    .output(schema.suggest.output)
    .query(async ({ ctx, input }) => {
      const rows = await searchTitles(ctx.db, 'movie', input.q, input.limit)
      return { results: rows.map((row) => toCard('movie', row)) }
    }),
})

export const tvShowsRouter = router(
  existsRouter('existsByTmdb', '/tv-shows/exists/by-tmdb', 'tmdb-tv', schema.exists.byTmdb),
)

export const booksRouter = router({
  ...existsRouter('existsByIsbn', '/books/exists/by-isbn', 'isbn13', schema.exists.byIsbn),
  ...existsRouter(
    'existsByOlid',
    '/books/exists/by-olid',
    ['olid-work', 'olid-edition'],
    schema.exists.byOlid,
  ),
})

export const gamesRouter = router(
  existsRouter('existsByIgdb', '/games/exists/by-igdb', 'igdb', schema.exists.byIgdb),
)

export const itemsRouter = router({
  list: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/items',
        tags: ['Items'],
        summary: 'The whole catalogue, by name',
        protect: false,
      },
    })
    .input(schema.listItems.input)
    .output(schema.listItems.output)
    .query(async ({ ctx, input: { category: kind, page, limit } }) => {
      const [rows, total] = await Promise.all([
        listItems(ctx.db, { kind, page, limit }),
        countItems(ctx.db, kind),
      ])
      return { items: rows.map(toItem), pagination: paginationOf(page, limit, total) }
    }),

  byId: publicProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/items/{id}',
        tags: ['Items'],
        summary: 'One item',
        protect: false,
        errorResponses: [404],
      },
    })
    .input(schema.itemById.input)
    .output(schema.itemById.output)
    .query(async ({ ctx, input }) => ({
      item: toItem(found(await findItem(ctx.db, input.id), messages.itemNotFound)),
    })),
})
