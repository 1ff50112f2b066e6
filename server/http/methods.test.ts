import { afterAll, describe, expect, test } from 'vitest'
import { checkResponses } from '#scripts/testing/conformance.ts'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { api } from '#server/router.ts'
import { aServer } from '#server/testing.ts'
import { openApiDocument } from '#server/http/document/openapi-document.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
await checkResponses(app)
afterAll(() => app.close())

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const
const paths = Object.entries(openApiDocument(api).paths)

test.each(paths)(
  '%s: other methods are 405 with Allow, and OPTIONS returns the same',
  async (path, operations) => {
    const url = path.replaceAll(/\{\w+\}/g, '1')
    const own = Object.keys(operations).map((method) => method.toUpperCase())
    // One would use up a link, the other would never end.
    const hasHead = own.includes('GET') && path !== '/auth/verify-email' && !path.endsWith('/live')
    const allow = [...own, 'OPTIONS', ...(hasHead ? ['HEAD'] : [])].sort().join(', ')
    const options = await app.inject({ method: 'OPTIONS', url })
    expect([options.statusCode, options.headers.allow]).toEqual([204, allow])
    for (const method of methods.filter((one) => !own.includes(one))) {
      const response = await app.inject({ method: method as 'PUT', url })
      expect([method, response.statusCode, response.headers.allow]).toEqual([method, 405, allow])
      expect(response.json()).toEqual({ code: 'METHOD_NOT_SUPPORTED', message: messages.methodNotSupported })
    }
  },
)

describe('a wrong method', () => {
  test('is 405 whatever the body', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const payload of ['{', '"text"', 'x'.repeat(1_200_000)]) {
      const response = await app.inject({ method: 'PUT', url: '/reviews', headers, payload })
      expect(response.statusCode).toBe(405)
    }
  })

  test('of a path beside one with a parameter is refused by the more specific path', async () => {
    const response = await app.inject({ method: 'DELETE', url: '/reviews/mine' })
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('of the pages of the documentation is 405 too', async () => {
    for (const url of ['/docs', '/docs/changelog', '/openapi.json']) {
      const response = await app.inject({ method: 'POST', url })
      expect([url, response.statusCode, response.headers.allow]).toEqual([url, 405, 'GET, HEAD, OPTIONS'])
    }
  })

  test('of an unknown path is still 404', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await app.inject({ method, url: '/nowhere/at/all' })).statusCode).toBe(404)
  })

  test('of a HEAD for a verification link is 405, since following it would use it up', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/auth/verify-email?token=x' })
    expect([response.statusCode, response.headers.allow, response.body]).toEqual([405, 'GET, OPTIONS', ''])
  })
})

test('errors before routing have a request id and CORS headers', async () => {
  const response = await app.inject({ url: `/users/%zz`, headers: { origin: 'https://reader.example' } })
  expect(response.statusCode).toBe(400)
  expect(response.headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('x-request-id'),
  })
})
