import { afterAll, expect, test } from 'vitest'
import { prepareCalls } from '#scripts/testing/calls.ts'
import { buildApp } from '#server/app.ts'
import { restProcedures } from './rest.ts'
import { appRouter } from '#server/router.ts'
import { aServer } from '#server/testing.ts'
import type { Meta } from '#server/trpc/procedures.ts'
import { noWeb } from './web.ts'

/** Every call of the contract, at both doors: the same input gives the same answer. Runs on both databases. */
const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const { calls, newCaller } = await prepareCalls(server)

test('every procedure with a REST path is called', () => {
  expect(Object.keys(calls).sort()).toEqual(
    restProcedures(appRouter)
      .map(([path]) => path)
      .sort(),
  )
})

/** What differs between two members and two moments is left out of the comparison. */
const varying =
  /^(id|userId|email|username|token|.*At|imageUrl|userAgent|followersCount|total|commentCount|likeCount)$/
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, varying.test(key) ? typeof inner : comparable(inner)]),
  )
}

test.each(restProcedures(appRouter))('%s answers the same at both doors', async (path, procedure) => {
  const {
    openapi,
    status = 200,
    otherStatus,
  } = procedure._def.meta as Meta & { openapi: NonNullable<Meta['openapi']> }
  const isQuery = procedure._def.type === 'query'
  const prepare = calls[path]!

  const first = await newCaller()
  const given = (await prepare(first)) as Record<string, unknown> | undefined
  const used = new Set<string>()
  const address = openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    return encodeURIComponent(String(given![name]))
  })
  const rest = Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => !used.has(name)))
  const inAddress = openapi.method === 'GET' || openapi.method === 'DELETE'
  const atRest = await app.inject({
    method: openapi.method,
    url: inAddress ? `${address}?${new URLSearchParams(rest as Record<string, string>)}` : address,
    headers: { authorization: `Bearer ${first.token}` },
    ...(inAddress ? {} : { payload: rest }),
  })
  expect([status, otherStatus?.status]).toContain(atRest.statusCode)

  const second = await newCaller()
  const input = await prepare(second)
  const atTrpc = await app.inject({
    method: isQuery ? 'GET' : 'POST',
    url: `/trpc/${path}${isQuery && input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`,
    headers: { authorization: `Bearer ${second.token}` },
    ...(isQuery ? {} : { payload: (input ?? {}) as object }),
  })
  expect(atTrpc.statusCode, atTrpc.body).toBe(200)
  expect(comparable(atTrpc.json().result.data)).toEqual(comparable(atRest.json()))
})

test.each(restProcedures(appRouter))(
  '%s is closed at both doors to a visitor where it needs a member',
  async (path, procedure) => {
    const { openapi } = procedure._def.meta as { openapi: NonNullable<Meta['openapi']> }
    if (openapi.protect === false) return
    const method = procedure._def.type === 'query' ? 'GET' : 'POST'
    const atTrpc = await app.inject({
      method,
      url: `/trpc/${path}`,
      ...(method === 'POST' ? { payload: {} } : {}),
    })
    const atRest = await app.inject({ method: openapi.method, url: openapi.path.replace(/\{\w+\}/g, '1') })
    expect([atTrpc.statusCode, atRest.statusCode]).toEqual([401, 401])
  },
)
