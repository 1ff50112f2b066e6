import type { AnyProcedure } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import { browserCookie } from '#server/testing.ts'
import type { Meta } from '#server/calls/procedures.ts'

export type Transport = 'tRPC' | 'REST'

export function requestTo(app: FastifyInstance) {
  return async (
    transport: Transport,
    path: string,
    procedure: AnyProcedure,
    input: object,
    caller: { token: string } | null,
    moreHeaders: Record<string, string> = {},
  ) => {
    const headers = {
      cookie: browserCookie,
      ...moreHeaders,
      ...(caller && { authorization: `Bearer ${caller.token}` }),
    }
    const isQuery = procedure._def.type === 'query'
    if (transport === 'tRPC') {
      const query = isQuery ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
      const payload = isQuery ? {} : { payload: input ?? {} }
      return app.inject({
        method: isQuery ? 'GET' : 'POST',
        url: `/trpc/${path}${query}`,
        headers,
        ...payload,
      })
    }
    const { openapi } = procedure._def.meta as Meta & { openapi: NonNullable<Meta['openapi']> }
    const given = { ...input } as Record<string, unknown>
    const url = openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(given[name])
      delete given[name]
      return encodeURIComponent(value)
    })
    const hasNoBody = openapi.method === 'GET' || openapi.method === 'DELETE'
    return app.inject({
      method: openapi.method,
      url: hasNoBody ? `${url}?${new URLSearchParams(given as Record<string, string>)}` : url,
      headers,
      ...(hasNoBody ? {} : { payload: given }),
    })
  }
}
