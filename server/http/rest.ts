import type { AnyProcedure } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppRouter } from '#server/router.ts'
import { callProcedure } from '#server/trpc/call.ts'
import type { Context } from '#server/trpc/context.ts'
import { withTimeout } from '#server/trpc/errors.ts'
import type { Meta } from '#server/trpc/procedures.ts'
import { negotiate } from './negotiate.ts'
import {
  type Computed,
  includesTag,
  prepareResponse,
  type ResponseCache,
  watchLimits,
} from './response-cache.ts'

/**
 * The REST transport: one Fastify route per procedure with `openapi` in its meta. Fastify’s router provides route precedence,
 * decoding, HEAD and real 404s; trpc-to-openapi’s handler has none of these and modifies the live schemas.
 */
export function registerRest(
  app: FastifyInstance,
  router: AppRouter,
  createContext: (request: FastifyRequest) => Promise<Context>,
  cache: ResponseCache,
): void {
  for (const [name, procedure] of restProcedures(router)) {
    const { openapi, aliases = [], status = 200 } = procedure._def.meta as RestMeta
    const schema = jsonSchemaOf(procedure)
    const readText = textReader(schema)
    const hasBody = openapi.method !== 'GET' && openapi.method !== 'DELETE'
    const call = async (request: FastifyRequest, ctx: Context): Promise<unknown> => {
      const input = hasBody
        ? withParams(request.body, readText(request.params as Texts))
        : readText({ ...(request.query as Texts), ...(request.params as Texts) })
      return callProcedure(procedure, { ctx, path: name, readInput: async () => input })
    }
    const respond = async (request: FastifyRequest, reply: FastifyReply) => {
      const ctx = await createContext(request)
      const data = await call(request, ctx)
      const { etag } = ctx.response
      if (etag !== undefined) {
        reply.header('etag', etag)
        const known = request.headers['if-none-match']
        if (known !== undefined && includesTag(known, etag)) return reply.status(304).send()
      }
      reply.status(ctx.response.status ?? status)
      return data
    }
    const compute = async (request: FastifyRequest): Promise<Computed> => {
      const { ctx, hasCounted } = watchLimits(await createContext(request))
      const body = JSON.stringify(await call(request, ctx))
      return { response: prepareResponse(status, jsonHeaders, body), isShareable: !hasCounted() }
    }
    const cacheKey = isPublicQuery(procedure) ? keyReader(name, schema) : () => undefined
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const key = cacheKey(request)
      if (key === undefined) return withTimeout(() => respond(request, reply))
      const found = cache.find(key)
      // Not returned: a reply is thenable, and Fastify would wait for it.
      if (found) return void cache.send(request, reply, found)
      return withTimeout(() => cache.read(key, () => compute(request))).then((response) =>
        cache.send(request, reply, response),
      )
    }
    for (const { path } of [openapi, ...aliases]) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      // A HEAD runs the handler, so mutations have none: it would use up a verification link.
      app.route({
        method: openapi.method,
        url,
        handler,
        config: { cacheKey },
        exposeHeadRoute: procedure._def.type === 'query',
      })
    }
  }
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

/**
 * Whether a procedure returns the same to all visitors. Those with a rate limit of their own query external sources, and each
 * call counts.
 */
export function isPublicQuery(procedure: AnyProcedure): boolean {
  const { type, meta } = procedure._def as { type: string; meta?: Meta }
  return type === 'query' && meta?.openapi?.protect === false && meta.limit === undefined
}

/**
 * Returns a function that returns the key of a visitor’s call in the cache: the procedure and the input. It leaves out
 * parameters that the schema does not name, because zod drops them: they must not fill the cache.
 */
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

export type RestMeta = Meta & { openapi: NonNullable<Meta['openapi']> }
type Texts = Record<string, string | string[]>
type JsonSchema = z.core.JSONSchema.JSONSchema

/** Returns the procedures with a REST path, by tRPC path. `_def.procedures` is semi-internal, hence the exact pin of the version. */
export function restProcedures(router: AppRouter): [path: string, procedure: AnyProcedure][] {
  const procedures = router._def.procedures as unknown as Record<string, AnyProcedure>
  return Object.entries(procedures).filter(
    ([, procedure]) => (procedure._def.meta as Meta | undefined)?.openapi,
  )
}

/** Returns the zod schema of a procedure’s input, if it has one. */
export function inputOf(procedure: AnyProcedure): z.ZodObject | undefined {
  return (procedure._def as unknown as { inputs: z.ZodObject[] }).inputs[0]
}

/** Returns the JSON schema of a procedure’s input; empty if it has none. */
function jsonSchemaOf(procedure: AnyProcedure): JsonSchema {
  const schema = inputOf(procedure)
  return schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : {}
}

/** Returns a function that converts query and path parameters to the types of the schema. Values that do not fit stay text, so that zod reports them. */
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

/** Adds path parameters to a body. A body that is not an object is returned unchanged, so that zod reports it. */
function withParams(body: unknown, params: Record<string, unknown>): unknown {
  if (body === undefined || body === null) return params
  return typeof body === 'object' && !Array.isArray(body) ? { ...body, ...params } : body
}
