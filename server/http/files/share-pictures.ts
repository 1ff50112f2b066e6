import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Shared } from '#shared/share.ts'
import { readSettings } from '#server/db/settings.ts'
import { includesTag } from '#server/http/api/response-cache.ts'
import { ownersOf } from '#server/process/addresses.ts'
import type { AppRouter } from '#server/router.ts'
import type { Context, Services } from '#server/trpc/context.ts'
import { withTimeout } from '#server/trpc/errors.ts'
import { checkVisitors } from '#server/trpc/procedures.ts'
import { readCard } from '#server/share/card.ts'
import { shareQuery } from '#server/share/document.ts'
import { openSharePictures } from '#server/share/pictures.ts'

type Params = { id: string; year?: string }

/** Registers the share pictures: what a visitor sees of a review, a list, the favorites of a member or a year. */
export function registerSharePictures(
  app: FastifyInstance,
  router: AppRouter,
  services: Pick<Services, 'config' | 'db' | 'storage'>,
  createVisitorContext: (request: FastifyRequest) => Promise<Context>,
): void {
  const pictures = openSharePictures(services)

  function route(url: string, sharedOf: (params: Params, key: string | undefined) => Shared): void {
    app.get<{ Params: Params }>(`${url}/share.jpg`, async (request, reply) => {
      const { data: query, error } = shareQuery.safeParse(request.query)
      if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error })
      const ctx = await createVisitorContext(request)
      await checkVisitors(ctx.db)
      const shared = sharedOf(request.params, query.key)
      const shown = await withTimeout(async () => ({
        card: await readCard(router.createCaller(ctx), ctx.db, shared),
        shape: query.shape,
        siteName: (await readSettings(ctx.db)).name,
      }))
      const tag = pictures.tagOf(shown)
      const { authorization, 'if-none-match': known } = request.headers
      const isKnown = known !== undefined && includesTag(known, tag)
      const picture = isKnown
        ? undefined
        : await pictures.read(tag, shown, ownersOf(ctx.address), () => ctx.limit('sharePicture'))
      const caching = query.v === undefined ? 'public, no-cache' : 'public, max-age=86400'
      reply.headers({ etag: tag, 'cache-control': authorization === undefined ? caching : 'no-store' })
      return picture ? reply.type('image/jpeg').send(picture) : reply.status(304).send()
    })
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
