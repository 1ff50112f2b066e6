import { TRPCError } from '@trpc/server'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import {
  aFake,
  brokenOff,
  drop,
  endless,
  type Fake,
  halfJson,
  hang,
  html,
  json,
  redirect,
  type Reply,
  slowly,
  tooMany,
} from './fakes.ts'
import { type Call, type Host, type HostOptions, isOffline, openFetcher } from './fetcher.ts'

/** Milliseconds that a second lasts here. */
const second = 150

const logged: string[] = []
const log = {
  info: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
  warn: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
}

const echo = ({ path, query }: { path: string; query: URLSearchParams }) => json({ path, q: query.get('q') })

/** A host whose answers are taken as they are. */
const plain = (host: Host) => async (call: Call) => host(call, (answer) => answer)

async function aHost(
  options: Partial<HostOptions> & { second?: number } = {},
  answer: (asked: Fake['requests'][number]) => Reply = echo,
) {
  const fake = await aFake(answer, { path: '/api' })
  onTestFinished(fake.close)
  const fetcher = openFetcher({
    log,
    userAgent: 'Medley/0 (+http://medley.test; ops@medley.test)',
    second,
    ...options,
  })
  const host = plain(
    fetcher({ name: 'there', baseUrl: fake.url, perSecond: 1000, concurrency: 5, ...options }),
  )
  return { fake, host }
}

const search = (path = '/found', more: Partial<Call> = {}): Call => ({ path, urgency: 'search', ...more })
const sync = (path: string): Call => ({ path, urgency: 'sync' })

async function failureOf(host: ReturnType<typeof plain>, call: Call = search()): Promise<TRPCError> {
  const error: unknown = await host(call).then(
    () => undefined,
    (error) => error,
  )
  expect(error).toBeInstanceOf(TRPCError)
  return error as TRPCError
}

const later = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * second))

test('a call says who we are and where a complaint reaches us', async () => {
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
  ['a page of HTML', html(200), 'BAD_GATEWAY'],
  ['half a JSON text', halfJson, 'BAD_GATEWAY'],
  ['an answer that breaks off', brokenOff, 'BAD_GATEWAY'],
  ['more than two megabytes', endless, 'BAD_GATEWAY'],
  ['nothing at all', ((response) => void response.writeHead(204).end()) as Reply, 'BAD_GATEWAY'],
  ['HTML with status 403', html(403), 'BAD_GATEWAY'],
  ['HTML with status 404', html(404), 'BAD_GATEWAY'],
  [
    'what is not HTTP',
    ((response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n')) as Reply,
    'BAD_GATEWAY',
  ],
  ['status 500', html(500), 'SERVICE_UNAVAILABLE'],
  ['status 503 from a gateway', html(503), 'SERVICE_UNAVAILABLE'],
] as const)('%s is an error, and the next call is answered', async ([, reply, code]) => {
  const { fake, host } = await aHost()
  fake.next(reply)
  expect((await failureOf(host)).code).toBe(code)
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('a host that does not answer is given up after five seconds', async () => {
  const { fake, host } = await aHost()
  fake.next(hang)
  const began = Date.now()
  const error = await failureOf(host)
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there took too long.' })
  expect(Date.now() - began).toBeLessThan(9 * second)
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('a body that does not end is given up after five seconds', async () => {
  const { fake, host } = await aHost()
  fake.next((response) => void response.writeHead(200, { 'content-length': '10' }).write('{'))
  expect(await failureOf(host)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('the five seconds include the time that a call waits for its turn', async () => {
  const { fake, host } = await aHost({ concurrency: 1 })
  fake.always(hang)
  const began = Date.now()
  await Promise.all([failureOf(host, search('/1')), failureOf(host, search('/2'))])
  expect(Date.now() - began).toBeLessThan(9 * second)
  expect(fake.requests).toHaveLength(1)
})

test('calls that could not have their turn in time are refused at once', async () => {
  const { fake, host } = await aHost({ concurrency: 1, perSecond: 1 })
  const calls = Array.from({ length: 20 }, (_, index) =>
    host(search(`/${index}`)).catch((error: unknown) => error),
  )
  const began = Date.now()
  expect(await calls[19]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there is overrun.' })
  expect(Date.now() - began).toBeLessThan(3 * second)
  await Promise.all(calls)
  expect(fake.requests.length).toBeLessThan(7)
})

test('no more calls begin in a second than the host allows', async () => {
  const { fake, host } = await aHost({ perSecond: 3 })
  const began = Date.now()
  await Promise.all(Array.from({ length: 9 }, (_, index) => host(search(`/${index}`))))
  expect(fake.requests).toHaveLength(9)
  expect(Date.now() - began).toBeGreaterThanOrEqual(2 * second - 10)
})

test('no more calls are open at once than the host allows', async () => {
  const { fake, host } = await aHost({ concurrency: 2 }, () => slowly(20, json({})))
  await Promise.all(Array.from({ length: 8 }, (_, index) => host(search(`/${index}`))))
  expect(fake.mostOpen()).toBe(2)
})

test('a search goes before every sync that waits', async () => {
  const { fake, host } = await aHost({ perSecond: 2 })
  const syncs = Array.from({ length: 4 }, (_, index) => host(sync(`/sync/${index}`)))
  await host(search('/search'))
  expect(fake.requests.map(({ path }) => path).indexOf('/search')).toBeLessThanOrEqual(2)
  await Promise.all(syncs)
})

test('syncs that hang leave a connection free for a search', async () => {
  const { host } = await aHost({ concurrency: 3 }, ({ path }) => (path.startsWith('/sync') ? hang : json({})))
  const syncs = Array.from({ length: 6 }, (_, index) => failureOf(host, sync(`/sync/${index}`)))
  const began = Date.now()
  await host(search())
  expect(Date.now() - began).toBeLessThan(4.5 * second)
  await Promise.all(syncs)
})

test.for([
  ['a Retry-After of 3', tooMany('3'), 3],
  ['a Retry-After of 0', tooMany('0'), 1],
  ['no Retry-After', tooMany(), 1],
  ['a Retry-After that is no number', tooMany('soon'), 1],
  ['status 503 with a Retry-After', json({}, 503, { 'retry-after': '2' }), 2],
] as const)(
  'after %s nothing is sent for as long, then the same call is answered',
  async ([, reply, seconds]) => {
    const { fake, host } = await aHost()
    fake.next(reply)
    expect(await failureOf(host)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(fake.requests).toHaveLength(1)
    expect(await host(search())).toMatchObject({ status: 200 })
    expect(fake.requests).toHaveLength(2)
    expect(fake.requests[1]!.at - fake.requests[0]!.at).toBeGreaterThanOrEqual(seconds * second - 10)
  },
)

test('a Retry-After can be a date', async () => {
  const { fake, host } = await aHost()
  fake.next(tooMany(new Date(Date.now() + 3_000).toUTCString()))
  await failureOf(host)
  await host(search())
  expect(fake.requests[1]!.at - fake.requests[0]!.at).toBeGreaterThan(1.5 * second)
})

test('a host that wants longer than a call can wait is not asked, and the call fails at once', async () => {
  const { fake, host } = await aHost()
  fake.next(tooMany('60'))
  await failureOf(host)
  const began = Date.now()
  expect(await failureOf(host)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(Date.now() - began).toBeLessThan(3 * second)
  expect(fake.requests).toHaveLength(1)
})

test('429s do not open the circuit: the host is well', async () => {
  const { fake, host } = await aHost()
  for (let count = 0; count < 7; count++) {
    fake.next(tooMany('0'))
    await failureOf(host)
  }
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('after five failures the host is left alone, then asked by one call, and trusted again when that is answered', async () => {
  const { fake, host } = await aHost()
  fake.always(html(500))
  for (let count = 0; count < 5; count++) await failureOf(host)
  const open = await failureOf(host)
  expect(open).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there is left alone for a while.' })
  expect(isOffline(open)).toBe(true)
  expect(fake.requests).toHaveLength(5)

  await later(10.5)
  await Promise.all([
    failureOf(host, search('/1')),
    failureOf(host, search('/2')),
    failureOf(host, search('/3')),
  ])
  expect(fake.requests).toHaveLength(6)

  fake.always(undefined)
  await later(10.5)
  expect(await Promise.all([host(search('/1')), host(search('/2'))])).toMatchObject([
    { status: 200 },
    { status: 200 },
  ])
  expect(logged.some((line) => line.includes('answers again'))).toBe(true)
})

test('calls that wait while the circuit opens are not sent', async () => {
  const { fake, host } = await aHost({ concurrency: 1 })
  fake.always(slowly(10, html(500)))
  const errors = await Promise.all(
    Array.from({ length: 12 }, (_, index) => failureOf(host, search(`/${index}`))),
  )
  expect(fake.requests).toHaveLength(5)
  expect(isOffline(errors.at(-1))).toBe(true)
})

test('a GET that the network dropped is sent once more, and not again', async () => {
  const { fake, host } = await aHost()
  fake.next(drop)
  expect(await host(search())).toMatchObject({ status: 200 })
  expect(fake.requests).toHaveLength(2)

  fake.next(drop, drop)
  expect(await failureOf(host, search('/other'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(fake.requests).toHaveLength(4)
})

test('a POST that the network dropped is not sent again', async () => {
  const { fake, host } = await aHost()
  fake.next(drop)
  await failureOf(host, search('/found', { body: 'x' }))
  expect(fake.requests).toHaveLength(1)
})

test('an answer with an error status is not asked for again', async () => {
  const { fake, host } = await aHost()
  fake.next(html(502))
  await failureOf(host)
  expect(fake.requests).toHaveLength(1)
})

test('a good answer is kept for a minute, and asked for by one call however many want it', async () => {
  const { fake, host } = await aHost({ second: 20 }, () => slowly(10, json({ is: 'good' })))
  await Promise.all([host(search()), host(search()), host(search())])
  await host(search())
  expect(fake.requests).toHaveLength(1)
  await host(search('/found', { query: { q: 'other' } }))
  expect(fake.requests).toHaveLength(2)
  await new Promise((resolve) => setTimeout(resolve, 61 * 20))
  await host(search())
  expect(fake.requests).toHaveLength(3)
})

test('an answer that no sense can be made of is not kept', async () => {
  const fake = await aFake(echo)
  onTestFinished(fake.close)
  const host = openFetcher({ log, userAgent: 'x', second })({
    name: 'there',
    baseUrl: fake.url,
    perSecond: 9,
    concurrency: 9,
  })
  const nonsense = () => {
    throw new Error('nonsense')
  }
  await expect(host(search(), nonsense)).rejects.toThrow('nonsense')
  expect(await host(search(), ({ status }) => status)).toBe(200)
  expect(fake.requests).toHaveLength(2)
})

test('what was not found is asked for anew', async () => {
  const { fake, host } = await aHost()
  fake.next(html(404))
  expect(await host(search('/found', { accepts: [404] }))).toMatchObject({ status: 404, body: undefined })
  expect(await host(search('/found', { accepts: [404] }))).toMatchObject({ status: 200 })
})

test('a redirect is followed where the caller allows it, and refused to any other place', async () => {
  const { fake, host } = await aHost({ redirectsTo: /^\/books\/\d+$/ })
  fake.next(redirect(`${fake.url}/books/1`))
  expect(await host(search('/isbn/1'))).toMatchObject({ body: { path: '/books/1' } })
  fake.next(redirect('/api/books/2', 301))
  expect(await host(search('/isbn/2'))).toMatchObject({ body: { path: '/books/2' } })

  const elsewhere = await aFake(echo)
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
    fake.next(redirect(to))
    expect((await failureOf(host, search('/isbn/3'))).code).toBe('BAD_GATEWAY')
  }
  expect(elsewhere.requests).toHaveLength(0)
  expect(fake.requests).toHaveLength(14)
})

test('redirects in a circle end', async () => {
  const { fake, host } = await aHost({ redirectsTo: /^\/books\/\d+$/ })
  fake.always(redirect('/api/books/1'))
  expect((await failureOf(host, search('/isbn/1'))).code).toBe('BAD_GATEWAY')
  expect(fake.requests).toHaveLength(4)
})

test('without leave no redirect is followed', async () => {
  const { fake, host } = await aHost()
  fake.next(redirect(`${fake.url}/books/1`))
  expect((await failureOf(host)).code).toBe('BAD_GATEWAY')
  expect(fake.requests).toHaveLength(1)
})

test('no path leads to another host, or above the address that is configured', async () => {
  const fake = await aFake(echo)
  afterAll(fake.close)
  const fetcher = openFetcher({ log, userAgent: 'x', second })
  const { port } = new URL(fake.url)
  const host = plain(fetcher({ name: 'there', baseUrl: 'http://127.0.0.1:1', perSecond: 9, concurrency: 9 }))
  expect((await failureOf(host, search(`@127.0.0.1:${port}/x`))).code).toBe('BAD_GATEWAY')
  expect((await failureOf(host, search(`23@127.0.0.1:${port}/x`))).code).toBe('BAD_GATEWAY')
  const below = plain(fetcher({ name: 'there', baseUrl: `${fake.url}/api`, perSecond: 9, concurrency: 9 }))
  expect((await failureOf(below, search('/../admin'))).code).toBe('BAD_GATEWAY')
  expect(fake.requests).toHaveLength(0)
})

test('where nobody listens the source is offline, and it is well again when somebody does', async () => {
  const first = await aFake(echo)
  const port = Number(new URL(first.url).port)
  await first.close()
  const host = plain(
    openFetcher({ log, userAgent: 'x', second })({
      name: 'there',
      baseUrl: first.url,
      perSecond: 9,
      concurrency: 9,
    }),
  )
  const error = await failureOf(host)
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'there cannot be reached.' })
  expect(isOffline(error)).toBe(true)
  const another = await aFake(echo, { port })
  onTestFinished(another.close)
  expect(await host(search())).toMatchObject({ status: 200 })
})

test('a name that does not resolve is offline; a host that fails is not', async () => {
  const host = plain(
    openFetcher({ log, userAgent: 'x', second: 1000 })({
      name: 'there',
      baseUrl: 'http://no-such-host.invalid',
      perSecond: 9,
      concurrency: 9,
    }),
  )
  expect(isOffline(await failureOf(host))).toBe(true)
  const { fake, host: failing } = await aHost()
  fake.next(html(500))
  expect(isOffline(await failureOf(failing))).toBe(false)
})

test('neither what was searched for nor a secret stands in a log line or a message', async () => {
  const { fake, host } = await aHost({ headers: { authorization: 'Bearer s3cret-token' } })
  const call = search('/found', {
    query: { q: 'private-words', key: 's3cret-key' },
    headers: { 'x-key': 's3cret-header' },
  })
  const closed = await aFake(echo)
  await closed.close()
  const gone = plain(
    openFetcher({ log, userAgent: 'x', second })({
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
    brokenOff,
    halfJson,
    redirect('http://elsewhere.test/?k=s3cret'),
    hang,
    tooMany('0'),
  ]) {
    fake.next(reply)
    errors.push(await failureOf(host, call))
  }
  expect(logged.length).toBeGreaterThan(0)
  const told = errors
    .map((error) => `${error.message} ${error.stack} ${JSON.stringify(error.cause)} ${String(error.cause)}`)
    .join('\n')
  expect(`${told}\n${logged.join('\n')}`).not.toMatch(/s3cret|private-words/)
})
