import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AppRouter } from '#server/router.ts'
import {
  definitionOf,
  isPublicQuery,
  jsonSchemaOf,
  type RestMeta,
  restProcedures,
} from '#server/calls/described.ts'
import { callProcedure } from '#server/calls/run.ts'
import type { Context } from '#server/calls/context.ts'
import { withTimeout } from '#server/calls/errors.ts'
import { bodyLimitOf } from '#server/http/limits/body-limits.ts'
import type { Calls } from './calls.ts'
import { runOnce } from './idempotency.ts'
import { bodyHashOf } from './json-body.ts'
import { negotiate } from '#server/http/negotiate.ts'
import { prepareResponse, publicCaching, type ResponseCache, tagOf } from './response-cache.ts'
import { includesTag, versionTag } from '#server/calls/etag.ts'

/**
 * One Fastify route per procedure with `openapi` in its meta: the router provides precedence, decoding, HEAD and 404s. trpc-to-openapi’s
 * handler has none of these and modifies the live schemas.
 */
export function registerRest(
  app: FastifyInstance,
  router: AppRouter,
  calls: Calls,
  cache: ResponseCache,
): void {
  const admitted = new WeakMap<FastifyRequest, Context>()
  for (const [name, procedure] of restProcedures(router)) {
    const { type, meta } = definitionOf(procedure) as { type: 'query' | 'mutation'; meta: RestMeta }
    const { openapi, aliases = [], status = 200, hasSecret = false } = meta
    const schema = jsonSchemaOf(procedure)
    const readText = textReader(schema)
    const isQuery = type === 'query'
    const hasBody = openapi.method !== 'GET' && openapi.method !== 'DELETE'
    const bodyLimit = bodyLimitOf(name, schema)
    const headersOf = headerReader(meta, isQuery, Object.keys(schema.properties ?? {}))
    const call = async (request: FastifyRequest, ctx: Context): Promise<unknown> => {
      const input = hasBody
        ? withParams(request.body, readText(request.params as Texts))
        : readText({ ...(request.query as Texts), ...(request.params as Texts) })
      return callProcedure(router, { ctx, path: name, type, readInput: async () => input })
    }
    const answer = async (request: FastifyRequest, ctx: Context): Promise<Answer> => {
      const data = await call(request, ctx)
      return { status: ctx.response.status ?? status, body: JSON.stringify(data), data }
    }
    const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
      const ctx = admitted.get(request) ?? (await calls.open(request))
      // A body can take half a minute to arrive.
      ctx.now = new Date()
      ctx.ifMatch = request.headers['if-match']
      if (openapi.method !== 'POST') return answer(request, ctx)
      const content = () => `${name} ${JSON.stringify(request.params)} ${bodyHashOf(request)}`
      return runOnce(request, reply, ctx, { content, hasSecret }, (keyed) => answer(request, keyed))
    }
    const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => {
      // The response of an earlier request with the same idempotency key has no data.
      const { status, body, data = JSON.parse(body) as unknown } = answer
      const headers = headersOf(request, { ...answer, data })
      reply.status(status).headers(headers)
      const { etag } = headers
      // As the cache sends it. A secret, or the response to a member, is stored nowhere.
      if (isQuery && etag !== undefined && !hasSecret && request.headers.authorization === undefined)
        reply.header('cache-control', publicCaching)
      const isCurrent = isQuery && includesTag(request.headers['if-none-match'], etag)
      return isCurrent ? reply.status(304).send() : reply.send(body)
    }
    const compute = async (request: FastifyRequest, ctx: Context) => {
      const answered = await answer(request, ctx)
      return { response: prepareResponse(status, headersOf(request, answered), answered.body) }
    }
    const cacheKey = isPublicQuery(procedure) ? keyReader(name, schema) : () => undefined
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const key = cacheKey(request)
      if (key === undefined)
        return withTimeout(() => respond(request, reply)).then((response) => send(request, reply, response))
      const found = cache.find(key)
      // Not returned: a reply is thenable, and Fastify would wait for it.
      if (found) return void cache.send(request, reply, found)
      return calls
        .share(request, key, (ctx) => compute(request, ctx))
        .then((response) => cache.send(request, reply, response))
    }
    const admitBeforeBody = async (request: FastifyRequest) => {
      admitted.set(request, await calls.admit(calls.open(request), 'mutation', meta))
    }
    for (const { path } of [openapi, ...aliases]) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      // A HEAD runs the handler: it would use up a verification link.
      app.route({
        method: openapi.method,
        url,
        ...(!isQuery && { onRequest: admitBeforeBody }),
        handler,
        config: { cacheKey, bodyLimit: () => bodyLimit },
        exposeHeadRoute: isQuery,
      })
    }
  }
}

type Answer = { status: number; body: string; data?: unknown }

function headerReader(
  { openapi, location = [], version }: RestMeta,
  isQuery: boolean,
  names: readonly string[],
) {
  const locations = [location].flat()
  return (request: FastifyRequest, { status, body, data }: Answer): Record<string, string> => {
    const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
    if (status >= 400) return headers
    const written = version?.map((path) => valueAt(data, path))
    if (written) headers['etag'] = tagOf(body, versionTag(written))
    else if (isQuery) headers['etag'] = tagOf(body)
    const created = status === 201 ? locations.find((path) => fillPath(path, data)) : undefined
    if (created) headers['location'] = fillPath(created, data)!
    const cursor = valueAt(data, 'nextCursor')
    // The list of changes has a cursor at its end too.
    const hasMore = valueAt(data, 'hasMore') !== false
    if (typeof cursor === 'string' && hasMore)
      headers['link'] = nextLink(openapi.path, request, names, cursor)
    return headers
  }
}

function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], data)
}

/** `/reviews/{review.id}`; undefined if a value is missing. */
function fillPath(template: string, data: unknown): string | undefined {
  let isComplete = true
  const path = template.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => {
    const value = valueAt(data, name)
    isComplete &&= value !== undefined
    return encodeURIComponent(String(value))
  })
  return isComplete ? path : undefined
}

/** Only parameters that the procedure knows, because visitors share the response. */
function nextLink(path: string, request: FastifyRequest, names: readonly string[], cursor: string): string {
  const params = request.params as Texts
  const query = request.query as Texts
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const cursorName = names.includes('cursor') ? 'cursor' : 'since'
  const search = new URLSearchParams()
  for (const name of names) {
    const isReplaced = name === 'page' || name === cursorName || name in params
    if (!isReplaced && query[name] !== undefined) search.set(name, String(query[name]))
  }
  search.set(cursorName, cursor)
  return `<${filled}?${search.toString()}>; rel="next"`
}

/** Leaves out parameters that zod drops, so that they cannot fill the cache. */
function keyReader(
  name: string,
  { properties, additionalProperties }: JsonSchema,
): (request: FastifyRequest) => string | undefined {
  if (additionalProperties !== undefined)
    throw new Error(`${name}: the schema does not drop unknown parameters.`)
  const names = Object.keys(properties ?? {})
  return (request) => {
    if (request.headers.authorization !== undefined || negotiate(request).representation === 'page')
      return undefined
    const params = request.params as Texts
    const query = request.query as Texts
    return `rest ${name} ${JSON.stringify(names.map((one) => params[one] ?? query[one]))}`
  }
}

type Texts = Record<string, string | string[]>
type JsonSchema = z.core.JSONSchema.JSONSchema

/** Values that do not fit stay text, so that zod reports them. */
function textReader({ properties = {} }: JsonSchema): (texts: Texts) => Record<string, unknown> {
  const types = new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      typeof property === 'object' ? property.type : undefined,
    ]),
  )
  return (texts) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => {
        const type = types.get(name)
        if (typeof text !== 'string') return [name, text]
        if (type === 'integer' && /^(0|-?[1-9]\d*)$/.test(text)) return [name, Number(text)]
        if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return [name, Number(text)]
        if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true']
        return [name, text]
      }),
    )
}

/** A body that is not an object is returned unchanged, so that zod reports it. */
function withParams(body: unknown, params: Record<string, unknown>): unknown {
  if (body === undefined || body === null) return params
  return typeof body === 'object' && !Array.isArray(body) ? { ...body, ...params } : body
}
