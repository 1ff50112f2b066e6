import { afterAll, expect, test } from 'vitest'
import { saveSeasons } from '#scripts/testing/episodes.ts'
import { slowness, withoutWatch } from '#scripts/testing/event-loop.ts'
import { buildApp } from '#server/app.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aServer, aSignedInMember, aTitle } from '#server/testing.ts'

const { db, as, services } = await aServer()
const app = await buildApp(services, { web: noWeb })
afterAll(() => app.close())

const days = (count: number) => Array.from({ length: count }, () => '2020-01-01')

/** How long the calls of a member take at most, in ms, beside a member who calls without a pause until the limits refuse it. */
async function waitBesideGreedy(): Promise<Record<'read' | 'write', number>> {
  const [greedy, other] = [await aSignedInMember(db), await aSignedInMember(db)]
  const [long, short] = [await aTitle(db, 'tvShow'), await aTitle(db, 'tvShow')]
  const seasons = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [at + 1, days(100)]))
  const last = (await withoutWatch(() => saveSeasons(db, long, seasons))).at(-1)
  const episodes = await saveSeasons(db, short, { 1: days(20) })
  const file = new URL((await as(greedy).progress.createCalendarLink()).url).pathname
  const callAs =
    ({ id, token }: { id: number; token: string }) =>
    async (url: string, method: 'GET' | 'PUT' | 'DELETE' = 'GET', payload?: object) => {
      const headers = { authorization: `Bearer ${token}` }
      const remoteAddress = `203.0.113.${id % 256}`
      return (await app.inject({ url, method, headers, remoteAddress, ...(payload && { payload }) }))
        .statusCode
    }

  const ask = callAs(greedy)
  const loops = [
    async () => {
      await ask(`/tv-shows/${long}/progress`, 'PUT', { upTo: last })
      return ask(`/tv-shows/${long}/progress?pass=1`, 'DELETE')
    },
    () => ask(file),
    () => ask('/calendar'),
    () => ask('/up-next'),
    () => ask(`/tv-shows/${long}/seasons`),
  ]
  const running = [...loops, ...loops].map(async (loop) => {
    while ((await loop()) !== 429);
  })
  const times = { read: 0, write: 0 }
  const call = callAs(other)
  async function timed(kind: keyof typeof times, send: () => Promise<number>) {
    const from = performance.now()
    expect(await send()).toBe(200)
    times[kind] = Math.max(times[kind], performance.now() - from)
  }
  for (const id of episodes) {
    await timed('write', () => call(`/tv-shows/${short}/progress`, 'PUT', { episodeIds: [id] }))
    await timed('read', () => call('/up-next'))
  }
  await Promise.all(running)
  return times
}

test('a member who marks a show of 5,000 episodes and reads calendars without a pause is refused in the end, and until then keeps no other member waiting', async () => {
  // SQLite has one writer, so that a write waits for the ones that came before it.
  const limitMs = { read: 500 * slowness(), write: 2_000 * slowness() }
  const times = { read: Infinity, write: Infinity }
  // More than once to rule out other programs.
  for (let run = 0; run < 3 && (times.read > limitMs.read || times.write > limitMs.write); run++) {
    const { read, write } = await waitBesideGreedy()
    times.read = Math.min(times.read, read)
    times.write = Math.min(times.write, write)
  }
  expect(times.read).toBeLessThan(limitMs.read)
  expect(times.write).toBeLessThan(limitMs.write)
})
