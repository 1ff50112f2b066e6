import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { AnyProcedure } from '@trpc/server'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load } from '#scripts/bench/send-load.ts'
import { roleOf } from '#scripts/testing/calls.ts'
import { blockedMs, slowness } from '#scripts/testing/event-loop.ts'
import { bufferedBytes } from '#scripts/testing/processes.ts'
import { liveTokens } from '#scripts/testing/requests.ts'
import { insertLiveTokens } from '#scripts/testing/sending.ts'
import { bodyBytesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { type Role, roles } from '#shared/domain/roles.ts'
import { buildApp } from '#server/app.ts'
import { appRouter } from '#server/router.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import type { Meta } from '#server/calls/procedures.ts'
import { bodyLimitOf } from '#server/http/limits/body-limits.ts'
import { jsonSchemaOf, type RestMeta, restProcedures } from '#server/calls/described.ts'
import { noWeb } from '#server/http/pages/web.ts'

/**
 * Sends large, deep, wide, slow and concurrent bodies to every route, with and without a token. The list of routes comes from Fastify
 * and the routers, so new ones are included.
 */
const server = await aServer({ RATE_LIMITS: 'off' })
const routes: RouteOptions[] = []
const web = {
  ...noWeb,
  async register(app: FastifyInstance) {
    app.addHook('onRoute', (route) => void routes.push(route))
  },
}
const app = await buildApp(server.services, { web })
const agent = new Agent({ keepAlive: true, maxSockets: 20 })
let port: number
beforeAll(async () => {
  const members = await Promise.all(roles.map(() => aMember(server.db)))
  for (const [index, role] of roles.entries())
    await server.db.updateTable('users').set({ role }).where('id', '=', members[index]!.id).execute()
  await insertLiveTokens(
    server.db,
    members.map(({ id }) => id),
  )
  await aTitle(server.db)
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => {
  agent.destroy()
  return app.close()
})

const urlOf = (path: string) =>
  path.replaceAll(/:file\([^)]*\)/g, 'a-1.webp').replaceAll(/:\w+(\([^)]*\))?|\{\w+\}|\*/g, '1')
const bodyMethods = ['POST', 'PUT', 'PATCH', 'DELETE']
/** The routes whose bodies are forms with a file. They read no other bodies. */
const uploadUrls = ['/upload', '/imports']

type Target = { method: string; url: string; path?: string; procedure?: AnyProcedure; isUpload?: boolean }
const mutations = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>).filter(
  ([, procedure]) => procedure._def.type === 'mutation',
)
const calls: Target[] = [
  ...mutations.map(([path, procedure]) => ({ method: 'POST', url: `/trpc/${path}`, path, procedure })),
  ...restProcedures(appRouter).flatMap(([path, procedure]) => {
    const { openapi, aliases = [] } = procedure._def.meta as RestMeta
    if (!bodyMethods.includes(openapi.method)) return []
    return [openapi, ...aliases].map((one) => ({ ...openapi, url: urlOf(one.path), path, procedure }))
  }),
]
const isCall = ({ method, url }: Target) => calls.some((one) => one.method === method && one.url === url)
/** All routes that could read a body: the calls, the uploads, and those that refuse the method. */
const targets: Target[] = [
  ...calls,
  ...routes
    .flatMap(({ method, url }) => [method].flat().map((one) => ({ method: one, url: urlOf(url) })))
    .filter((one) => bodyMethods.includes(one.method) && !isCall(one))
    .filter(({ method, url }) => !(method === 'POST' && url === '/trpc/1'))
    .map((one) => ({ ...one, isUpload: one.method === 'POST' && uploadUrls.includes(one.url) })),
]
const requiresMember = ({ procedure }: Target) => (procedure?._def.meta as Meta | undefined)?.requiresMember
/** The tokens are distributed among the members, of whom each has another role. */
const tokenOf = (role: Role) => liveTokens[roles.indexOf(role)]!
const requiredRole = ({ procedure }: Target) => (procedure ? roleOf(procedure) : 'member')
const limitOf = ({ path, procedure }: Target) => bodyLimitOf(path!, jsonSchemaOf(procedure!))

/** Returns the statuses with which a target may respond to a body that it does not accept. */
function expected(target: Target, token: string | undefined, refusal: number): number[] {
  // Uploads read only forms, and only imports require a member.
  if (target.isUpload) return [target.url === '/imports' && !token ? 401 : 415]
  // Reads a form of any type, whose content does not matter.
  if (target.method === 'POST' && target.url === '/unsubscribe') return [413]
  // Reads only the forms that providers of logins send.
  if (target.method === 'POST' && target.url === '/auth/oidc/1/logout') return [415]
  if (!target.procedure) return [405]
  return [requiresMember(target) && !token ? 401 : refusal]
}

type Sent = {
  token?: string | undefined
  body: string | Buffer
  length?: number | undefined
  isEnded?: boolean
  via?: Agent
}
/** Sends a body, or the beginning of one of `length` bytes. Returns the status and the body of the response. */
function send({ method, url }: Target, { token, body, length, isEnded = true, via = agent }: Sent) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
    }
    const outgoing = httpRequest({ agent: via, host: '127.0.0.1', port, method, path: url, headers })
    outgoing.on('error', reject).on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode!, body: text })
        if (!isEnded) outgoing.destroy()
      })
    })
    if (isEnded) outgoing.end(body)
    else outgoing.write(body)
  })
}

/** Sends a body to each target, as a visitor and as a member of the required role. Returns the faults of the responses. */
async function faultsOf(
  all: Target[],
  refusal: number,
  sentTo: (target: Target) => Omit<Sent, 'token'>,
  senders: ('visitor' | 'member')[] = ['visitor', 'member'],
): Promise<string[]> {
  const work = all.flatMap((target) =>
    senders.map((sender) => ({
      target,
      token: sender === 'member' ? tokenOf(requiredRole(target)) : undefined,
    })),
  )
  const faults = await Promise.all(
    work.map(async ({ target, token }) => {
      const statuses = expected(target, token, refusal)
      const { status, body } = await send(target, { token, ...sentTo(target) })
      const where = `${target.method} ${target.url} ${token ? 'with' : 'without'} a token`
      return statuses.includes(status)
        ? []
        : [`${where}: ${status} instead of ${statuses.join(' or ')}: ${body}`]
    }),
  )
  return faults.flat()
}

describe('every route refuses', () => {
  test('the routes are found', () => {
    expect(calls.length).toBeGreaterThan(90)
    expect(targets.filter(({ isUpload }) => isUpload)).toHaveLength(uploadUrls.length)
    expect(targets.some(({ procedure, isUpload }) => !procedure && !isUpload)).toBe(true)
  })

  test('a large body before it arrives', async () => {
    const body = Buffer.alloc(1_000, ' ')
    const beginning = () => ({ body, length: bodyBytesMax + 1, isEnded: false })
    expect(await faultsOf(targets, 413, beginning)).toEqual([])
  })

  test('a body without a length once it is longer than the limit', async () => {
    const tooLong = (target: Target) => ({ body: Buffer.alloc(limitOf(target).bytes + 1, ' ') })
    expect(await faultsOf(calls, 413, tooLong, ['member'])).toEqual([])
  })

  test.each([
    ['a deep body', '['.repeat(2_000)],
    ['a deep object', '{"text":'.repeat(400)],
    ['a wide body', `[${'1,'.repeat(1_500)}1]`],
    ['a wide object', `{${Array.from({ length: 400 }, (_, at) => `"k${at}":{}`).join()}}`],
  ])('%s', async (_what, body) => {
    expect(body.length).toBeLessThan(4_096)
    const wide = (target: Target) =>
      target.procedure && limitOf(target).members > 400
        ? { body: '['.repeat(2_000), length: 2_000 }
        : { body, length: body.length }
    expect(await faultsOf(targets, 413, wide)).toEqual([])
  })

  test('a member without the required role before the body arrives', async () => {
    const forbidden = calls.filter((target) => requiredRole(target) !== 'member')
    expect(forbidden.length).toBeGreaterThan(20)
    const body = Buffer.alloc(1_000, ' ')
    for (const target of forbidden)
      for (const role of roles.slice(0, roles.indexOf(requiredRole(target)))) {
        const { status } = await send(target, {
          token: tokenOf(role),
          body,
          length: bodyBytesMax,
          isEnded: false,
        })
        expect([target.method, target.url, role, status]).toEqual([target.method, target.url, role, 403])
      }
  })

  test.each([
    ['invalid JSON', Buffer.from('{"rating":')],
    ['invalid UTF-8', Buffer.from('"caf\xe9"', 'latin1')],
  ])('a visitor whose body is %s because of the missing login', async (_what, body) => {
    const member = targets.filter(requiresMember)
    expect(await faultsOf(member, 401, () => ({ body, length: body.length }), ['visitor'])).toEqual([])
  })

  test('a visitor whose body does not arrive, within seconds', async () => {
    const many = new Agent({ maxSockets: Infinity })
    const beginning = () => ({ body: '{', length: 100, isEnded: false, via: many })
    expect(await faultsOf(targets.filter(requiresMember), 401, beginning, ['visitor'])).toEqual([])
    many.destroy()
  })
})

describe('a rate limit', () => {
  const byLimit = new Map(
    calls.map((target) => [
      (target.procedure!._def.meta as Meta).limit ?? (requiresMember(target) ? 'write' : ''),
      target,
    ]),
  )
  test.each([...byLimit.keys()].filter(Boolean))('“%s” refuses a call before its body', async (name) => {
    const limited = await buildApp(
      { ...server.services, config: { ...server.config, hasRateLimits: true } },
      { web: noWeb },
    )
    const same = calls.filter((target) => {
      const { limit, requiresMember } = target.procedure!._def.meta as Meta
      return name === 'write' ? requiresMember && !limit : limit === name
    })
    const statuses: number[] = []
    for (let at = 0; at < 130 && statuses.at(-1) !== 429; at++) {
      const { method, url } = same[at % same.length]!
      const { statusCode } = await limited.inject({
        method: method as 'POST',
        url,
        payload: '{'.repeat(2_000),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenOf('admin')}` },
      })
      statuses.push(statusCode)
    }
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([413]))
    expect(statuses.at(-1)).toBe(429)
    await limited.close()
  })
})

describe('a batch', () => {
  const post = (paths: string, payload: string, token?: string) =>
    app.inject({
      method: 'POST',
      url: `/trpc/${paths}?batch=1`,
      payload,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    })
  const codesOf = (response: { json: () => unknown }) =>
    (response.json() as { error?: { data: { code: string } } }[]).map(({ error }) => error?.data.code)

  test('is answered without its body if all calls are refused', async () => {
    const response = await post('reviews.save,nothing.here,diary.create', '{'.repeat(900_000))
    expect([response.statusCode, codesOf(response)]).toEqual([
      207,
      ['UNAUTHORIZED', 'NOT_FOUND', 'UNAUTHORIZED'],
    ])
  })

  test('runs the calls that are not refused', async () => {
    const inputs = { 0: { movieId: 1, rating: 3 }, 1: { email: 'nobody@example.org' } }
    const response = await post('reviews.save,accounts.forgotPassword', JSON.stringify(inputs))
    expect([response.statusCode, codesOf(response)]).toEqual([207, ['UNAUTHORIZED', undefined]])
  })

  test('may be as long as its calls together', async () => {
    const text = 'x'.repeat(30_000)
    const body = JSON.stringify({ 0: { id: 1, text }, 1: { id: 1, text } })
    expect(codesOf(await post('reviews.addComment,reviews.addComment', body, tokenOf('member')))).toEqual([
      'BAD_REQUEST',
      'BAD_REQUEST',
    ])
    const one = await post('reviews.addComment', body, tokenOf('member'))
    expect([one.statusCode, one.json().error]).toMatchObject([
      413,
      { message: messages.bodyTooLarge, data: { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413 } },
    ])
  })

  test.each(['['.repeat(2_000), `[${'1,'.repeat(2_000)}1]`])(
    'of queries is refused if its input is too complex',
    async (input) => {
      const response = await app.inject(`/trpc/movies.byId,books.popular?batch=1&input=${input}`)
      expect([response.statusCode, codesOf(response)]).toEqual([
        413,
        ['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE'],
      ])
    },
  )
})

describe('a client', () => {
  const head = (rest: string) =>
    `POST /reviews HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}\r\n\r\n`
  const chunked = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n0\r\n\r\n`

  test.each(
    [60_000, 1_000_000].flatMap(
      (bytes) =>
        [
          [bytes, 'a length', `Content-Length: ${bytes}`, ' '.repeat(bytes)],
          [
            bytes,
            'a length and Connection: close',
            `Content-Length: ${bytes}\r\nConnection: close`,
            ' '.repeat(bytes),
          ],
          [bytes, 'chunks', 'Transfer-Encoding: chunked', chunked(bytes)],
        ] as const,
    ),
  )(
    'that sends %i bytes with %s before it reads gets the refusal, once',
    async (_bytes, _how, header, body) => {
      for (let round = 0; round < 5; round++) {
        const socket = connect(port, '127.0.0.1').pause()
        const requested = once(app.server, 'request')
        socket.write(head(header))
        // The refusal is known before the body is sent.
        await requested
        await new Promise((resolve) => socket.write(body, resolve))
        socket.end()
        let received = ''
        socket.on('data', (chunk) => (received += chunk.toString())).resume()
        await once(socket, 'close')
        expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
        expect(received).toContain(messages.pleaseLogIn)
      }
    },
  )

  test('keeps its connection after a small body was refused', async () => {
    const one = new Agent({ keepAlive: true, maxSockets: 1 })
    let connections = 0
    const count = () => connections++
    app.server.on('connection', count)
    const [target] = calls.filter(requiresMember)
    for (let round = 0; round < 10; round++) {
      const body = ' '.repeat(50_000)
      expect((await send(target!, { body, length: body.length, via: one })).status).toBe(401)
    }
    app.server.off('connection', count)
    expect(connections).toBe(1)
    one.destroy()
  })
})

describe('refused requests', () => {
  const headers = { 'content-type': 'application/json' }
  const megabyte = `{"x":[1${',{}'.repeat(333_000)}]}`
  const paths = ['/auth/forgot-password', '/reviews', '/trpc/reviews.save,diary.create?batch=1', '/nowhere']
  const attack = paths.map((path) => ({ method: 'POST' as const, path, headers, body: megabyte }))
  const attackFor = (seconds: number) =>
    load({ url: `http://127.0.0.1:${port}`, calls: attack, seconds, rate: 60 })

  /** Returns the milliseconds of CPU time per request, without the start of the load. */
  async function cpuMsPerRequest(): Promise<number> {
    const [short, long] = [await attackFor(0.5), await attackFor(1.5)]
    for (const { unanswered, statuses } of [short, long])
      expect([unanswered, Object.keys(statuses).sort()]).toEqual([0, ['401', '404', '413']])
    const cpuMs = (one: typeof long) => one.cpuMs * one.responses
    return (cpuMs(long) - cpuMs(short)) / (long.responses - short.responses)
  }

  test('of a megabyte take about a millisecond of CPU time', async () => {
    let cpuMs = Infinity
    // About one on an idle machine, three on a busy one, whose processor caches are used by other programs. Parsing the body would
    // take over thirty.
    const idleMaxMs = 3
    let maxMs = idleMaxMs
    // Repeated to rule out other programs.
    for (let run = 0; cpuMs >= maxMs && run < 3; run++) {
      cpuMs = Math.min(cpuMs, await cpuMsPerRequest())
      maxMs = Math.max(maxMs, idleMaxMs * slowness())
    }
    expect(cpuMs).toBeLessThan(maxMs)
  })

  test('neither delay other visitors nor fill the memory', async () => {
    const visit = async () => {
      const startedAt = performance.now()
      await app.inject('/movies/popular')
      return performance.now() - startedAt
    }
    const [held, rss] = [bufferedBytes(), process.memoryUsage().rss]
    const started = once(app.server, 'request')
    const attacked = attackFor(2)
    await started
    const latencies: number[] = []
    const sending = { isOver: false }
    void attacked.finally(() => (sending.isOver = true))
    const longestMs = await blockedMs(async () => {
      while (!sending.isOver) {
        latencies.push(await visit())
        await wait(10)
      }
    })
    const p95 = latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.95)]
    expect(longestMs).toBeLessThan(50 * slowness())
    expect(p95).toBeLessThan(250 * slowness())
    expect(bufferedBytes() - held).toBeLessThan(32_000_000)
    expect(process.memoryUsage().rss - rss).toBeLessThan(100_000_000)
  })

  test('that come at once hold less than 192 KB each until they are closed', async () => {
    const many = new Agent({ maxSockets: Infinity })
    const held = bufferedBytes()
    const body = Buffer.alloc(512 * 1024, ' ')
    const target = calls.find(requiresMember)!
    const sent = { body, length: 1_000_000, isEnded: false, via: many }
    const responses = await Promise.all(Array.from({ length: 200 }, () => send(target, sent)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
    expect(bufferedBytes() - held).toBeLessThan(200 * 192 * 1024)
    many.destroy()
  })
})
