import type { AnyProcedure, AnyRouter } from '@trpc/server'
import { z } from 'zod'
import type { Meta } from './procedures.ts'

/** tRPC documents no way to list procedures: this reads `_def`, as its own adapters do; the version is pinned exactly. */
type Definition = {
  type: 'query' | 'mutation' | 'subscription'
  meta?: Meta
  inputs: z.ZodObject[]
  output?: z.ZodType
}

export type RestMeta = Meta & { openapi: NonNullable<Meta['openapi']> }
type JsonSchema = z.core.JSONSchema.JSONSchema

/** Returns the procedures by path: `reviews.list`. */
export function proceduresOf(router: AnyRouter): Record<string, AnyProcedure> {
  return router._def.procedures as Record<string, AnyProcedure>
}

export function definitionOf(procedure: AnyProcedure): Definition {
  return procedure._def as unknown as Definition
}

export function restProcedures(router: AnyRouter): [path: string, procedure: AnyProcedure][] {
  return Object.entries(proceduresOf(router)).filter(([, procedure]) => definitionOf(procedure).meta?.openapi)
}

export function inputOf(procedure: AnyProcedure): z.ZodObject | undefined {
  return definitionOf(procedure).inputs[0]
}

/** Several doors need them at the start. */
const jsonSchemas = new WeakMap<AnyProcedure, JsonSchema>()

/** Returns the JSON Schema of the input; without properties if the procedure has none. */
export function jsonSchemaOf(procedure: AnyProcedure): JsonSchema {
  const known = jsonSchemas.get(procedure)
  if (known) return known
  const schema = z.toJSONSchema(inputOf(procedure) ?? z.object(), { io: 'input', unrepresentable: 'any' })
  jsonSchemas.set(procedure, schema)
  return schema
}

/** Returns whether visitors share the responses of a query. Not of one with a rate limit of its own, because each call counts. */
export function isPublicQuery(procedure: AnyProcedure): boolean {
  const { type, meta } = definitionOf(procedure)
  return type === 'query' && !!meta?.openapi && !meta.requiresMember && meta.limit === undefined
}
