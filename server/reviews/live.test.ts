import { openInboxWatch } from '#server/notifications/watch.ts'
import { sql } from 'kysely'
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { EventSource } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LiveEvent } from '#shared/contracts/reviews.ts'
import { type Bar, countRatings, toTenths } from '#shared/domain/ratings.ts'
import { messages } from '#shared/texts/messages.ts'
import { slowness } from '#scripts/testing/event-loop.ts'
import { buildApp } from '#server/app.ts'
import type { AppRouter } from '#server/router.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { type Live, openLive } from './live.ts'

const server = await aServer()
const { db, as, config, services } = server
const log = { warn: () => {} }

/** Subscribes to a title. `first` is the first event, which has the current ratings; `next` waits for the next one. */
async function subscribe(titleId: number, live: Live = services.live) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const events = live.subscribe(
    { id: titleId, kind: 'movie' },
    { address: 'here', isFromMember: false, signal: leaving.signal, member: null },
  )
  const next = async () => (await events.next()).value as LiveEvent
  return { first: await next(), next, events, leave: () => leaving.abort() }
}

/** The counts of these ratings, each given once. */
function ratingsOf(...stars: Bar[]) {
  const { sum: _, ...counted } = countRatings(stars.map((rating) => ({ rating: toTenths(rating) })))
  return counted
}

/** Opens separate live updates whose bursts end when the test calls `endBurst`. */
async function openManualLive(options: { max?: number; reserved?: number; perNetworkMax?: number[] } = {}) {
  const waiting: (() => void)[] = []
  const burst = () => new Promise<void>((resolve) => waiting.push(resolve))
  const live = await openLive({ config, db, log, inboxes: openInboxWatch(db, log), burst, ...options })
  onTestFinished(() => live.close())
  return {
    live,
    /** Resolves when changes of this many titles are being collected. */
    collecting: (titles: number) => expect.poll(() => waiting.length).toBe(titles),
    endBurst: () => waiting.splice(0).forEach((resolve) => resolve()),
  }
}

describe('a subscriber of a title', () => {
  test('gets the current ratings, then new reviews with only their id and the author’s id', async () => {
    const author = await aMember(db)
    const movieId = await aTitle(db)
    await as(author).reviews.save({ movieId, rating: 4 })
    const { first, next } = await subscribe(movieId)
    expect(first).toEqual({
      ratings: { ...ratingsOf(4), avg: 4 },
      reviews: [],
    })
    const other = await aMember(db)
    const { review } = await as(other).reviews.save({ movieId, rating: 1, text: 'No.' })
    let event = await next()
    // On Postgres, the notification of the first rating may arrive late, before or after the second rating is saved.
    while (event.reviews.length === 0) event = await next()
    expect(event).toEqual({
      ratings: { ...ratingsOf(1, 4), avg: 2.5 },
      reviews: [{ id: review.id, userId: other.id, isListed: true }],
    })
  })

  test('gets a rating without a text as ratings only, and a text added later as a new review', async () => {
    const author = await aMember(db)
    const movieId = await aTitle(db)
    const { next } = await subscribe(movieId)
    const { review } = await as(author).reviews.save({ movieId, rating: 2 })
    expect(await next()).toMatchObject({ ratings: { avg: 2 }, reviews: [] })
    await as(author).reviews.edit({ id: review.id, text: 'After all.' })
    expect((await next()).reviews).toEqual([{ id: review.id, userId: author.id, isListed: true }])
    await as(author).reviews.edit({ id: review.id, rating: 5 })
    expect(await next()).toMatchObject({ ratings: { avg: 5 }, reviews: [] })
    await as(author).reviews.remove({ id: review.id })
    expect(await next()).toMatchObject({
      ratings: { avg: null, total: 0 },
      reviews: [{ id: review.id, isListed: false }],
    })
  })

  test('gets no events of other titles', async () => {
    const author = await aMember(db)
    const [movieId, otherId] = [await aTitle(db), await aTitle(db)]
    const { next } = await subscribe(movieId)
    await as(author).reviews.save({ movieId: otherId, rating: 1, text: 'Elsewhere.' })
    await as(author).reviews.save({ movieId, rating: 4 })
    expect(await next()).toMatchObject({ ratings: { total: 1, avg: 4 }, reviews: [] })
  })

  test('gets one event for a burst of changes', async () => {
    const { live, collecting, endBurst } = await openManualLive()
    const [movieId, otherId] = [await aTitle(db), await aTitle(db)]
    const [{ next }] = await Promise.all([subscribe(movieId, live), subscribe(otherId, live)])
    await as(await aMember(db)).reviews.save({ movieId, rating: 2 })
    for (const [id, isListed] of [
      [1, true],
      [2, true],
      [1, false],
    ] as const)
      live.publish({ subject: { media_id: movieId, part_id: null }, review: { id, userId: 7, isListed } })
    // Messages arrive in order, so everything sent before this one has arrived too.
    live.publish({ subject: { media_id: otherId, part_id: null } })
    await collecting(2)
    endBurst()
    expect(await next()).toEqual({
      ratings: { ...ratingsOf(2), avg: 2 },
      reviews: [
        { id: 2, userId: 7, isListed: true },
        { id: 1, userId: 7, isListed: false },
      ],
    })
  })

  test('that reads slowly gets any number of changes in one event with the last 100 reviews', async () => {
    const movieId = await aTitle(db)
    const { next } = await subscribe(movieId)
    const quick = await subscribe(movieId)
    for (let id = 1; id <= 300; id++)
      services.live.publish({
        subject: { media_id: movieId, part_id: null },
        review: { id, userId: 1, isListed: true },
      })
    for (;;) if ((await quick.next()).reviews.some(({ id }) => id === 300)) break
    const { reviews } = await next()
    expect(reviews.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => 201 + index))
  })

  test('is removed when it disconnects, whether or not it had started to read', async () => {
    const movieId = await aTitle(db)
    const before = services.live.count()
    const subscribers = await Promise.all([subscribe(movieId), subscribe(movieId)])
    const waiting = subscribers[0].events.next()
    const leaving = new AbortController()
    services.live.subscribe(
      { id: movieId, kind: 'movie' },
      { address: 'here', isFromMember: false, signal: leaving.signal, member: null },
    )
    const gone = services.live.subscribe(
      { id: movieId, kind: 'movie' },
      { address: 'here', isFromMember: false, signal: AbortSignal.abort(), member: null },
    )
    expect(services.live.count()).toBe(before + 3)
    leaving.abort()
    for (const { leave } of subscribers) leave()
    expect(services.live.count()).toBe(before)
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await gone.next()).toEqual({ done: true, value: undefined })
  })

  describe('is limited', () => {
    const tooMany = expect.objectContaining({
      code: 'TOO_MANY_REQUESTS',
      message: messages.tooManyRequests,
      retryAfter: 10,
    })
    const busy = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
    const aListener = async (options: Parameters<typeof openManualLive>[0]) => {
      const { live } = await openManualLive(options)
      const movieId = await aTitle(db)
      const leaving = new AbortController()
      const { signal } = leaving
      return {
        live,
        leave: () => leaving.abort(),
        open: (address: string, isFromMember = false) =>
          void live.subscribe(
            { id: movieId, kind: 'movie' },
            { address, isFromMember, signal, member: null },
          ),
      }
    }

    test('per address and in total', async () => {
      const { live, open, leave } = await aListener({ max: 4, reserved: 0, perNetworkMax: [2, 3] })
      for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2']) open(address)
      expect(() => open('192.0.2.1')).toThrow(tooMany)
      open('192.0.2.2')
      expect(() => open('192.0.2.3')).toThrow(busy)
      leave()
      expect(live.count()).toBe(0)
      open('192.0.2.1')
    })

    test('per IPv6 /64, and per /48', async () => {
      const { open } = await aListener({ max: 100, reserved: 0, perNetworkMax: [2, 3] })
      for (const address of ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1']) open(address)
      expect(() => open('2001:db8:1:1::3')).toThrow(tooMany)
      expect(() => open('2001:db8:1:3::1')).toThrow(tooMany)
      open('2001:db8:2:1::1')
    })

    test('with a reserve for members', async () => {
      const { open } = await aListener({ max: 4, reserved: 2 })
      for (const address of ['192.0.2.1', '192.0.2.2']) open(address)
      expect(() => open('192.0.2.3')).toThrow(busy)
      for (const address of ['192.0.2.4', '192.0.2.5']) open(address, true)
      expect(() => open('192.0.2.6', true)).toThrow(busy)
    })

    test('so that one /48 cannot use up all streams', async () => {
      const { live, open } = await aListener({})
      let refused = 0
      for (let network = 0; network < 20; network++)
        for (let stream = 0; stream < 100; stream++)
          try {
            open(`2001:db8:1:${network}::1`)
          } catch {
            refused++
          }
      expect([live.count(), refused]).toEqual([200, 1_800])
      open('192.0.2.1')
    })
  })
})

describe('a change is published', () => {
  /** Returns a caller for an author, and the average ratings in the database at the moments when changes were published. */
  async function recordPublished(database = db) {
    const author = await aMember(db)
    const movieId = await aTitle(db)
    const published: Promise<number | undefined>[] = []
    const publish: Live['publish'] = ({ subject }) =>
      void published.push(
        as()
          .movies.overallRating({ id: subject.media_id! })
          .then(({ avg }) => avg ?? 0),
      )
    const call = as(author, { services: { db: database, live: { ...services.live, publish } } })
    return { call: call.reviews, movieId, published: () => Promise.all(published) }
  }

  test('once it is committed, unless only the words of a text changed', async () => {
    const { call, movieId, published } = await recordPublished()
    const { review } = await call.save({ movieId, rating: 3, text: 'One.' })
    await call.edit({ id: review.id, text: 'Two.' })
    await call.save({ movieId, rating: 3 })
    expect(await published()).toEqual([3])
    await call.edit({ id: review.id, rating: 5 })
    await published()
    await call.remove({ id: review.id })
    expect(await published()).toEqual([3, 5, 0])
  })

  test('never if its transaction was rolled back', async () => {
    const failing = Object.create(db) as typeof db
    failing.transaction = () =>
      ({
        execute: (work: (trx: typeof db) => Promise<unknown>) =>
          db.transaction().execute(async (trx) => {
            await work(trx)
            throw new Error('The disk is full.')
          }),
      }) as never
    const { call, movieId, published } = await recordPublished(failing)
    await expect(call.save({ movieId, rating: 3, text: 'Lost.' })).rejects.toThrow('full')
    expect(await published()).toEqual([])
  })
})

test.skipIf(!config.databaseUrl)(
  'two processes on one Postgres get each other’s changes, also after a reconnect',
  async () => {
    const there = await openLive({ config, db, log, inboxes: openInboxWatch(db, log), burst: async () => {} })
    onTestFinished(() => there.close())
    const author = await aMember(db)
    const movieId = await aTitle(db)
    const [here, other] = await Promise.all([subscribe(movieId), subscribe(movieId, there)])
    const { review } = await as(author).reviews.save({ movieId, rating: 5, text: 'Both.' })
    const changes = [{ id: review.id, userId: author.id, isListed: true }]
    expect((await here.next()).reviews).toEqual(changes)
    expect((await other.next()).reviews).toEqual(changes)

    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'medley_reviews'`.execute(db)
    // Both reconnect and send the current ratings, because messages may have been lost.
    expect(await other.next()).toMatchObject({ ratings: { avg: 5 }, reviews: [] })
    expect(await here.next()).toMatchObject({ ratings: { avg: 5 }, reviews: [] })
    await as(author).reviews.edit({ id: review.id, rating: 1 })
    expect(await other.next()).toMatchObject({ ratings: { avg: 1 } })
    expect(await here.next()).toMatchObject({ ratings: { avg: 1 } })
    // Invalid messages are ignored.
    await sql`select pg_notify('medley_reviews', 'nonsense')`.execute(db)
    await as(author).reviews.edit({ id: review.id, rating: 2 })
    expect(await other.next()).toMatchObject({ ratings: { avg: 2 } })
  },
)

describe('over HTTP', () => {
  let url: string
  const lines: { path: string; ms: number; msg: string }[] = []
  const logger = Object.assign(Object.create(null), {
    level: 'info',
    ...Object.fromEntries(
      ['warn', 'error', 'fatal', 'debug', 'trace', 'silent'].map((name) => [name, () => {}]),
    ),
    info: (fields: { path: string; ms: number } | string, msg: string) =>
      typeof fields === 'string' || lines.push({ ...fields, msg }),
    child: () => logger,
  })

  async function listen(one = services) {
    const app = await buildApp(one, { web: noWeb, logger })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return { app, address }
  }
  let app: Awaited<ReturnType<typeof listen>>['app']
  beforeAll(async () => {
    ;({ app, address: url } = await listen())
  })
  afterAll(() => app.close())

  const streamOf = (base: string, id: number, signal?: AbortSignal) =>
    fetch(`${base}/trpc/reviews.live?input=${encodeURIComponent(JSON.stringify({ movieId: id }))}`, {
      signal: signal ?? null,
    })

  test('tRPC’s own client subscribes without a token, and unsubscribing closes its stream', async () => {
    const movieId = await aTitle(db)
    const client = createTRPCClient<AppRouter>({
      links: [httpSubscriptionLink({ url: `${url}/trpc`, EventSource: EventSource as never })],
    })
    const events: LiveEvent[] = []
    const { unsubscribe } = client.reviews.live.subscribe(
      { movieId },
      { onData: (event) => events.push(event) },
    )
    await expect.poll(() => events).toHaveLength(1)
    await as(await aMember(db)).reviews.save({ movieId, rating: 4, text: 'Live.' })
    await expect.poll(() => events).toHaveLength(2)
    expect(events[1]).toMatchObject({ ratings: { avg: 4 }, reviews: [{ isListed: true }] })
    // Logged when it opened, not when it ends.
    expect(lines.filter(({ path }) => path === '/trpc/reviews.live')).toMatchObject([{ msg: 'stream' }])
    unsubscribe()
    await expect.poll(() => services.live.count()).toBe(0)
  })

  test('an invalid subscription returns an error message, and REST has no stream', async () => {
    const words = async (input: object) =>
      (await fetch(`${url}/trpc/reviews.live?input=${encodeURIComponent(JSON.stringify(input))}`)).text()
    expect(await words({ movieId: 987654321 })).toContain('Movie not found.')
    expect(await words({})).toContain(messages.oneSubject)
    expect((await fetch(`${url}/reviews/live`)).status).not.toBe(200)
  })

  test('a stream beyond the limit returns 503 with a message, and is accepted once another has closed', async () => {
    const { live } = await openManualLive({ max: 1 })
    const { app, address } = await listen({ ...services, live })
    onTestFinished(() => app.close())
    const movieId = await aTitle(db)
    const leaving = new AbortController()
    const first = await streamOf(address, movieId, leaving.signal)
    expect(first.headers.get('content-type')).toBe('text/event-stream')
    const refused = await (await streamOf(address, movieId)).text()
    expect(refused).toContain(messages.busy)
    expect(refused).toContain('"httpStatus":503')
    leaving.abort()
    await expect.poll(() => live.count()).toBe(0)
    const again = await streamOf(address, movieId)
    expect(live.count()).toBe(1)
    await again.body!.cancel()
  })

  test('a shutdown ends all streams within a second, with SERVICE_UNAVAILABLE so that clients reconnect', async () => {
    const { live } = await openManualLive()
    const { app, address } = await listen({ ...services, live })
    const movieId = await aTitle(db)
    const streams = await Promise.all([streamOf(address, movieId), streamOf(address, movieId)])
    const texts = Promise.all(streams.map((stream) => stream.text()))
    await expect.poll(() => live.count()).toBe(2)
    // Counts ticks, because a timer runs only once after a machine stalls.
    let tenths = 0
    const timer = setInterval(() => tenths++, 100)
    onTestFinished(() => clearInterval(timer))
    await app.close()
    expect(tenths).toBeLessThan(10 * slowness())
    for (const text of await texts) expect(text).toContain('"code":"SERVICE_UNAVAILABLE"')
    expect(live.count()).toBe(0)
  })
})
