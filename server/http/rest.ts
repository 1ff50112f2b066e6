import type { AnyProcedure } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppRouter } from '#server/router.ts'
import { callProcedure } from '#server/trpc/call.ts'
import type { Context } from '#server/trpc/context.ts'
import { withTimeout } from '#server/trpc/errors.ts'
import type { Meta } from '#server/trpc/procedures.ts'

/**
 * The REST transport: one Fastify route per procedure with `openapi` in its meta. Fastify’s router provides route precedence,
 * decoding, HEAD and real 404s; trpc-to-openapi’s handler has none of these and modifies the live schemas.
 */
export function registerRest(
  app: FastifyInstance,
  router: AppRouter,
  createContext: (request: FastifyRequest) => Promise<Context>,
): void {
  for (const [name, procedure] of restProcedures(router)) {
    const { openapi, aliases = [], status = 200 } = procedure._def.meta as RestMeta
    const readText = textReader(procedure)
    const hasBody = openapi.method !== 'GET' && openapi.method !== 'DELETE'
    const call = async (request: FastifyRequest, reply: FastifyReply) => {
      const input = hasBody
        ? withParams(request.body, readText(request.params as Texts))
        : readText({ ...(request.query as Texts), ...(request.params as Texts) })
      const ctx = await createContext(request)
      const data = await callProcedure(procedure, { ctx, path: name, readInput: async () => input })
      reply.status(ctx.response.status ?? status)
      return data
    }
    const handler = (request: FastifyRequest, reply: FastifyReply) => withTimeout(() => call(request, reply))
    for (const { path } of [openapi, ...aliases]) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      // A HEAD runs the handler, so mutations have none: it would use up a verification link.
      app.route({ method: openapi.method, url, handler, exposeHeadRoute: procedure._def.type === 'query' })
    }
  }
}

export type RestMeta = Meta & { openapi: NonNullable<Meta['openapi']> }
type Texts = Record<string, string | string[]>

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

/** Returns a function that converts query and path parameters to the types of the schema. Values that do not fit stay text, so that zod reports them. */
function textReader(procedure: AnyProcedure): (texts: Texts) => Record<string, unknown> {
  const schema = inputOf(procedure)
  const properties = schema
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})
    : {}
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
