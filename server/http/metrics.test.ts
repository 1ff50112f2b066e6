import { setImmediate as nextTurn } from 'node:timers/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { withoutWatch } from '#scripts/testing/event-loop.ts'
import { enqueue } from '#server/db/tasks.ts'
import { insertMail } from '#server/accounts/mail-store.ts'
import { buildApp } from '#server/app.ts'
import { isSqlite } from '#server/db/dialect.ts'
import { checkMetrics, hasPromtool } from '#scripts/testing/promtool.ts'
import { api } from '#server/router.ts'
import { openApiDocument } from '#server/http/document/openapi-document.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { openMetrics, serveMetrics } from './metrics.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer()
const metrics = openMetrics(server.services)
const app = await buildApp(server.services, { web: noWeb, metrics })
const metricsServer = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await metricsServer.close()
  await app.close()
})

/** Scrapes the metrics. Returns the samples by name and labels. */
async function samples(): Promise<Map<string, number>> {
  const response = await metricsServer.inject('/metrics')
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = response.body.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}
const requests = (method: string, route: string, status: number) =>
  `http_requests_total{method="${method}",route="${route}",status="${status}"}`

test('requests are counted by route pattern; no id, query or text of a client appears', async () => {
  const id = await aTitle(server.db)
  const member = await aMember(server.db, 'measured')
  for (const url of [
    `/movies/${id}`,
    `/movies/${id}?x=secret`,
    '/movies/999999',
    `/users/${member.id}/profile`,
    '/trpc/movies.popular?input={}',
    '/nowhere/secret',
    '/uploads/secret-160.webp',
  ])
    await app.inject(url)
  await app.inject({ url: `/movies/${id}`, headers: { accept: 'text/html' } })
  await app.inject({ url: '/secret', headers: { accept: 'text/html' } })
  const measured = await samples()
  expect(measured.get(requests('GET', '/movies/:id', 200))).toBe(2)
  expect(measured.get(requests('GET', '/movies/:id', 404))).toBe(1)
  expect(measured.get(requests('GET', '/users/:id/profile', 200))).toBe(1)
  expect(measured.get(requests('GET', '/trpc/:path', 200))).toBe(1)
  // Unknown paths, and missing files.
  expect(measured.get(requests('GET', 'none', 404))).toBe(2)
  expect(measured.get(requests('GET', 'page', 200))).toBe(2)
  const names = [...measured.keys()].join('\n')
  expect(names).not.toMatch(/secret|measured|movies\.popular/)
  expect(names).not.toContain(`/movies/${id}`)
})

test('responses from the cache and others are counted', async () => {
  const count = async (result: string) =>
    (await samples()).get(`medley_visitor_responses_total{result="${result}"}`)!
  const [hits, misses] = [await count('hit'), await count('miss')]
  for (let call = 0; call < 3; call++) await app.inject('/games/popular?limit=9')
  expect([(await count('hit')) - hits, (await count('miss')) - misses]).toEqual([2, 1])
})

test('memory and event loop metrics of the process are reported', async () => {
  const measured = await samples()
  expect(measured.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(measured.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
})

test('the outbox reports how many emails wait, and for how long', async () => {
  expect((await samples()).get('medley_outbox_mails')).toBe(0)
  const mail = { to: 'private@example.org', subject: 'Hello', text: 'Hello' }
  await insertMail(server.db, mail, new Date(Date.now() - 60_000))
  await insertMail(server.db, mail, new Date())
  const measured = await samples()
  expect(measured.get('medley_outbox_mails')).toBe(2)
  expect(measured.get('medley_outbox_oldest_seconds')).toBeGreaterThanOrEqual(60)
  expect(measured.get('medley_outbox_oldest_seconds')).toBeLessThan(90)
})

test('the depth and the age of each queue are reported', async () => {
  await enqueue(server.db, { queue: 'webhooks', key: '1' }, new Date(Date.now() - 60_000))
  await enqueue(server.db, { queue: 'deletions', key: '1' }, new Date(Date.now() + 60_000))
  const measured = await samples()
  const of = (name: string) =>
    ['webhooks', 'deletions', 'imports'].map((queue) =>
      measured.get(`medley_queue_${name}{queue="${queue}"}`),
    )
  expect(of('tasks')).toEqual([1, 1, 0])
  expect(of('given_up')).toEqual([0, 0, 0])
  const [oldest, ...others] = of('oldest_seconds')
  expect(oldest).toBeGreaterThanOrEqual(60)
  expect(others).toEqual([0, 0])
})

test('process metrics are reported while the database is down', async () => {
  const broken = openMetrics({ ...server.services, db: undefined as never })
  const text = await broken.text()
  expect(text).toMatch(/^medley_outbox_mails Nan$/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d{8}/m)
})

test('the version, the members, the free disk space and the connections are reported', async () => {
  const measured = await samples()
  const { version } = packageJson
  expect(measured.get(`medley_build_info{version="${version}",node="${process.versions.node}"}`)).toBe(1)
  expect(measured.get('medley_members{state="verified"}')).toBeGreaterThanOrEqual(0)
  expect(measured.get('medley_disk_free_bytes')).toBeGreaterThan(0)
  const connections = ['busy', 'idle', 'waiting'].map((state) =>
    measured.get(`medley_database_connections{state="${state}"}`),
  )
  expect(connections.every((count) => (isSqlite(server.db) ? count === undefined : count! >= 0))).toBe(true)
})

test('a scrape takes at most 200 bytes for each documented call, and 20 KB for the rest', async () => {
  const { paths } = await withoutWatch(() => openApiDocument(api))
  let calls = 0
  for (const [path, methods] of Object.entries(paths!))
    for (const method of Object.keys(methods!))
      if (['get', 'post', 'put', 'patch', 'delete'].includes(method) && !path.endsWith('/live')) {
        await app.inject({ method: method.toUpperCase() as 'GET', url: path.replaceAll(/\{\w+\}/g, '1') })
        await nextTurn()
        calls++
      }
  const text = await metrics.text()
  expect(text.match(/^http_requests_total/gm)!.length).toBeGreaterThan(80)
  expect(Buffer.byteLength(text)).toBeLessThan(20_000 + calls * 200)
  const durationsOf = (kind: string) =>
    new RegExp(`^http_request_duration_seconds_count{kind="${kind}"} [1-9]`, 'm')
  for (const kind of ['api', 'page', 'trpc']) expect(text).toMatch(durationsOf(kind))
})

test.skipIf(!hasPromtool)('promtool finds no fault (requires Debian’s package prometheus)', async () => {
  expect(checkMetrics(await metrics.text())).toBe('')
  expect(checkMetrics('# TYPE requests_total gauge\nrequests_total 1\n')).toContain('requests_total')
})

test('the longest pause of the event loop is reported once', async () => {
  const pause = async () => (await samples()).get('medley_event_loop_pause_max_seconds')!
  // Node samples the event loop with a timer, which has to run before and after the pause.
  await wait(50)
  await withoutWatch(() => {
    const until = performance.now() + 300
    while (performance.now() < until);
  })
  await wait(50)
  expect(await pause()).toBeGreaterThan(0.25)
  await expect.poll(pause).toBeLessThan(0.25)
})

test.each(['/metrics', '/metrics/', '//metrics', '/metrics?x', '/METRICS', '/%6detrics', '/./metrics'])(
  'the public port does not serve %s',
  async (url) => {
    const response = await app.inject({ url })
    expect([response.statusCode, response.json().code]).toEqual([404, 'NOT_FOUND'])
  },
)

test('open streams are counted, and their duration is not a response time', async () => {
  const id = await aTitle(server.db)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = new AbortController()
  const input = encodeURIComponent(JSON.stringify({ movieId: id }))
  const before = (await samples()).get(requests('GET', '/trpc/:path', 200))
  await fetch(`${url}/trpc/reviews.live?input=${input}`, { signal: leaving.signal })
  await expect.poll(async () => (await samples()).get('medley_live_streams')).toBe(1)
  leaving.abort()
  await expect.poll(async () => (await samples()).get('medley_live_streams')).toBe(0)
  // A stream that the server ends.
  await (await fetch(`${url}/trpc/reviews.live?input=%7B%7D`)).text()
  expect((await samples()).get(requests('GET', '/trpc/:path', 200))).toBe(before)
})
