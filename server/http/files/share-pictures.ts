import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readSettings } from '#server/members/settings.ts'
import {
  type Computed,
  prepareResponse,
  publicCaching,
  type ResponseCache,
  watchLimits,
} from '#server/http/doors/response-cache.ts'
import { ownersOf } from '#server/process/addresses.ts'
import { includesTag } from '#server/calls/etag.ts'
import type { AppRouter } from '#server/router.ts'
import type { Context, Services } from '#server/calls/context.ts'
import { withTimeout } from '#server/calls/errors.ts'
import { checkVisitors } from '#server/calls/procedures.ts'
import { nothing, readCard } from '#server/share/card.ts'
import { shareQuery } from '#server/share/document.ts'
import { openSharePictures } from '#server/share/pictures.ts'
import type { Shared, ShareShape } from '#shared/domain/share.ts'

/** How many calls reading what a picture shows counts as, if it is not cached. */
const readCost = 3

type Params = { id: string; year?: string }

/**
 * Registers the share pictures: what a visitor sees of a review, a list, the favorites of a member or a year. What a picture shows is
 * read once for each version of the database, like other responses to visitors.
 */
export function registerSharePictures(
  app: FastifyInstance,
  router: AppRouter,
  services: Pick<Services, 'config' | 'db' | 'storage'>,
  createVisitorContext: (request: FastifyRequest) => Promise<Context>,
  cache: ResponseCache,
): void {
  const pictures = openSharePictures(services)

  function route(url: string, sharedOf: (params: Params, key: string | undefined) => Shared): void {
    const parse = (request: FastifyRequest) => {
      const { data: query, error } = shareQuery.safeParse(request.query)
      if (error) return { error, shared: undefined }
      return { ...query, error, shared: sharedOf(request.params as Params, query.key) }
    }
    const keyOf = (shared: Shared, shape: ShareShape) => `share ${JSON.stringify([shared, shape])}`

    async function compute(request: FastifyRequest, shared: Shared, shape: ShareShape): Promise<Computed> {
      const { ctx, hasCounted } = watchLimits(await createVisitorContext(request))
      await ctx.limit('general', undefined, readCost - 1)
      const card = await readCard(router.createCaller(ctx), ctx.db, shared).catch((error: unknown) => {
        if (error instanceof TRPCError && error.code === 'NOT_FOUND') return undefined
        throw error
      })
      const isShareable = !hasCounted()
      if (card === undefined) return { response: prepareResponse(404, {}, ''), isShareable }
      const shown = { card, shape, siteName: (await readSettings(ctx.db)).name }
      const etag = pictures.tagOf(shown)
      return { response: prepareResponse(200, { etag }, JSON.stringify(shown)), isShareable }
    }

    app.get(
      `${url}/share.jpg`,
      {
        config: {
          cacheKey(request) {
            const parsed = parse(request)
            return parsed.shared && keyOf(parsed.shared, parsed.shape)
          },
        },
      },
      async (request, reply) => {
        const parsed = parse(request)
        if (parsed.error) throw new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error })
        const { shared, shape, v } = parsed
        await checkVisitors(services.db)
        const key = keyOf(shared, shape)
        const { etag, identity } =
          cache.find(key) ?? (await withTimeout(() => cache.read(key, () => compute(request, shared, shape))))
        if (etag === undefined) throw nothing()
        const { authorization, 'if-none-match': known } = request.headers
        const picture =
          known !== undefined && includesTag(known, etag)
            ? undefined
            : await pictures.read(etag, String(identity), ownersOf(request.ip), async () =>
                (await createVisitorContext(request)).limit('sharePicture'),
              )
        const caching = v === undefined ? publicCaching : 'public, max-age=86400'
        reply.headers({ etag, 'cache-control': authorization === undefined ? caching : 'no-store' })
        return picture ? reply.type('image/jpeg').send(picture) : reply.status(304).send()
      },
    )
  }

  const id = String.raw`:id(^[1-9]\d{0,14}$)`
  route(`/reviews/${id}`, (params) => ({ subject: 'reviews', id: Number(params.id) }))
  route(`/lists/${id}`, (params, key) => ({ subject: 'lists', id: Number(params.id), key }))
  route(`/users/${id}`, (params) => ({ subject: 'users', id: Number(params.id) }))
  route(String.raw`/users/${id}/year/:year(^[1-9]\d{0,3}$)`, (params) => ({
    subject: 'years',
    id: Number(params.id),
    year: Number(params.year),
  }))
}
