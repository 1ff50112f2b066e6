import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conformanceTo } from '#scripts/testing/conformance.ts'
import { liveTokens, rightRequests, type Sent, wrongRequests } from '#scripts/testing/requests.ts'
import { hashToken } from '#server/accounts/rules.ts'
import { kindNames } from '#shared/media.ts'
import { buildApp } from './app.ts'
import { openApiDocument } from './openapi.ts'
import { appRouter } from './router.ts'
import { aMember, aServer, aTitle } from './testing.ts'
import { noWeb } from './web.ts'

/** Another seed, or more requests, can find more: `FUZZ_SEED=7 FUZZ_RUNS=40000`. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_504)
const numRuns = Number(process.env.FUZZ_RUNS ?? 5_000)
const atOnce = 8
const patienceMs = 5_000

const server = await aServer({ RATE_LIMITS: 'off' })
const app = await buildApp(server.services, { web: noWeb })
const document = openApiDocument(appRouter, server.config.publicUrl)
const faultOf = conformanceTo(document)
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
let port: number

beforeAll(async () => {
  const { db } = server
  const members = [await aMember(db), await aMember(db), await aMember(db)]
  const now = new Date().toISOString()
  const sessions = liveTokens.map((token, index) => ({
    token_hash: hashToken(token),
    user_id: members[index % members.length]!.id,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(Date.now() + 1e8).toISOString(),
    user_agent: null,
  }))
  await db.insertInto('sessions').values(sessions).execute()
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
  agent.destroy()
  return app.close()
})

function send({
  method,
  url,
  headers,
  body,
}: Sent): Promise<{ status: number; headers: Headers; body: string }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request({ agent, port, method, path: url, headers: { ...headers, ...length } })
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer in ${patienceMs} ms`)), patienceMs)
    outgoing.on('error', reject)
    outgoing.on('close', () => clearTimeout(timer))
    outgoing.on('response', (incoming: IncomingMessage) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode!,
          headers: new Headers(incoming.headers as Record<string, string>),
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    outgoing.end(body)
  })
}

/** Sends them all, a few at once; answers what was wrong with whatever came back, and how often each status came. */
async function faultsOf(requests: Sent[]) {
  const faults: string[] = []
  const counts: Record<number, number> = {}
  const queue = requests.values()
  const work = async () => {
    for (const sent of queue) {
      const asked = { ...sent, accept: sent.headers.accept as string | undefined }
      const fault = await send(sent).then(
        (answer) => {
          counts[answer.status] = (counts[answer.status] ?? 0) + 1
          const wrong = answer.status === 500 ? 'a failure of the server' : faultOf(asked, answer)
          return wrong && `${wrong}: ${answer.status} ${answer.body.slice(0, 300)}`
        },
        (error: Error) => error.message,
      )
      if (fault)
        faults.push(`${fault}\n${JSON.stringify({ ...sent, body: String(sent.body) }).slice(0, 1_000)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { faults: faults.slice(0, 10).join('\n\n'), counts }
}

test(`${numRuns} wrong requests are each answered in time, and as the document has it`, async () => {
  const { faults, counts } = await faultsOf(fc.sample(wrongRequests(document), { numRuns, seed }))
  expect(faults).toBe('')
  // Wrong in every way there is, or this proves little.
  expect(Object.keys(counts).map(Number)).toEqual(expect.arrayContaining([400, 401, 403, 404, 409, 415, 431]))
}, 300_000)

test('a pause of the event loop is seen', async () => {
  const pauses = watchPauses()
  const until = process.threadCpuUsage().user + 300_000
  while (process.threadCpuUsage().user < until);
  expect(pauses.end().ms).toBeGreaterThan(250)
})

test('requests that look right are each answered in time, and as the document has it', async () => {
  const requests = fc.sample(rightRequests(document), { numRuns: numRuns / 5, seed })
  const { faults, counts } = await faultsOf(requests)
  expect(faults).toBe('')
  expect(counts[200]).toBeGreaterThan(requests.length / 10)
}, 300_000)

test.each([
  ['a greeting', 'hello\r\n\r\n', 400],
  ['the beginning of TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400],
  ['a method that nobody knows', 'FROB /items HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a blank in the path', 'GET /items /1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a control character in a header', 'GET /items HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400],
  [
    'two lengths',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    400,
  ],
  [
    'a length beside chunks',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'a chunk of no size',
    'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  ['headers of 20 kB', `GET /items HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('%s is no HTTP, is told so in the error shape, and the connection ends', async (_name, text, status) => {
  const answer = await new Promise<string>((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
  const [head, body] = answer.split('\r\n\r\n', 2)
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close`))
  const headers = new Headers({ 'content-type': 'application/json' })
  expect(faultOf({ method: 'GET', url: '/items' }, { status, headers, body: body! })).toBeUndefined()
})
