import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { allKinds, kinds } from '#shared/domain/kinds.ts'
import { starSigns } from '#shared/domain/ratings.ts'
import { messages } from '#shared/texts/messages.ts'
import { withoutSpoilers } from '#shared/domain/spoilers.ts'
import type { Db } from '#server/db/open.ts'
import { readSettings } from '#server/members/settings.ts'
import { badRequest, notFound } from '#server/calls/errors.ts'
import type { Context, Services } from '#server/calls/context.ts'
import type { Caller, Calls } from '#server/http/doors/calls.ts'
import { listNewestItems } from '#server/lists/items-store.ts'
import { prepareResponse, type ResponseCache } from '#server/http/doors/response-cache.ts'
import { truncate } from '#shared/texts/truncate.ts'
import { escaped } from '#server/text/escape.ts'
import { withPart } from '#server/text/part-name.ts'
import type { Translator } from '#server/text/translator.ts'
import { languageHeaders, languageKey, languageOf } from './language.ts'

const entriesMax = 50
const embedSize = { width: 550, height: 240 }
const quoteMax = 500

type Review = {
  id: number
  rating: number
  text: string
  hasSpoilers: boolean
  isWithheld?: true | undefined
  about: { episodeId: number | null } | null
  createdAt: string
  updatedAt: string
  user: { id: number; username: string }
}
type Feed = { self: string; page: string; title: string; entries: FeedEntry[] }
/** `id` identifies the entry in the feed if the URL does not. */
type FeedEntry = {
  id?: string
  url: string
  title: string
  author: string | undefined
  createdAt: string
  updatedAt: string
  text: string
}

/** Visitors' content, cached like visitors' responses. */
export function registerFeeds(
  app: FastifyInstance,
  calls: Calls,
  { db, config: { publicUrl: origin }, translators }: Pick<Services, 'db' | 'config' | 'translators'>,
  cache: ResponseCache,
): void {
  const absolute = (path: string) => new URL(path, origin).href
  const siteName = async () => (await readSettings(db)).name

  function route<Params>(
    url: string,
    type: string,
    read: (
      caller: Caller,
      request: { params: Params; query: Record<string, unknown> },
      texts: Translator,
      db: Db,
    ) => Promise<string>,
    keyOf: (request: FastifyRequest) => string,
  ): void {
    app.get(url, async (request, reply) => {
      const texts = translators.of(languageOf(request))
      const compute = async (ctx: Context, call: Caller) => {
        ctx.showNames = calls.namesFor(request)
        const body = await read(call, request as never, texts, ctx.db)
        const headers = { 'content-type': type, ...languageHeaders(request) }
        return { response: prepareResponse(200, headers, body) }
      }
      const response = await calls.share(request, `feed ${keyOf(request)}${languageKey(request)}`, compute)
      return cache.send(request, reply, response)
    })
  }
  const atomRoute = (
    url: string,
    read: (caller: Caller, id: number, path: string, texts: Translator, db: Db) => Promise<Feed>,
  ) =>
    route<{ id: string }>(
      url,
      'application/atom+xml; charset=utf-8',
      async (caller, { params }, texts, db) => {
        const path = url.replace(/:id\([^)]*\)/, params.id)
        const feed = await read(caller, Number(params.id), path, texts, db)
        return atom(feed, await siteName(), texts)
      },
      ({ params }) => url.replace(/:id\([^)]*\)/, (params as { id: string }).id),
    )

  const id = String.raw`:id(^[1-9]\d{0,14}$)`
  const reviewUrl = (kind: keyof typeof kinds, titleId: number, { id: reviewId, about }: Review) => {
    const episodeId = about?.episodeId ?? null
    const path = episodeId === null ? `/${kinds[kind].path}/${titleId}` : `/episodes/${episodeId}`
    return absolute(`${path}?review=${reviewId}`)
  }

  atomRoute(`/users/${id}/reviews.atom`, async (caller, userId, path, texts) => {
    const { user } = await caller.accounts.profile({ id: userId })
    const { reviews } = await caller.reviews.ofUser({ id: userId, hasText: true, limit: entriesMax })
    return {
      self: absolute(path),
      page: absolute(`/user/${userId}`),
      title: texts.t`Reviews by ${user.username}`,
      entries: reviews.map((review) => ({
        url: reviewUrl(review.title.kind, review.title.id, review),
        title: `${review.title.name} ${stars(review)}`,
        ...entryOf(review, texts),
      })),
    }
  })
  for (const { kind, path: kindPath } of allKinds) {
    atomRoute(`/${kindPath}/${id}/reviews.atom`, async (caller, titleId, path, texts) => {
      const name = await nameOf(caller, kind, titleId)
      const { reviews } = await caller.reviews.list({ itemId: titleId, limit: entriesMax })
      return {
        self: absolute(path),
        page: absolute(`/${kindPath}/${titleId}`),
        title: texts.t`Reviews of ${name}`,
        entries: reviews.map((review) => ({
          url: reviewUrl(kind, titleId, review),
          title: `${review.user.username} ${stars(review)}`,
          ...entryOf(review, texts),
        })),
      }
    })
  }

  atomRoute(`/lists/${id}.atom`, async (caller, listId, path, { t }, db) => {
    const { list } = await caller.lists.byId({ id: listId })
    const page = absolute(`/list/${listId}`)
    const added = await listNewestItems(db, listId, entriesMax)
    return {
      self: absolute(path),
      page,
      title: t`${list.title} by ${list.owner.username}`,
      entries: added.map((row) => ({
        id: `${page}#${row.id}`,
        url: absolute(`/${kinds[row.kind].path}/${row.id}`),
        title: row.name,
        author: row.adder_name ?? undefined,
        createdAt: row.added_at,
        updatedAt: row.added_at,
        text: row.note,
      })),
    }
  })

  const queryOf = ({ query }: { query: unknown }) => query as Record<string, unknown>
  route<object>(
    '/oembed',
    'application/json; charset=utf-8',
    async (caller, { query }, texts) => JSON.stringify(await embed(caller, query, texts)),
    (request) => {
      const { url, format, maxwidth, maxheight } = queryOf(request)
      return `oembed ${JSON.stringify([url, format, maxwidth, maxheight])}`
    },
  )

  async function embed(caller: Caller, query: Record<string, unknown>, texts: Translator): Promise<object> {
    if (query['format'] !== undefined && query['format'] !== 'json')
      throw new TRPCError({ code: 'NOT_IMPLEMENTED', message: messages.oembedFormat })
    const given = query['url']
    const url = typeof given === 'string' && given.length <= 2_000 ? URL.parse(given) : null
    if (url === null) throw badRequest(messages.oembedUrl)
    const [, path, titleId] = /^\/([a-z-]+)\/([1-9]\d{0,14})\/?$/.exec(url.pathname) ?? []
    const definition = allKinds.find((one) => one.path === path)
    const common = {
      version: '1.0',
      provider_name: await siteName(),
      provider_url: absolute('/'),
      cache_age: 3_600,
    }
    const isOther = definition === undefined && path !== 'list' && path !== 'episodes'
    if (url.origin !== new URL(origin).origin || isOther) throw notFound()
    if (path === 'list') {
      const { list } = await caller.lists.byId({ id: Number(titleId) })
      const author = { author_name: list.owner.username, author_url: absolute(`/user/${list.owner.id}`) }
      return { ...common, type: 'link', title: list.title, ...author }
    }
    const subject = definition
      ? { kind: definition.kind, name: await nameOf(caller, definition.kind, Number(titleId)) }
      : await episodeOf(caller, Number(titleId), texts)
    const reviewId = url.searchParams.get('review')
    if (reviewId === null) return { ...common, type: 'link', title: subject.name }
    if (!/^[1-9]\d{0,14}$/.test(reviewId)) throw notFound()
    const { review } = await caller.reviews.byId({ id: Number(reviewId) })
    if ((definition ? review.itemId : review.about?.episodeId) !== Number(titleId)) throw notFound()
    const { username } = review.user
    const author = absolute(`/user/${review.userId}`)
    const name = definition ? withPart(subject.name, review.about, texts) : subject.name
    const permalink = reviewUrl(subject.kind, review.itemId, review)
    const [by, on] = [linkTo(author, username), linkTo(permalink, name)]
    return {
      ...common,
      type: 'rich',
      title: texts.t`${username} on ${name}`,
      author_name: username,
      author_url: author,
      html:
        `<blockquote cite="${escaped(permalink)}"><p>${stars(review)}</p><p>${escaped(quoted(review, texts))}</p>` +
        `<footer>${texts.t`${by} on ${on}`}</footer></blockquote>`,
      width: atMost(query['maxwidth'], embedSize.width),
      height: atMost(query['maxheight'], embedSize.height),
    }
  }

  async function nameOf(caller: Caller, kind: keyof typeof kinds, titleId: number): Promise<string> {
    const { item } = await caller.items.byId({ id: titleId })
    if (item.category !== kinds[kind].words.category) throw notFound()
    return item.name
  }

  async function episodeOf(caller: Caller, id: number, texts: Translator) {
    const { episode, title } = await caller.progress.episode({ id })
    return { kind: title.kind, name: withPart(title.name, episode, texts) }
  }
}

function atMost(given: unknown, size: number): number {
  return typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given) ? Math.min(Number(given), size) : size
}

const stars = ({ rating }: Pick<Review, 'rating'>) =>
  starSigns(rating) + (Number.isInteger(rating) ? '☆'.repeat(5 - rating) : '')

function linkTo(url: string, text: string): string {
  return `<a href="${escaped(url)}">${escaped(text)}</a>`
}

function shownText(review: Review, { translate }: Translator): string {
  if (review.isWithheld) return translate(messages.reviewIsWithheld)
  return withoutSpoilers(review) || (review.hasSpoilers ? translate(messages.reviewHasSpoilers) : '')
}

function quoted(review: Review, texts: Translator): string {
  return truncate(shownText(review, texts), quoteMax, true)
}

function atom(
  { self, page, title, entries }: Feed,
  generator: string,
  { language }: Pick<Translator, 'language'>,
): string {
  const updated = entries.map(({ updatedAt }) => updatedAt).sort()
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${escaped(self)}</id>
<title>${escaped(title)}</title>
<updated>${updated.at(-1) ?? '1970-01-01T00:00:00.000Z'}</updated>
<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>
<link rel="alternate" type="text/html" href="${escaped(page)}"/>
<generator>${escaped(generator)}</generator>
${entries.map(atomEntry).join('')}</feed>
`
}

function entryOf(review: Review, texts: Translator): Omit<FeedEntry, 'url' | 'title'> {
  const { user, createdAt, updatedAt } = review
  return { author: user.username, createdAt, updatedAt, text: shownText(review, texts) }
}

function atomEntry({ id, url, title, author, createdAt, updatedAt, text }: FeedEntry): string {
  return `<entry>
<id>${escaped(id ?? url)}</id>
<title>${escaped(title)}</title>
<published>${createdAt}</published>
<updated>${updatedAt}</updated>
${author === undefined ? '' : `<author><name>${escaped(author)}</name></author>\n`}<link rel="alternate" type="text/html" href="${escaped(url)}"/>
<content type="text">${escaped(text)}</content>
</entry>
`
}
