import { createHmac } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { variation } from '#scripts/testing/variation.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { aMember, aServer, aSignedInMember, aTitle, mailsTo } from '#server/testing.ts'
import { messages } from '#shared/texts/messages.ts'
import type { WebhookEvent } from '#shared/contracts/webhooks.ts'
import { hashToken, newToken } from '#server/accounts/rules.ts'
import { removeTasks } from '#server/db/tasks.ts'
import { insertMailToken } from '#server/accounts/mail-store.ts'
import { isPublicAddress } from './addresses.ts'
import { disableWebhooksOf, insertTest, removeDeliveries } from './store.ts'
import { openSender, resolvePublic } from './send.ts'
import { openWebhookWorker } from './worker.ts'

const server = await aServer({ RATE_LIMITS: 'off', WEBHOOK_PRIVATE_ADDRESSES: 'on' })
const { db, as, config } = server
const { features } = server.services
const hour = 60 * 60_000
const day = 24 * hour
/** The time limit of an attempt in tests with receivers that hang; long enough for others to respond on a busy machine. */
const shortMs = 3_000

type Received = { headers: IncomingMessage['headers']; path: string; body: string }
type Reply = (response: ServerResponse) => void
const ok: Reply = (response) => void response.writeHead(204).end()
const status =
  (code: number): Reply =>
  (response) =>
    void response.writeHead(code).end('no')
const hang: Reply = () => {}
const redirectTo =
  (url: string): Reply =>
  (response) =>
    void response.writeHead(307, { location: url }).end()
/** A body that never ends. */
const endless: Reply = (response) => {
  response.writeHead(200)
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

/** A receiver that replies as `reply` says, which can be replaced. */
async function aReceiver(reply: Reply = ok) {
  const received: Received[] = []
  const receiver = { received, reply, url: '', close: async () => http.closeAllConnections() }
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, path: request.url!, body })
      receiver.reply(response)
    })
    response.on('error', () => {})
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  receiver.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`
  return receiver
}

/** A worker whose clock the test moves. */
function aWorker(timeoutMs = 30_000, sender = openSender({ toPrivate: true, timeoutMs })) {
  const clock = { ms: Date.now() }
  const failures: unknown[] = []
  const fail = (...line: unknown[]) => void failures.push(line)
  const worker = openWebhookWorker({
    config,
    features,
    db,
    log: { info: fail, warn: fail, error: fail },
    now: () => new Date(clock.ms),
    sender,
    pollMs: 0,
  })
  onTestFinished(async () => {
    await worker.close()
    expect(failures).toEqual([])
  })
  return {
    /** Attempts the deliveries that are due after a time. */
    async deliver(afterMs = 1_000) {
      clock.ms = Math.max(clock.ms, Date.now()) + afterMs
      await worker.deliverDue()
    },
  }
}

async function aHook(url: string, events: WebhookEvent[] = ['review']) {
  const member = await aSignedInMember(db)
  const call = as(member)
  const { webhook, secret } = await call.webhooks.create({ url, events })
  onTestFinished(async () => void (await db.deleteFrom('webhooks').where('id', '=', webhook.id).execute()))
  const deliveries = async () => (await call.webhooks.deliveries({ id: webhook.id })).deliveries
  const state = async () => (await call.webhooks.list()).webhooks[0]!
  return { member, call, id: webhook.id, secret, deliveries, state }
}
const bodies = ({ received }: { received: Received[] }) =>
  received.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: object })

test('an event is posted with the signature of Standard Webhooks, and the log shows it', async () => {
  const receiver = await aReceiver()
  const { call, secret, deliveries } = await aHook(receiver.url)
  const movieId = await aTitle(db, 'movie', 'Signed')
  const { review } = await call.reviews.save({ movieId, rating: 4, text: 'Good.' })
  await aWorker().deliver()
  expect(receiver.received).toHaveLength(1)
  const { headers, body } = receiver.received[0]!
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  expect(key).toHaveLength(32)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  expect(headers).toMatchObject({ 'content-type': 'application/json' })
  expect(bodies(receiver)[0]).toMatchObject({
    type: 'review.created',
    timestamp: expect.any(String) as string,
    data: { area: 'review', action: 'created', id: review.id, itemId: movieId, review: { text: 'Good.' } },
  })
  expect(await deliveries()).toMatchObject([
    { id, type: 'review.created', attempts: 1, status: 204, error: null, nextAttemptAt: null },
  ])
})

test('each event is sent to the webhooks that asked for it', async () => {
  const [all, some] = [await aReceiver(), await aReceiver()]
  const { member, call } = await aHook(all.url, [
    'review',
    'diary',
    'favorite',
    'follow',
    'comment',
    'reaction',
  ])
  await call.webhooks.create({ url: some.url, events: ['follow', 'comment'] })
  const other = await aMember(db)
  const movieId = await aTitle(db)
  const { review } = await call.reviews.save({ movieId, rating: 4, text: 'Mine.' })
  await call.diary.create({ movieId, status: 'want' })
  await call.favoriteMovies.add({ movieId })
  await call.social.follow({ userIdToFollow: other.id })
  const { comment } = await as(other).reviews.addComment({ id: review.id, text: 'Agreed.' })
  await as(other).reviews.react({ id: review.id, reaction: 'like' })
  await as(other).reviews.react({ id: review.id, reaction: 'dislike' })
  // The member's own comments and reactions cause no events.
  await call.reviews.addComment({ id: review.id, text: 'Thanks.' })
  await call.reviews.react({ id: review.id, reaction: 'like' })
  // A comment that is deleted before its delivery is not sent.
  const deleted = await as(other).reviews.addComment({ id: review.id, text: 'Oops.' })
  await as(other).reviews.removeComment({ id: deleted.comment.id })
  await aWorker().deliver()
  const author = { id: other.id, username: other.username, profilePicture: null }
  const typesOf = (receiver: typeof all) =>
    bodies(receiver)
      .map(({ type }) => type)
      .sort()
  expect(typesOf(all)).toEqual([
    'comment.created',
    'diary.created',
    'favorite.created',
    'follow.created',
    'reaction.created',
    'reaction.updated',
    'review.created',
  ])
  expect(typesOf(some)).toEqual(['comment.created', 'follow.created'])
  const dataOf = (type: string) => bodies(all).find((body) => body.type === type)?.data
  expect(dataOf('comment.created')).toEqual({
    reviewId: review.id,
    itemId: movieId,
    comment: { ...comment, author },
  })
  expect(dataOf('reaction.updated')).toEqual({
    reviewId: review.id,
    itemId: movieId,
    reaction: 'dislike',
    user: author,
  })
  expect(member.id).not.toBe(other.id)
})

test('everything that is due is delivered, although two attempts per host run at a time', async () => {
  const { call, deliveries } = await aHook('http://127.0.0.1:9/hook', ['favorite'])
  const sender = { send: async () => ({ status: 204, error: null }), close: async () => {} }
  const worker = aWorker(undefined, sender)
  const movies = await Promise.all([1, 2, 3, 4, 5].map(() => aTitle(db)))
  for (let round = 1; round <= 4; round++) {
    for (const movieId of movies) await call.favoriteMovies.add({ movieId })
    for (const movieId of movies) await call.favoriteMovies.remove({ id: movieId })
    await worker.deliver()
    const waiting = (await deliveries()).filter(({ deliveredAt }) => deliveredAt === null)
    expect(waiting, `round ${round}`).toEqual([])
  }
})

test('a receiver that fails and then hangs gets the event later, with the same id', async () => {
  const receiver = await aReceiver(status(500))
  const { call, deliveries, state } = await aHook(receiver.url)
  const worker = aWorker(shortMs)
  await call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  await worker.deliver()
  expect(await deliveries()).toMatchObject([
    { attempts: 1, status: 500, error: 'The server responded 500.', deliveredAt: null },
  ])
  expect(await state()).toMatchObject({ failingSince: expect.any(String) as string, disabledAt: null })
  receiver.reply = hang
  await worker.deliver(5_000)
  expect(await deliveries()).toMatchObject([
    { attempts: 2, status: null, error: 'The server did not respond in time.' },
  ])
  // Not before the time of the next attempt.
  receiver.reply = ok
  await worker.deliver(50_000)
  expect(await deliveries()).toMatchObject([{ attempts: 2 }])
  await worker.deliver(20_000)
  expect(await deliveries()).toMatchObject([{ attempts: 3, status: 204, error: null, nextAttemptAt: null }])
  expect(await state()).toMatchObject({ failingSince: null })
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a delivery is given up after a day, and the webhook is disabled after a week', async () => {
  const receiver = await aReceiver(status(503))
  const { call, id, deliveries, state } = await aHook(receiver.url)
  const worker = aWorker()
  const movieId = await aTitle(db)
  await call.reviews.save({ movieId, rating: 4 })
  await worker.deliver()
  for (let hours = 0; hours < 30; hours++) await worker.deliver(hour)
  const [first] = await deliveries()
  expect(first).toMatchObject({ attempts: 10, nextAttemptAt: null, deliveredAt: null })
  expect(await state()).toMatchObject({ disabledAt: null })
  await call.reviews.save({ movieId, rating: 5 })
  await worker.deliver(7 * day)
  expect(await state()).toMatchObject({ disabledAt: expect.any(String) as string })
  const count = receiver.received.length
  await call.reviews.save({ movieId, rating: 1 })
  await worker.deliver(day)
  expect(receiver.received).toHaveLength(count)
  expect(await deliveries()).toHaveLength(2)
  await expect(call.webhooks.test({ id })).rejects.toMatchObject({ code: 'CONFLICT' })

  receiver.reply = ok
  await call.webhooks.edit({ id, isEnabled: true })
  expect(await state()).toMatchObject({ failingSince: null, disabledAt: null })
  await call.reviews.save({ movieId, rating: 2 })
  await worker.deliver()
  expect((await deliveries())[0]).toMatchObject({ status: 204 })
})

test('a redirect to a private address is not followed', async () => {
  const inside = await aReceiver()
  const receiver = await aReceiver(redirectTo(inside.url))
  const { call, deliveries } = await aHook(receiver.url)
  await call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  await aWorker().deliver()
  expect(await deliveries()).toMatchObject([
    { status: 307, error: 'The server redirected (307), which is not followed.' },
  ])
  expect(inside.received).toEqual([])
})

test('a response that never ends counts by its status and does not hold the worker', async () => {
  const receiver = await aReceiver(endless)
  const { call, deliveries } = await aHook(receiver.url)
  await call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  await aWorker(shortMs).deliver()
  expect(await deliveries()).toMatchObject([{ status: 200, error: null }])
})

test('a receiver that is gone (410) is disabled at once, and gets nothing that is queued meanwhile', async () => {
  const receiver = await aReceiver(status(410))
  const { call, id, state } = await aHook(receiver.url)
  await call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  const worker = aWorker()
  await worker.deliver()
  expect(await state()).toMatchObject({ disabledAt: expect.any(String) as string })
  await insertTest(db, id, new Date())
  await worker.deliver()
  expect(receiver.received).toHaveLength(1)
})

test('a receiver that hangs does not keep others waiting, and is asked at most twice at the same time', async () => {
  const [slow, quick] = [await aReceiver(hang), await aReceiver()]
  const held = await aHook(slow.url, ['favorite'])
  const other = await aHook(quick.url, ['favorite'])
  for (let count = 0; count < 12; count++) await held.call.favoriteMovies.add({ movieId: await aTitle(db) })
  await other.call.favoriteMovies.add({ movieId: await aTitle(db) })
  await aWorker(shortMs).deliver()
  expect(quick.received).toHaveLength(1)
  expect(slow.received).toHaveLength(2)
  // The others were postponed without an attempt.
  expect((await held.deliveries()).filter(({ attempts }) => attempts === 0)).toHaveLength(10)
})

variation('slow receivers of one member, on many hosts, do not keep other members waiting', async () => {
  const slow = await Promise.all([1, 2, 3, 4, 5].map(() => aReceiver(hang)))
  const held = await aHook(slow[0]!.url, ['favorite'])
  for (const { url } of slow.slice(1)) await held.call.webhooks.create({ url, events: ['favorite'] })
  for (let count = 0; count < 4; count++) await held.call.favoriteMovies.add({ movieId: await aTitle(db) })
  const asked = () => slow.reduce((sum, { received }) => sum + received.length, 0)
  let before = NaN
  const quick = await aReceiver((response) => {
    before = asked()
    ok(response)
  })
  const other = await aHook(quick.url, ['favorite'])
  await other.call.favoriteMovies.add({ movieId: await aTitle(db) })
  await aWorker(shortMs).deliver()
  expect(quick.received).toHaveLength(1)
  // The worker makes at most ten attempts at the same time.
  expect(before).toBeLessThan(10)
})

/** A sender whose attempts end when the test says so, except those to the host `quick.example`. */
function aHeldSender() {
  const quick: string[] = []
  const held = new Map<() => void, string>()
  return {
    quick,
    hosts: () => [...held.values()],
    endAll: () => held.forEach((_, end) => end()),
    async send(url: string) {
      const { host, pathname } = new URL(url)
      if (host === 'quick.example') quick.push(pathname)
      else
        await new Promise<void>((resolve) => {
          const end = () => (held.delete(end), resolve())
          held.set(end, host)
        })
      return { status: 204, error: null }
    },
    close: async () => {},
  }
}

/** Members with five hosts each that take long, and with 20 deliveries for each of these. */
async function slowMembers(first: number, last: number) {
  onTestFinished(async () => void (await db.deleteFrom('webhooks').execute()))
  for (let member = first; member <= last; member++) {
    const { call } = await aHook(`http://slow-${member}-0.example/`, ['favorite'])
    for (let hook = 1; hook < 5; hook++)
      await call.webhooks.create({ url: `http://slow-${member}-${hook}.example/`, events: ['favorite'] })
    for (const { id } of (await call.webhooks.list()).webhooks) {
      const one = { webhook_id: id, event: 'test' as const, action: 'created' as const, thing_id: id }
      await db
        .insertInto('webhook_deliveries')
        .values(Array.from({ length: 20 }, () => one))
        .execute()
    }
  }
}

test('members with slow receivers and a backlog keep nobody waiting', async () => {
  await db.deleteFrom('webhooks').execute()
  const sender = aHeldSender()
  let passedMs = 0
  const clock = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + passedMs)
  await slowMembers(1, 4)
  const worker = openWebhookWorker({ config, features, db, log: console, sender, pollMs: 20 })
  onTestFinished(async () => {
    const closed = worker.close()
    await expect.poll(() => (sender.endAll(), sender.hosts())).toEqual([])
    await closed
    vi.restoreAllMocks()
  })
  const ofMembers = () => new Set(sender.hosts().map((host) => host.split('-')[1]))
  await expect.poll(() => [sender.hosts().length, ofMembers().size]).toEqual([5, 4])
  await (await aHook('http://quick.example/a')).call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  await expect.poll(() => sender.quick).toEqual(['/a'])

  // More members than attempts: at first they occupy all attempts, until they are known to be slow. Three have had no attempt by
  // then.
  await slowMembers(5, 12)
  for (const left of [10, 5 + 3, 5]) {
    await expect.poll(() => sender.hosts().length).toBe(left)
    passedMs += 3_000
    if (left > 5) sender.endAll()
  }
  await (await aHook('http://quick.example/b')).call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  await expect.poll(() => sender.quick).toEqual(['/a', '/b'])
  expect(sender.hosts()).toHaveLength(5)
  expect(ofMembers().size).toBe(5)
})

variation('receivers that never end their responses do not collect open connections', async () => {
  let [open, most] = [0, 0]
  const receiver = await aReceiver((response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    response.writeHead(200)
    response.write('x')
  })
  const { call, deliveries } = await aHook(receiver.url, ['favorite'])
  for (let count = 0; count < 5; count++) await call.favoriteMovies.add({ movieId: await aTitle(db) })
  await aWorker(shortMs).deliver()
  expect(await deliveries()).toMatchObject(Array.from({ length: 5 }, () => ({ status: 200, error: null })))
  expect(most).toBeLessThan(5)
})

test('an attempt that fails after its webhook was disabled is not repeated', async () => {
  const receiver = await aReceiver(hang)
  const { call, member, deliveries, state } = await aHook(receiver.url)
  await call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  const delivered = aWorker().deliver()
  await expect.poll(() => receiver.received.length).toBe(1)
  await disableWebhooksOf(db, member.id, new Date())
  await receiver.close()
  await delivered
  expect(await deliveries()).toMatchObject([{ attempts: 1, nextAttemptAt: null }])
  expect(await state()).toMatchObject({ failingSince: null })
})

test('at most 1,000 deliveries of a webhook wait', async () => {
  const { call, id } = await aHook('http://127.0.0.1:9/', ['favorite'])
  await db
    .insertInto('webhook_deliveries')
    .values(
      Array.from({ length: 999 }, (_, at) => ({
        webhook_id: id,
        event: 'favorite' as const,
        action: 'created' as const,
        thing_id: at + 1,
      })),
    )
    .execute()
  for (let count = 0; count < 3; count++) await call.favoriteMovies.add({ movieId: await aTitle(db) })
  const rows = await db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', id).execute()
  expect(rows).toHaveLength(1_000)
})

test.runIf(!isSqlite(db))('a write that meets the deletion of a webhook succeeds', async () => {
  const { call, id } = await aHook('http://127.0.0.1:9/', ['review', 'comment'])
  const { review } = await call.reviews.save({ movieId: await aTitle(db), rating: 4, text: 'Mine.' })
  const other = as(await aMember(db))
  const movieId = await aTitle(db)
  const waiting = async () =>
    (
      await sql<{ pid: number }>`select distinct pid from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`.execute(db)
    ).rows.length
  const writes = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('webhooks').where('id', '=', id).execute()
    const running = Promise.allSettled([
      other.reviews.addComment({ id: review.id, text: 'Agreed.' }),
      call.reviews.save({ movieId, rating: 3 }),
    ])
    await expect.poll(waiting).toBe(2)
    return { running }
  })
  expect(await writes.running).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
})

test.each([
  'http://127.0.0.1:80/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://10.0.0.1/',
  'https://localhost/',
  'https://0/',
  'https://hooks.localhost/',
  'https://8.8.8.8:22/',
])('without permission, %s is refused without a connection', async (url) => {
  const sender = openSender({ toPrivate: false, timeoutMs: 2_000 })
  onTestFinished(sender.close)
  expect(await sender.send(url, {}, '{}')).toEqual({
    status: null,
    error: 'notPublic',
  })
})

/** A resolver that asks a name server with these addresses by name; it does not reply if there are none. */
async function aResolver(addresses: Record<string, string[]>, timeout = 30_000) {
  const server = createSocket('udp4', (query, { port, address }) => {
    const name: string[] = []
    let at = 12
    for (; query[at]! > 0; at += query[at]! + 1)
      name.push(query.subarray(at + 1, at + 1 + query[at]!).toString())
    const found = addresses[name.join('.')]
    if (!found) return
    const isIPv4 = query[at + 2] === 1
    const bytes = found.filter((one) => one.includes('.') === isIPv4)
    const answers = bytes.map((one) => {
      const data = isIPv4
        ? Buffer.from(one.split('.').map(Number))
        : Buffer.from(one.replaceAll(':', ''), 'hex')
      return Buffer.concat([
        Buffer.from([0xc0, 12, 0, query[at + 2]!, 0, 1, 0, 0, 0, 1, 0, data.length]),
        data,
      ])
    })
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0])
    server.send(Buffer.concat([head, query.subarray(12, at + 5), ...answers]), port, address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const resolver = new Resolver({ timeout, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  return resolver
}

test('a name is refused if none of its addresses is public', async () => {
  const resolver = await aResolver({
    'private.example': ['127.0.0.1', '00000000:00000000:00000000:00000001'],
    'mapped.example': ['00000000:00000000:0000ffff:7f000001'],
  })
  const sender = openSender({ toPrivate: false, resolver })
  onTestFinished(sender.close)
  const error = 'notPublic'
  for (const name of ['private', 'mapped'])
    expect(await sender.send(`https://${name}.example/`, {}, '{}')).toEqual({ status: null, error })
})

test('of the addresses of a name, only the public ones are connected to', async () => {
  const mixed = [
    '127.0.0.1',
    '8.8.8.8',
    '10.0.0.1',
    '00000000:00000000:00000000:00000001',
    '26064700:47000000:00000000:00001111',
  ]
  const resolver = await aResolver({ 'mixed.example': mixed })
  expect(await resolvePublic(resolver, 'mixed.example')).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ])
})

test('a name server that stays silent ends an attempt', async () => {
  const sender = openSender({ toPrivate: false, resolver: await aResolver({}, 200) })
  onTestFinished(sender.close)
  const error = 'timeout'
  expect(await sender.send('https://silent.example/', {}, '{}')).toEqual({ status: null, error })
})

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['100.63.255.255', true],
  ['172.32.0.1', true],
  ['2606:4700:4700::1111', true],
  ['0.0.0.0', false],
  ['10.255.255.255', false],
  ['100.64.0.1', false],
  ['127.8.8.8', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.0.0.1', false],
  ['192.0.2.1', false],
  ['192.88.99.1', false],
  ['192.168.1.1', false],
  ['198.19.0.1', false],
  ['198.51.100.1', false],
  ['203.0.113.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::808:808', false],
  ['64:ff9b:1::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['fc00::1', false],
  ['ff02::1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['3fff::1', false],
])('the address %s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

test('a URL is https, unless the operator allows otherwise, and has no password', async () => {
  const strict = await aServer({ RATE_LIMITS: 'off' })
  const call = strict.as(await aSignedInMember(strict.db)).webhooks
  const create = (url: string) => call.create({ url, events: ['review'] })
  for (const url of [
    'http://example.org/',
    'ftp://example.org/',
    'https://me:secret@example.org/',
    'https://example.org/#a',
    'https://example.org:25/',
    'https://example.org:5432/',
    'javascript:alert(1)',
    'https://',
    'x',
    `https://example.org/${'x'.repeat(2_000)}`,
  ])
    await expect(create(url), url).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/Please enter an https URL|<=2000/) as string,
    })
  await expect(call.create({ url: 'https://example.org', events: [] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  const { webhook } = await create(' https://EXAMPLE.org ')
  expect(webhook.url).toBe('https://example.org/')
  await expect(call.edit({ id: webhook.id, url: 'http://example.org' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  for (let count = 1; count < 5; count++) await create('https://example.org:8443/')
  await expect(create('https://example.org/')).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('the test event is attempted once', async () => {
  const receiver = await aReceiver(status(404))
  const { call, id, deliveries } = await aHook(receiver.url)
  await call.webhooks.test({ id })
  const worker = aWorker()
  await worker.deliver()
  await worker.deliver(day)
  expect(bodies(receiver)).toMatchObject([{ type: 'webhook.test', data: { webhookId: id } }])
  expect(await deliveries()).toMatchObject([{ type: 'webhook.test', status: 404, nextAttemptAt: null }])
})

test('at most 10 test events of a webhook wait, and further ones are refused', async () => {
  const { call, id, deliveries } = await aHook('http://127.0.0.1:9/')
  const outcomes = await Promise.allSettled(Array.from({ length: 15 }, () => call.webhooks.test({ id })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'TOO_MANY_REQUESTS', retryAfter: 60 },
  })
  expect(await deliveries()).toHaveLength(10)
})

test('the owner is notified of a new webhook, and a new password disables it', async () => {
  const receiver = await aReceiver()
  const { member, call, id, deliveries, state } = await aHook(receiver.url)
  const mails = () => mailsTo(db, `${member.username}@example.org`)
  expect(await mails()).toMatchObject([{ text: expect.not.stringContaining(receiver.url) }])
  const later = as(member, { now: new Date(Date.now() + hour) })
  await later.webhooks.edit({ id, url: receiver.url, events: ['review'] })
  expect(await mails()).toHaveLength(1)
  await later.webhooks.edit({ id, url: `${receiver.url}/elsewhere` })
  expect(await mails()).toHaveLength(2)
  await call.reviews.save({ movieId: await aTitle(db), rating: 4 })
  const token = newToken()
  await insertMailToken(db, {
    tokenHash: hashToken(token),
    userId: member.id,
    purpose: 'reset',
    expiresAt: new Date(Date.now() + hour),
  })
  await as(null).accounts.resetPassword({ token, newPassword: 'another password' })
  expect(await state()).toMatchObject({ disabledAt: expect.any(String) as string })
  const worker = aWorker()
  await worker.deliver()
  expect(receiver.received).toEqual([])
  expect(await deliveries()).toMatchObject([{ error: messages.webhookWasDisabled, nextAttemptAt: null }])
  const texts = {
    notPublic: 'The host has no public address, or the URL is not https on port 443 or 8443.',
    suspended: messages.webhookSuspended,
    hostNotFound: 'The host was not found.',
    certificate: 'The certificate is not valid.',
    connection: 'The connection failed.',
    gone: 'The comment or reaction was deleted before the delivery.',
    'The text that an earlier version stored.': 'The text that an earlier version stored.',
  }
  for (const [error, text] of Object.entries(texts)) {
    await db.updateTable('webhook_deliveries').set({ error }).where('webhook_id', '=', id).execute()
    expect(await deliveries()).toMatchObject([{ error: text }])
  }
  const ended = { code: 'UNAUTHORIZED' }
  await expect(call.webhooks.edit({ id, isEnabled: true })).rejects.toMatchObject(ended)
  const again = { url: receiver.url, events: ['review' as const] }
  await expect(call.webhooks.create(again)).rejects.toMatchObject(ended)
  const { sessionHash } = await aSignedInMember(db)
  await db.updateTable('sessions').set({ user_id: member.id }).where('token_hash', '=', sessionHash).execute()
  await as({ ...member, sessionHash }).webhooks.edit({ id, isEnabled: true })
  await worker.deliver()
  expect(receiver.received).toEqual([])
})

test('deliveries are kept for 30 days, and at most a number of each webhook', async () => {
  const { call, id, deliveries } = await aHook('http://127.0.0.1:9/')
  for (let count = 0; count < 4; count++) await call.webhooks.test({ id })
  const ids = (await deliveries()).map((delivery) => delivery.id)
  const remove = (ageMs: number, kept: number) =>
    removeDeliveries(db, id, new Date(Date.now() + ageMs), kept, 100)
  // Pending deliveries are kept until they are too old.
  expect(await remove(-hour, 0)).toBe(0)
  await db.deleteFrom('tasks').where('key', '>', ids.at(-1)!.slice('msg_'.length)).execute()
  expect(await remove(-hour, 0)).toBe(3)
  expect(await remove(hour, 0)).toBe(1)
  expect(await deliveries()).toEqual([])
  for (let count = 0; count < 4; count++) await call.webhooks.test({ id })
  ids.splice(0, 4, ...(await deliveries()).map((delivery) => delivery.id))
  await removeTasks(db, 'webhooks', 'owner', [String(id)])
  expect(await remove(-hour, 3)).toBe(1)
  expect((await deliveries()).map((delivery) => delivery.id)).toEqual(ids.slice(0, 3))
  expect(await remove(hour, 3)).toBe(3)
})

test('deliveries that wait do not keep later ones from being removed', async () => {
  const { id } = await aHook('http://127.0.0.1:9/')
  const row = { webhook_id: id, event: 'favorite' as const, action: 'created' as const, thing_id: 1 }
  for (let at = 0; at < 6; at++) {
    await db.insertInto('webhook_deliveries').values(row).execute()
    if (at === 2)
      await db.updateTable('tasks').set({ owner: 'waits' }).where('owner', '=', String(id)).execute()
  }
  await removeTasks(db, 'webhooks', 'owner', [String(id)])
  expect(await removeDeliveries(db, id, new Date(0), 1, 2)).toBe(2)
  expect(await removeDeliveries(db, id, new Date(0), 1, 2)).toBe(0)
})
