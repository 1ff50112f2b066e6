import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { messages } from '#shared/messages.ts'
import { overload } from '#scripts/bench/overload.ts'
import { buildApp } from '#server/app.ts'
import { aServer } from '#server/testing.ts'
import { noWeb } from './web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })

test('who is refused reads why at either door, a browser gets the plain page, and the health check goes on', async () => {
  const app = await buildApp(server.services, { web: noWeb })
  await app.ready()
  const holdUp = async (ms: number) => {
    const until = performance.now() + ms
    while (performance.now() < until);
    await wait(1)
    return app.inject('/movies/popular')
  }
  // One pause, however long, refuses nobody.
  expect((await holdUp(2_500)).statusCode).toBe(200)
  await holdUp(800)
  await holdUp(800)
  const ask = (url: string, accept = 'application/json') =>
    Promise.all(Array.from({ length: 40 }, () => app.inject({ url, headers: { accept } })))
  const answers = {
    rest: await ask('/movies/popular'),
    trpc: await ask('/trpc/movies.popular?input={}'),
    page: await ask('/', 'text/html'),
  }
  for (const health of await ask('/healthz')) expect(health.statusCode).toBe(200)
  for (const all of Object.values(answers)) {
    expect(new Set(all.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
    for (const one of all.filter(({ statusCode }) => statusCode === 503))
      expect(one.headers['retry-after']).toBe('5')
  }
  const refused = (all: typeof answers.rest) => all.find(({ statusCode }) => statusCode === 503)!
  expect(refused(answers.rest).json()).toEqual({ code: 'SERVICE_UNAVAILABLE', message: messages.busy })
  expect(refused(answers.trpc).json()).toMatchObject({
    error: { message: messages.busy, data: { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 } },
  })
  expect(refused(answers.page).body).toContain('<!doctype html>')
  // The next look finds the queue gone.
  await wait(2_500)
  for (const answer of await ask('/movies/popular')) expect(answer.statusCode).toBe(200)
  await app.close()
}, 30_000)

test('under far more load than it can bear, it answers what it can, refuses the rest at once, and is soon as before', async () => {
  const found = await overload({ seconds: 4, reviews: 20_000 })
  expect(found.failed).toBe(0)
  // A machine with too much else to do does not send enough to be refused; then nobody may wait long.
  if (found.shed === 0) expect(found.successes.p99Ms).toBeLessThan(3_000)
  expect(found.served).toBeGreaterThan(found.capacity / 3)
  expect(found.successes.p99Ms).toBeLessThan(10_000)
  expect(found.refusals.withRetryAfter).toBe(found.refusals.count)
  expect(found.normalAfterMs).toBeLessThan(5_000)
  expect(found.memoryMB.most - found.memoryMB.before).toBeLessThan(200)
  // Logins take what is left over, and not what reads need.
  expect(found.reads.logins).toBeGreaterThan(0)
  expect(found.reads.besideLogins.count).toBeGreaterThan(found.reads.alone.count / 5)
  expect(found.reads.besideLogins.p99Ms).toBeLessThan(2_000 + 3 * found.reads.alone.p99Ms)
}, 120_000)
