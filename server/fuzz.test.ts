import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { conformanceTo } from '#scripts/testing/conformance.ts'
import { validRequests, invalidRequests } from '#scripts/testing/requests.ts'
import { insertLiveTokens, openSender } from '#scripts/testing/sending.ts'
import { kindNames } from '#shared/media.ts'
import { buildApp } from './app.ts'
import { openApiDocument } from '#server/http/openapi-document.ts'
import { appRouter } from './router.ts'
import { aMember, aServer, aTitle, watchPauses } from './testing.ts'
import { noWeb } from '#server/http/web.ts'

const seed = 20_260_504
/**
 * scripts/bench/fuzz.ts sends more requests, to the real program. Fewer on Postgres: most invalid requests reach no database, and
 * hostile-text.test.ts sends every field's worst texts to both.
 */
const numRuns = inject('postgresUrl') ? 1_000 : 3_000
/** Generous: a machine that is busy with other tests is slow, and a request without a response never gets one. */
const timeoutMs = 30_000

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
const document = openApiDocument(appRouter, server.config.publicUrl)
const faultOf = conformanceTo(document)
let port: number
const sender = openSender({ port: () => port, timeoutMs })

beforeAll(async () => {
  const { db } = server
  const members = [await aMember(db), await aMember(db), await aMember(db)]
  await insertLiveTokens(
    db,
    members.map(({ id }) => id),
  )
  for (const kind of [...kindNames, ...kindNames]) {
    const itemId = await aTitle(db, kind)
    for (const [index, member] of members.entries()) {
      const { review } = await server.as(member).reviews.save({ itemId, rating: index + 2, text: 'Well.' })
      await server.as(members[0]!).reviews.addComment({ id: review.id, text: 'Indeed.' })
    }
  }
  await server.as(members[0]!).social.follow({ userIdToFollow: members[1]!.id })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => {
  sender.close()
  return app.close()
})

/** Warm-up: lazy-loading and compiling code block the event loop only once per process. */
const warmUp = () => sender.send(fc.sample(validRequests(document), { numRuns: 200, seed: 1 }), faultOf)

test(`${numRuns} invalid requests each get a documented response within the timeout, and none blocks the event loop`, async () => {
  const requests = fc.sample(invalidRequests(document, appRouter), { numRuns, seed })
  await warmUp()
  const pauses = watchPauses()
  const { faults, counts } = await sender.send(requests, faultOf)
  const longest = pauses.end()
  expect(faults.slice(0, 10).join('\n\n')).toBe('')
  // All kinds of errors occur, otherwise this proves little.
  expect(Object.keys(counts).map(Number)).toEqual(
    expect.arrayContaining([200, 207, 400, 401, 403, 404, 405, 409, 415, 431]),
  )
  expect(longest.ms).toBeLessThan(longest.maxMs)
}, 300_000)

test('the check detects a blocked event loop', async () => {
  const pauses = watchPauses()
  const until = process.threadCpuUsage().user + 300_000
  while (process.threadCpuUsage().user < until);
  expect(pauses.end().ms).toBeGreaterThan(250)
})

test('valid requests each get a documented response within the timeout', async () => {
  const requests = fc.sample(validRequests(document), { numRuns: numRuns / 5, seed })
  const { faults, counts } = await sender.send(requests, faultOf)
  expect(faults.slice(0, 10).join('\n\n')).toBe('')
  expect(counts[200]).toBeGreaterThan(requests.length / 10)
}, 300_000)

test.each([
  ['a greeting', 'hello\r\n\r\n', 400],
  ['the beginning of TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400],
  ['an unknown method', 'FROB /items HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a space in the path', 'GET /items /1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a control character in a header', 'GET /items HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400],
  [
    'two Content-Length headers',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    400,
  ],
  [
    'Content-Length and chunked encoding',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'an invalid chunk size',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  ['headers of 20 kB', `GET /items HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])(
  '%s is invalid HTTP: the response has the error shape, and the connection is closed',
  async (_name, text, status) => {
    const response = await new Promise<string>((resolve, reject) => {
      let response = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no response')))
      socket.on('data', (chunk) => (response += chunk.toString()))
      socket.on('error', reject)
      socket.on('close', () => resolve(response))
    })
    const [head, body] = response.split('\r\n\r\n', 2)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close`))
    const headers = new Headers({ 'content-type': 'application/json' })
    expect(faultOf({ method: 'GET', url: '/items' }, { status, headers, body: body! })).toBeUndefined()
  },
)
