import { totalmem } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { messages } from '#shared/texts/messages.ts'
import { buildApp } from '#server/app.ts'
import { pause } from '#server/db/slices.ts'
import { aServer } from '#server/testing.ts'
import { sendError } from '#server/http/errors.ts'
import { memoryBytesMax, registerLoadShedding } from './load-shedding.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })

/** Blocks the event loop, and lets its delay be sampled. */
async function blockFor(ms: number): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  await wait(1)
}

test('refused requests get 503 on both transports, browsers get the app shell; the health check and cached responses are exempt', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  await app.ready()
  /** The same number of URLs, whose responses are not in the cache. */
  const fresh = (url: string) => Array.from({ length: 40 }, (_, at) => `${url}${at + 1}`)
  const blockEventLoop = async (ms: number) => {
    await blockFor(ms)
    return app.inject('/movies/popular')
  }
  // A single pause, however long, sheds no request.
  expect((await blockEventLoop(1_500)).statusCode).toBe(200)
  await blockEventLoop(800)
  await blockEventLoop(800)
  const request = (urls: string[], accept = 'application/json') =>
    Promise.all(urls.map((url) => app.inject({ url, headers: { accept } })))
  const same = (url: string) => Array<string>(40).fill(url)
  // All at once: the next sample may find a responsive event loop.
  const [rest, trpc, page, health, cached] = await Promise.all([
    request(fresh('/books/popular?limit=')),
    request(fresh('/trpc/movies.popular?input={"limit":').map((url) => `${url}}`)),
    request(fresh('/?'), 'text/html'),
    request(same('/healthz')),
    request(same('/movies/popular')),
  ])
  const responses = { rest, trpc, page }
  for (const { statusCode } of [...health, ...cached]) expect(statusCode).toBe(200)
  for (const all of Object.values(responses)) {
    expect(new Set(all.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
    for (const one of all.filter(({ statusCode }) => statusCode === 503))
      expect(one.headers['retry-after']).toBe('5')
  }
  const refused = (all: typeof responses.rest) => all.find(({ statusCode }) => statusCode === 503)!
  expect(refused(responses.rest).json()).toEqual({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
  expect(refused(responses.trpc).json()).toMatchObject({
    error: { message: messages.busy, data: { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 } },
  })
  expect(refused(responses.page).body).toContain('<!doctype html>')
  await vi.waitFor(async () => {
    const again = await request(fresh('/games/popular?limit='))
    for (const { statusCode } of again) expect(statusCode).toBe(200)
  })
  await app.close()
})

test('a few requests are served, however busy the processor is', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  await app.ready()
  const after = async (ms: number, urls: string[]) => {
    await blockFor(ms)
    return Promise.all(urls.map(async (url) => (await app.inject(url)).statusCode))
  }
  const few = (days: number) =>
    Array.from({ length: 20 }, (_, at) => `/tv-shows/popular?days=${days}&limit=${at + 1}`)
  // Sent repeatedly, because requests with a response are no longer in progress.
  for (const days of [1, 2, 3, 4]) expect(new Set(await after(700, few(days)))).toEqual(new Set([200]))
  await app.close()
})

test('shedding starts although each pause of the event loop is longer than a calm moment', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  await app.ready()
  /** Blocks the event loop, as the calls of many connections in one turn do, and then sends 40 at once. */
  const burst = async (url: string) => {
    await blockFor(1_500)
    const urls = Array.from({ length: 40 }, (_, at) => `${url}?limit=${at + 1}`)
    const responses = await Promise.all(urls.map((url) => app.inject(url)))
    return responses.filter(({ statusCode }) => statusCode === 503).length
  }
  // Without queries, whose pauses would be part of the average delay.
  expect(await burst('/nothing')).toBe(0)
  expect(await burst('/games/popular')).toBeGreaterThan(0)
  await app.close()
})

test('shedding starts when work waits long for its next slice, although the event loop turns', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  await app.ready()
  const ending = new AbortController()
  const busy = Array.from({ length: 150 }, async () => {
    while (!ending.signal.aborted) {
      await pause()
      const until = performance.now() + 6
      while (performance.now() < until);
    }
  })
  /** Sends 40 requests at once. */
  const burst = async (days: number) => {
    const urls = Array.from({ length: 40 }, (_, at) => `/books/popular?days=${days}&limit=${at + 1}`)
    const responses = urls.map((url) => app.inject(url))
    await wait(300)
    return responses
  }
  const bursts = []
  for (let days = 1; days <= 8; days++) bursts.push(...(await burst(days)))
  ending.abort()
  await Promise.all(busy)
  const statuses = (await Promise.all(bursts)).map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  await app.close()
})

test('above its limit of memory a server refuses most of many requests and none of a few', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler(sendError)
  const cache = { has: (key: string) => key === 'cached' }
  await registerLoadShedding(
    app,
    { cache, web: noWeb, config: { ...server.config, workers: 1, cacheBytes: 0 } },
    1,
  )
  app.get('/', async () => wait(50, {}))
  app.get('/cached', { config: { cacheKey: () => 'cached' } }, async () => ({}))
  app.get('/readyz', async () => ({}))
  const served = async (url: string, count: number) => {
    const responses = await Promise.all(Array.from({ length: count }, () => app.inject(url)))
    return responses.filter(({ statusCode }) => statusCode === 200).length
  }
  expect(await served('/', 20)).toBe(20)
  const [of1000, cached, ready] = await Promise.all([
    served('/', 1_000),
    served('/cached', 40),
    served('/readyz', 40),
  ])
  expect(of1000).toBeGreaterThan(100)
  expect(of1000).toBeLessThan(500)
  expect([cached, ready]).toEqual([40, 40])
})

test('the limit of memory is the container’s, and never far above the heap’s', () => {
  const gigabyte = 1024 ** 3
  const limit = (available: number, workers = 1) =>
    memoryBytesMax({ workers, cacheBytes: 0 }, available * gigabyte, 4 * gigabyte) / gigabyte
  expect(limit(0.5)).toBeCloseTo(0.45)
  expect(limit(2, 4)).toBeCloseTo(0.45)
  expect(limit(64)).toBe(5)
  expect(memoryBytesMax({ workers: 1, cacheBytes: 0 })).toBeLessThanOrEqual(totalmem())
})
