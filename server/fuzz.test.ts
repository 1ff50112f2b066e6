import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conformanceTo } from '#scripts/testing/conformance.ts'
import { invalidRequests, type Sent, validRequests } from '#scripts/testing/requests.ts'
import { insertLiveTokens, openSender } from '#scripts/testing/sending.ts'
import { kindNames } from '#shared/domain/kinds.ts'
import { buildApp } from './app.ts'
import { openApiDocument } from '#server/http/document/openapi-document.ts'
import { api, appRouter } from './router.ts'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { aMember, aServer, aTitle, watchPauses } from './testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

/** `npm run test:full` sends more requests than `npm test`, with another seed. FUZZ_SEED and FUZZ_COUNT override seed and number. */
const isFull = import.meta.env.MODE === 'full'
const seed = Number(process.env.FUZZ_SEED ?? (isFull ? 20_260_505 : 20_260_504))
const numRuns = Number(process.env.FUZZ_COUNT ?? (isFull ? 10_000 : 500))
/** Requests are generated and sent in batches: all at once would take gigabytes of memory. */
const batchMax = 1_000
/** Generous: a machine that is busy with other tests is slow, and a request without a response never gets one. */
const timeoutMs = 30_000

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
const document = openApiDocument(api)
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

/**
 * Sends random requests. Returns the first faults, the number of responses by status, and the longest time for which the event loop
 * was blocked, as a multiple of its limit.
 */
async function sendAll(requests: () => fc.Arbitrary<Sent>, count: number) {
  const faults: string[] = []
  const counts: Record<string, number> = {}
  let longestPause = 0
  for (let first = 0; first < count; first += batchMax) {
    const batch = await sampleOf(requests, Math.min(batchMax, count - first), seed + first)
    const pauses = watchPauses()
    const found = await sender.send(batch, faultOf)
    const { ms, maxMs } = pauses.end()
    longestPause = Math.max(longestPause, ms / maxMs)
    faults.push(...found.faults)
    for (const [status, times] of Object.entries(found.counts)) counts[status] = (counts[status] ?? 0) + times
  }
  return { faults: faults.slice(0, 10).join('\n\n'), counts, longestPause }
}

/** Warm-up: lazy-loading and compiling code block the event loop only once per process. */
const warmUp = async () => sender.send(await sampleOf(() => validRequests(document), 200, 1), faultOf)

const sampleOf = (requests: () => fc.Arbitrary<Sent>, count: number, from: number) =>
  withoutWatch(() => fc.sample(requests(), { numRuns: count, seed: from }))

test(`${numRuns} invalid requests each get a documented response within the timeout, and none blocks the event loop`, async () => {
  await warmUp()
  const { faults, counts, longestPause } = await sendAll(() => invalidRequests(document, appRouter), numRuns)
  expect(faults).toBe('')
  // All kinds of errors must occur, otherwise this test would prove little.
  expect(Object.keys(counts).map(Number)).toEqual(
    expect.arrayContaining([200, 207, 400, 401, 403, 404, 405, 409, 415, 431]),
  )
  expect(longestPause).toBeLessThan(1)
}, 1_800_000)

test('the check detects a blocked event loop', async () => {
  const pauses = watchPauses()
  await withoutWatch(() => {
    const until = process.threadCpuUsage().user + 300_000
    while (process.threadCpuUsage().user < until);
  })
  expect(pauses.end().ms).toBeGreaterThan(250)
})

test('valid requests each get a documented response within the timeout', async () => {
  const { faults, counts } = await sendAll(() => validRequests(document), numRuns / 5)
  expect(faults).toBe('')
  expect(counts[200]).toBeGreaterThan(numRuns / 50)
}, 1_800_000)

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
    const lines = head!.split('\r\n').slice(1)
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]))
    expect(faultOf({ method: 'GET', url: '/items' }, { status, headers, body: body! })).toBeUndefined()
  },
)
