import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '#server/calls/context.ts'
import type { Meta } from '#server/calls/procedures.ts'
import type { Calls } from './calls.ts'

type Route<Input> = {
  method: 'GET' | 'POST'
  url: string
  meta: Meta
  input?: z.ZodType<Input>
  bodyLimit?: number
}
type FileCall<Input> = { ctx: Context; input: Input; request: FastifyRequest; reply: FastifyReply }

/** For a body or response that is a file. Admitted like a procedure. A HEAD runs the handler, too; `reply` tells what to do then. */
export function serveFile<Input = undefined>(
  app: FastifyInstance,
  calls: Pick<Calls, 'open' | 'admit'>,
  { method, url, meta, input: schema, bodyLimit }: Route<Input>,
  handle: (call: FileCall<Input>) => Promise<FastifyReply>,
): void {
  const { cost = 1, ...admitted } = meta
  app.route({
    method,
    url,
    config: { cost },
    ...(bodyLimit !== undefined && { bodyLimit }),
    async handler(request, reply) {
      const type = method === 'GET' ? 'query' : 'mutation'
      const ctx = await calls.admit(calls.open(request), type, admitted)
      const sent = { ...(request.query as object), ...(request.params as object) }
      const { data, error } = schema?.safeParse(sent) ?? {}
      if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error })
      return handle({ ctx, input: data as Input, request, reply })
    },
  })
}
