import { afterAll, expect, test } from 'vitest'
import { prepareCalls, roleOf } from '#scripts/testing/calls.ts'
import { buildApp } from '#server/app.ts'
import { type RestMeta, restProcedures } from '#server/calls/described.ts'
import { appRouter } from '#server/router.ts'
import { aServer, browserCookie } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

/** Calls every procedure through both transports, on both databases: the same input returns the same result. */
const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
afterAll(() => app.close())

const { calls, newCaller } = await prepareCalls(server)

/** Fields that differ between two members or two points in time: only their type is compared. */
const varying =
  /^(id|userId|email|username|token|secret|at|.*At|imageUrl|userAgent|followersCount|total|commentCount|likeCount|nextCursor|follows|caseId|decisionId|appealUntil|link|copiedFrom|code|invitedBy|members|version|nonce|salt|keyPrefix|keySignature|signature|databaseBytes|waiting|challenge|credentialId|displayName|batch|batchId)$/
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'string')
    return value
      .replace(/(?<=[?&]invite=)[^&]+/, '…')
      .replace(/(?<=\/calendar\/)[\w-]{43}/, '…')
      .replace(/(?<=[?&]step=)[^&]+/, '…')
      .replace(/^otpauth:.*/, 'otpauth:…')
      .replace(/^\S+@\S+$/, '…@…')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isVarying = varying.test(key) && typeof field !== 'object'
      if (key === 'recoveryCodes' && Array.isArray(field)) return [key, field.map((code) => typeof code)]
      return [key, isVarying ? typeof field : comparable(field)]
    }),
  )
}

test.each(restProcedures(appRouter))(
  '%s returns the same through both transports',
  async (path, procedure) => {
    const { openapi, status = 200, otherStatus } = procedure._def.meta as RestMeta
    const isQuery = procedure._def.type === 'query'
    const prepare = calls[path]!

    const first = await newCaller(roleOf(procedure))
    const given = (await prepare(first)) as Record<string, unknown> | undefined
    const used = new Set<string>()
    const url = openapi.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      used.add(name)
      return encodeURIComponent(String(given![name]))
    })
    const rest = Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => !used.has(name)))
    const hasNoBody = openapi.method === 'GET' || openapi.method === 'DELETE'
    const restResponse = await app.inject({
      method: openapi.method,
      url: hasNoBody ? `${url}?${new URLSearchParams(rest as Record<string, string>)}` : url,
      headers: { authorization: `Bearer ${first.token}`, cookie: browserCookie },
      ...(hasNoBody ? {} : { payload: rest }),
    })
    expect([status, otherStatus?.status]).toContain(restResponse.statusCode)

    const second = await newCaller(roleOf(procedure))
    const input = await prepare(second)
    const trpcResponse = await app.inject({
      method: isQuery ? 'GET' : 'POST',
      url: `/trpc/${path}${isQuery && input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`,
      headers: { authorization: `Bearer ${second.token}`, cookie: browserCookie },
      ...(isQuery ? {} : { payload: (input ?? {}) as object }),
    })
    expect(trpcResponse.statusCode, trpcResponse.body).toBe(200)
    expect(comparable(trpcResponse.json().result.data)).toEqual(comparable(restResponse.json()))
  },
)

test.each(restProcedures(appRouter))(
  '%s is 401 for visitors through both transports if it requires a member',
  async (path, procedure) => {
    const { openapi, requiresMember } = procedure._def.meta as RestMeta
    if (!requiresMember) return
    const method = procedure._def.type === 'query' ? 'GET' : 'POST'
    const trpcResponse = await app.inject({
      method,
      url: `/trpc/${path}`,
      ...(method === 'POST' ? { payload: {} } : {}),
    })
    const restResponse = await app.inject({
      method: openapi.method,
      url: openapi.path.replace(/\{\w+\}/g, '1'),
    })
    expect([trpcResponse.statusCode, restResponse.statusCode]).toEqual([401, 401])
  },
)
