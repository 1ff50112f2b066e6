import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pinnedLanguageOf } from '#server/http/pages/language.ts'
import { readSettings } from '#server/members/settings.ts'
import { prepareResponse, publicCaching } from '#server/http/doors/response-cache.ts'
import { ownersOf } from '#server/process/addresses.ts'
import { notFound } from '#server/calls/errors.ts'
import { includesTag } from '#server/calls/etag.ts'
import type { Caller, Calls } from '#server/http/doors/calls.ts'
import type { Context, Services } from '#server/calls/context.ts'
import { admit } from '#server/calls/procedures.ts'
import { readCard } from '#server/share/card.ts'
import { shareQuery } from '#server/share/document.ts'
import { openSharePictures } from '#server/share/pictures.ts'
import type { Shared, ShareShape } from '#shared/domain/share.ts'

const readCost = 3

type Params = { id: string; year?: string }

export function registerSharePictures(
  app: FastifyInstance,
  calls: Calls,
  services: Pick<Services, 'config' | 'db' | 'storage' | 'translators'>,
): void {
  const pictures = openSharePictures(services)

  function route(url: string, sharedOf: (params: Params, key: string | undefined) => Shared): void {
    const parse = (request: FastifyRequest) => {
      const { data: query, error } = shareQuery.safeParse(request.query)
      if (error) return { error, shared: undefined }
      const language = pinnedLanguageOf(request)
      return { ...query, language, error, shared: sharedOf(request.params as Params, query.key) }
    }
    const keyOf = (shared: Shared, shape: ShareShape, language: string) =>
      `share ${JSON.stringify([shared, shape, language])}`

    async function compute(call: Caller, ctx: Context, shared: Shared, shape: ShareShape, language: string) {
      await admit(ctx, 'query', { cost: readCost })
      const texts = services.translators.of(language)
      const card = await readCard(call, ctx.db, shared, texts).catch((error: unknown) => {
        if (error instanceof TRPCError && error.code === 'NOT_FOUND') return undefined
        throw error
      })
      if (card === undefined) return { response: prepareResponse(404, {}, '') }
      const shown = { card, shape, siteName: (await readSettings(ctx.db)).name }
      const etag = pictures.tagOf(shown)
      return { response: prepareResponse(200, { etag }, JSON.stringify(shown)) }
    }

    app.get(
      `${url}/share.jpg`,
      {
        config: {
          cacheKey(request) {
            const parsed = parse(request)
            return parsed.shared && keyOf(parsed.shared, parsed.shape, parsed.language)
          },
        },
      },
      async (request, reply) => {
        const parsed = parse(request)
        if (parsed.error) throw new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error })
        const { shared, shape, v, language } = parsed
        const key = keyOf(shared, shape, language)
        const { etag, identity } = await calls.share(request, key, (ctx, call) =>
          compute(call, ctx, shared, shape, language),
        )
        if (etag === undefined) throw notFound()
        const { authorization, 'if-none-match': known } = request.headers
        const picture = includesTag(known, etag)
          ? undefined
          : await pictures.read(etag, String(identity), ownersOf(request.ip), async () =>
              (await calls.visit(request)).limit('sharePicture'),
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
