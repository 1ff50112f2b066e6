import { TRPCError } from '@trpc/server'
import { Agent } from 'undici'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { passTimeByTurns } from '#scripts/testing/time.ts'
import {
  abortMidBody,
  delayed,
  drop,
  endlessBody,
  type Fake,
  hang,
  html,
  json,
  redirect,
  type Reply,
  startFake,
  tooManyRequests,
  truncatedJson,
} from './fakes.ts'
import { type HostCall, type HostClient, type HostOptions, isUnreachable, openFetcher } from './fetcher.ts'

passTimeByTurns()

const secondMs = 1_000
const logged: string[] = []
const log = {
  info: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
  warn: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
}

const echo = ({ path, query }: { path: string; query: URLSearchParams }) => json({ path, q: query.get('q') })

/** Accepts every response unchanged. */
const unparsed = (host: HostClient) => async (call: HostCall) => host(call, (response) => response)

async function aHost(
  options: Partial<HostOptions> = {},
  respond: (request: Fake['requests'][number]) => Reply = echo,
) {
  const fake = await startFake(respond, { path: '/api' })
  onTestFinished(fake.close)
  const fetcher = openFetcher({ log, userAgent: 'Medley/0 (+http://medley.test; ops@medley.test)' })
  const host = unparsed(
    fetcher({ name: 'there', baseUrl: fake.url, perSecond: 1000, concurrency: 5, ...options }),
  )
  return { fake, host }
}

const search = (path = '/found', more: Partial<HostCall> = {}): HostCall => ({
  path,
  priority: 'search',
  ...more,
})
const sync = (path: string): HostCall => ({ path, priority: 'sync' })
const lookUp = (path: string): HostCall => ({ path, priority: 'import' })

async function failureOf(host: ReturnType<typeof unparsed>, call: HostCall = search()): Promise<TRPCError> {
  const error: unknown = await host(call).then(
    () => undefined,
    (error) => error,
  )
  expect(error).toBeInstanceOf(TRPCError)
  return error as TRPCError
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * secondMs))

test('every call sends a user agent with a contact address, and the headers of the host', async () => {
  const { fake, host } = await aHost({ headers: { 'client-id': 'us' } })
  expect(await host(search('/found', { query: { q: 'a b&c' } }))).toMatchObject({
    status: 200,
    body: { path: '/found', q: 'a b&c' },
  })
  expect(fake.requests[0]!.headers).toMatchObject({
    'user-agent': 'Medley/0 (+http://medley.test; ops@medley.test)',
    'client-id': 'us',
    accept: 'application/json',
  })
})

test.for([
  ['an HTML page', html(200), 'BAD_GATEWAY'],
  ['truncated JSON', truncatedJson, 'BAD_GATEWAY'],
  ['a connection that closes mid-body', abortMidBody, 'BAD_GATEWAY'],
  ['a body of more than 2 MB', endlessBody, 'BAD_GATEWAY'],
  ['an empty 204', ((response) => void response.writeHead(204).end()) as Reply, 'BAD_GATEWAY'],
  ['HTML with status 403', html(403), 'BAD_GATEWAY'],
  ['HTML with status 404', html(404), 'BAD_GATEWAY'],
  [
    'something other than HTTP',
    ((response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n')) as Reply,
    'BAD_GATEWAY',
  ],
  ['status 500', html(500), 'SERVICE_UNAVAILABLE'],
  ['status 503 from a gateway', html(503), 'SERVICE_UNAVAILABLE'],
] as const)('%s throws, and the next call succeeds', async ([, reply, code]) => {
  const { fake, host } = await aHost()
  fake.replyOnce(reply)
  expect((await failureOf(host)).code).toBe(code)
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('a call to a host that does not respond times out after 5 seconds', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(hang)
  const began = Date.now()
  const error = await failureOf(host)
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there timed out.' })
  expect(Date.now() - began).toBeLessThan(9 * secondMs)
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('a call that never gets a connection times out after 5 seconds', async () => {
  const { host } = await aHost()
  const request = vi.spyOn(Agent.prototype, 'request').mockReturnValue(new Promise(() => {}))
  onTestFinished(() => request.mockRestore())
  for (const call of [search(), sync('/found'), lookUp('/found')])
    expect(await failureOf(host, call)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'there timed out.',
    })
})

test('a body that does not end times out after 5 seconds', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce((response) => void response.writeHead(200, { 'content-length': '10' }).write('{'))
  expect(await failureOf(host)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('the timeout includes the wait in the queue', async () => {
  const { fake, host } = await aHost({ concurrency: 1 })
  fake.replyAlways(hang)
  const began = Date.now()
  await Promise.all([failureOf(host, search('/1')), failureOf(host, search('/2'))])
  expect(Date.now() - began).toBeLessThan(9 * secondMs)
  expect(fake.requests).toHaveLength(1)
})

test('calls that the rate limit would delay beyond their timeout fail fast', async () => {
  const { fake, host } = await aHost({ concurrency: 1, perSecond: 1 })
  const calls = Array.from({ length: 20 }, (_, index) =>
    host(search(`/${index}`)).catch((error: unknown) => error),
  )
  const began = Date.now()
  expect(await calls[19]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there is rate limited.' })
  expect(Date.now() - began).toBeLessThan(3 * secondMs)
  await Promise.all(calls)
  expect(fake.requests.length).toBeLessThan(7)
})

test('no more calls start within a second than the rate limit of the host', async () => {
  const { fake, host } = await aHost({ perSecond: 3 })
  const began = Date.now()
  await Promise.all(Array.from({ length: 9 }, (_, index) => host(search(`/${index}`))))
  expect(fake.requests).toHaveLength(9)
  expect(Date.now() - began).toBeGreaterThanOrEqual(2 * secondMs - 10)
})

test('no more calls are open at the same time than the concurrency limit of the host', async () => {
  const { fake, host } = await aHost({ concurrency: 2 }, () => delayed(20, json({})))
  await Promise.all(Array.from({ length: 8 }, (_, index) => host(search(`/${index}`))))
  expect(fake.maxConcurrent()).toBe(2)
})

test('a search overtakes all queued syncs', async () => {
  const { fake, host } = await aHost({ perSecond: 2 })
  const syncs = Array.from({ length: 4 }, (_, index) => host(sync(`/sync/${index}`)))
  await host(search('/search'))
  expect(fake.requests.map(({ path }) => path).indexOf('/search')).toBeLessThanOrEqual(2)
  await Promise.all(syncs)
})

test('the bulkhead of syncs leaves a connection for searches while syncs hang', async () => {
  const { host } = await aHost({ concurrency: 3 }, ({ path }) => (path.startsWith('/sync') ? hang : json({})))
  const syncs = Array.from({ length: 6 }, (_, index) => failureOf(host, sync(`/sync/${index}`)))
  const began = Date.now()
  await host(search())
  expect(Date.now() - began).toBeLessThan(4.5 * secondMs)
  await Promise.all(syncs)
})

test('calls of imports are sent one by one at their own rate, and wait for it longer than other calls', async () => {
  const { fake, host } = await aHost({ importsPerSecond: 2 }, () => delayed(5, json({})))
  const responses = await Promise.all(Array.from({ length: 14 }, (_, index) => host(lookUp(`/${index}`))))
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 14 }, () => 200))
  expect(fake.maxConcurrent()).toBe(1)
  const times = fake.requests.map(({ at }) => at)
  // A request can arrive a little late, and the next one on time.
  const isWithinRate = times.every((at, index) => index < 2 || at - times[index - 2]! >= 0.8 * secondMs)
  expect(isWithinRate).toBe(true)
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(6 * secondMs - 10)
})

test('calls of imports take nothing from the rate limit and the concurrency limit of searches', async () => {
  const { fake, host } = await aHost({ concurrency: 1, perSecond: 2 }, ({ path }) =>
    path.startsWith('/import') ? hang : json({}),
  )
  const imports = [failureOf(host, lookUp('/import/1')), failureOf(host, lookUp('/import/2'))]
  await expect.poll(() => fake.requests.length).toBe(1)
  await Promise.all([host(search('/1')), host(search('/2'))])
  const [first, ...searches] = fake.requests
  expect(searches.map(({ path }) => path)).toEqual(['/1', '/2'])
  expect(searches.at(-1)!.at - first!.at).toBeLessThan(secondMs)
  for (const error of await Promise.all(imports)) expect(error.message).toBe('there timed out.')
  expect(fake.requests).toHaveLength(4)
})

test('a search neither waits for the same call of an import nor loses its cached response', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(hang)
  const imported = failureOf(host, lookUp('/found'))
  await expect.poll(() => fake.requests.length).toBe(1)
  expect(await host(search('/found'))).toMatchObject({ status: 200 })
  await imported
  await host(lookUp('/found'))
  await host(search('/found'))
  expect(fake.requests).toHaveLength(3)
})

test('a Retry-After applies to calls of imports too, whichever call received it', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(tooManyRequests('7'))
  await failureOf(host, search())
  expect(await host(lookUp('/1'))).toMatchObject({ status: 200 })
  expect(fake.requests[1]!.at - fake.requests[0]!.at).toBeGreaterThanOrEqual(7 * secondMs - 10)
  fake.replyOnce(tooManyRequests('2'))
  await failureOf(host, lookUp('/2'))
  await host(search('/2'))
  expect(fake.requests[3]!.at - fake.requests[2]!.at).toBeGreaterThanOrEqual(2 * secondMs - 10)
})

test('an error of a host that asks to wait contains how long', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(json({}, 503, { 'retry-after': '2' }))
  expect(await failureOf(host, lookUp('/1'))).toMatchObject({ cause: { retryAfterMs: 2 * secondMs } })
  fake.replyOnce(tooManyRequests('600'))
  expect(await failureOf(host, lookUp('/2'))).toMatchObject({ cause: { retryAfterMs: 600 * secondMs } })
  const refused = await failureOf(host, lookUp('/3'))
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there is rate limited.' })
  const { retryAfterMs } = refused.cause as unknown as { retryAfterMs: number }
  expect(retryAfterMs).toBeGreaterThan(0)
  expect(retryAfterMs).toBeLessThanOrEqual(600 * secondMs)
  expect(fake.requests).toHaveLength(2)
})

test('a call of an import fails if its turn does not come within 3 minutes', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(tooManyRequests('176'))
  await failureOf(host, lookUp('/1'))
  const waiting = failureOf(host, lookUp('/2'))
  vi.advanceTimersByTime(176_000)
  expect(await waiting).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there is rate limited.' })
  expect(fake.requests).toHaveLength(1)
})

test.for([
  ['a Retry-After of 3', tooManyRequests('3'), 3],
  ['a Retry-After of 0', tooManyRequests('0'), 1],
  ['no Retry-After', tooManyRequests(), 1],
  ['an invalid Retry-After', tooManyRequests('soon'), 1],
  ['status 503 with a Retry-After', json({}, 503, { 'retry-after': '2' }), 2],
] as const)(
  'after %s no request is sent until then, and the same call then succeeds',
  async ([, reply, seconds]) => {
    const { fake, host } = await aHost()
    fake.replyOnce(reply)
    expect(await failureOf(host)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(fake.requests).toHaveLength(1)
    expect(await host(search())).toMatchObject({ status: 200 })
    expect(fake.requests).toHaveLength(2)
    expect(fake.requests[1]!.at - fake.requests[0]!.at).toBeGreaterThanOrEqual(seconds * secondMs - 10)
  },
)

test('a Retry-After can be a date', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(tooManyRequests(new Date(Date.now() + 3_000).toUTCString()))
  await failureOf(host)
  await host(search())
  expect(fake.requests[1]!.at - fake.requests[0]!.at).toBeGreaterThan(1.5 * secondMs)
})

test('a call fails fast without a request if Retry-After is beyond its timeout', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(tooManyRequests('60'))
  await failureOf(host)
  const began = Date.now()
  expect(await failureOf(host)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(Date.now() - began).toBeLessThan(3 * secondMs)
  expect(fake.requests).toHaveLength(1)
})

test('429s do not open the circuit breaker, because the host is healthy', async () => {
  const { fake, host } = await aHost()
  for (let count = 0; count < 7; count++) {
    fake.replyOnce(tooManyRequests('0'))
    await failureOf(host)
  }
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('the circuit breaker opens after 5 failures, lets one call through when half-open, and closes when that succeeds', async () => {
  const { fake, host } = await aHost()
  fake.replyAlways(html(500))
  for (let count = 0; count < 5; count++) await failureOf(host)
  const open = await failureOf(host)
  expect(open).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there has an open circuit breaker.' })
  expect(isUnreachable(open)).toBe(true)
  expect(fake.requests).toHaveLength(5)

  await wait(10.5)
  await Promise.all([
    failureOf(host, search('/1')),
    failureOf(host, search('/2')),
    failureOf(host, search('/3')),
  ])
  expect(fake.requests).toHaveLength(6)

  fake.replyAlways(undefined)
  await wait(10.5)
  expect(await Promise.all([host(search('/1')), host(search('/2'))])).toMatchObject([
    { status: 200 },
    { status: 200 },
  ])
  expect(logged.some((line) => line.includes('circuit breaker of external source closed'))).toBe(true)
})

test('queued calls are not sent once the circuit breaker has opened', async () => {
  const { fake, host } = await aHost({ concurrency: 1 })
  fake.replyAlways(delayed(10, html(500)))
  const errors = await Promise.all(
    Array.from({ length: 12 }, (_, index) => failureOf(host, search(`/${index}`))),
  )
  expect(fake.requests).toHaveLength(5)
  expect(isUnreachable(errors.at(-1))).toBe(true)
})

test('a GET is retried once if its connection drops', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(drop)
  expect(await host(search())).toMatchObject({ status: 200 })
  expect(fake.requests).toHaveLength(2)

  fake.replyOnce(drop, drop)
  expect(await failureOf(host, search('/other'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(fake.requests).toHaveLength(4)
})

test('a POST is not retried if its connection drops', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(drop)
  await failureOf(host, search('/found', { body: 'x' }))
  expect(fake.requests).toHaveLength(1)
})

test('a call is not retried after an error status', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(html(502))
  await failureOf(host)
  expect(fake.requests).toHaveLength(1)
})

test('a response is cached for a minute, and concurrent calls are coalesced into one request', async () => {
  const { fake, host } = await aHost({}, () => delayed(10, json({ is: 'good' })))
  const now = performance.now.bind(performance)
  const passMinutes = (minutes: number) =>
    vi.spyOn(performance, 'now').mockImplementation(() => now() + minutes * 60 * secondMs)
  onTestFinished(() => void vi.mocked(performance.now).mockRestore())
  await Promise.all([host(search()), host(search()), host(search())])
  await host(search())
  expect(fake.requests).toHaveLength(1)
  await host(search('/found', { query: { q: 'other' } }))
  expect(fake.requests).toHaveLength(2)
  passMinutes(0.9)
  // The cache reads the clock at most once per millisecond.
  await wait(0.1)
  await host(search())
  expect(fake.requests).toHaveLength(2)
  passMinutes(1.1)
  await wait(0.1)
  await host(search())
  expect(fake.requests).toHaveLength(3)
})

test('a response that cannot be parsed is not cached', async () => {
  const fake = await startFake(echo)
  onTestFinished(fake.close)
  const host = openFetcher({ log, userAgent: 'x' })({
    name: 'there',
    baseUrl: fake.url,
    perSecond: 9,
    concurrency: 9,
  })
  const reject = () => {
    throw new Error('invalid')
  }
  await expect(host(search(), reject)).rejects.toThrow('invalid')
  expect(await host(search(), ({ status }) => status)).toBe(200)
  expect(fake.requests).toHaveLength(2)
})

test('a 404 is not cached', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(html(404))
  expect(await host(search('/found', { accepts: [404] }))).toMatchObject({ status: 404, body: undefined })
  expect(await host(search('/found', { accepts: [404] }))).toMatchObject({ status: 200 })
})

test('a redirect is followed only to the paths that the caller allows', async () => {
  const { fake, host } = await aHost({ redirectsTo: /^\/books\/\d+$/ })
  fake.replyOnce(redirect(`${fake.url}/books/1`))
  expect(await host(search('/isbn/1'))).toMatchObject({ body: { path: '/books/1' } })
  fake.replyOnce(redirect('/api/books/2', 301))
  expect(await host(search('/isbn/2'))).toMatchObject({ body: { path: '/books/2' } })

  const elsewhere = await startFake(echo)
  onTestFinished(elsewhere.close)
  const { port } = new URL(fake.url)
  for (const to of [
    `${elsewhere.url}/api/books/3`,
    'http://169.254.169.254/latest/meta-data/',
    `http://localhost:${port}/api/books/3`,
    `https://127.0.0.1:${port}/api/books/3`,
    '/books/3',
    '/api/admin',
    '/api/books/../admin',
    'file:///etc/passwd',
    '',
    'http://',
  ]) {
    fake.replyOnce(redirect(to))
    expect((await failureOf(host, search('/isbn/3'))).code).toBe('BAD_GATEWAY')
  }
  expect(elsewhere.requests).toHaveLength(0)
  expect(fake.requests).toHaveLength(14)
})

test('a redirect loop fails after 3 redirects', async () => {
  const { fake, host } = await aHost({ redirectsTo: /^\/books\/\d+$/ })
  fake.replyAlways(redirect('/api/books/1'))
  expect((await failureOf(host, search('/isbn/1'))).code).toBe('BAD_GATEWAY')
  expect(fake.requests).toHaveLength(4)
})

test('redirects are refused by default', async () => {
  const { fake, host } = await aHost()
  fake.replyOnce(redirect(`${fake.url}/books/1`))
  expect((await failureOf(host)).code).toBe('BAD_GATEWAY')
  expect(fake.requests).toHaveLength(1)
})

test('no path leads to another host or outside the base URL', async () => {
  const fake = await startFake(echo)
  afterAll(fake.close)
  const fetcher = openFetcher({ log, userAgent: 'x' })
  const { port } = new URL(fake.url)
  const host = unparsed(
    fetcher({ name: 'there', baseUrl: 'http://127.0.0.1:1', perSecond: 9, concurrency: 9 }),
  )
  expect((await failureOf(host, search(`@127.0.0.1:${port}/x`))).code).toBe('BAD_GATEWAY')
  expect((await failureOf(host, search(`23@127.0.0.1:${port}/x`))).code).toBe('BAD_GATEWAY')
  const below = unparsed(fetcher({ name: 'there', baseUrl: `${fake.url}/api`, perSecond: 9, concurrency: 9 }))
  expect((await failureOf(below, search('/../admin'))).code).toBe('BAD_GATEWAY')
  expect(fake.requests).toHaveLength(0)
})

test('a host that refuses connections is unreachable until it accepts them', async () => {
  const first = await startFake(echo)
  const port = Number(new URL(first.url).port)
  await first.close()
  const host = unparsed(
    openFetcher({ log, userAgent: 'x' })({
      name: 'there',
      baseUrl: first.url,
      perSecond: 9,
      concurrency: 9,
    }),
  )
  const error = await failureOf(host)
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there is unreachable.' })
  expect(isUnreachable(error)).toBe(true)
  const another = await startFake(echo, { port })
  onTestFinished(another.close)
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('a host name that does not resolve is unreachable; a host that returns 500 is not', async () => {
  const host = unparsed(
    openFetcher({ log, userAgent: 'x' })({
      name: 'there',
      baseUrl: 'http://no-such-host.invalid',
      perSecond: 9,
      concurrency: 9,
    }),
  )
  expect(isUnreachable(await failureOf(host))).toBe(true)
  const { fake, host: failing } = await aHost()
  fake.replyOnce(html(500))
  expect(isUnreachable(await failureOf(failing))).toBe(false)
})

test('log lines and error messages contain neither search terms nor secrets', async () => {
  const { fake, host } = await aHost({ headers: { authorization: 'Bearer s3cret-token' } })
  const call = search('/found', {
    query: { q: 'private-words', key: 's3cret-key' },
    headers: { 'x-key': 's3cret-header' },
  })
  const closed = await startFake(echo)
  await closed.close()
  const gone = unparsed(
    openFetcher({ log, userAgent: 'x' })({
      name: 'gone',
      baseUrl: closed.url,
      perSecond: 9,
      concurrency: 9,
    }),
  )
  const errors: TRPCError[] = [await failureOf(gone, call)]
  for (const reply of [
    html(500),
    html(403),
    abortMidBody,
    truncatedJson,
    redirect('http://elsewhere.test/?k=s3cret'),
    hang,
    tooManyRequests('0'),
  ]) {
    fake.replyOnce(reply)
    errors.push(await failureOf(host, call))
  }
  expect(logged.length).toBeGreaterThan(0)
  const errorTexts = errors
    .map((error) => `${error.message} ${error.stack} ${JSON.stringify(error.cause)} ${String(error.cause)}`)
    .join('\n')
  expect(`${errorTexts}\n${logged.join('\n')}`).not.toMatch(/s3cret|private-words/)
})
