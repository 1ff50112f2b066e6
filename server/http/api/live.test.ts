import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { aMember, aServer, aTitle } from '#server/testing.ts'
import type { LiveEvent } from '#shared/reviews.ts'
import { noWeb } from '#server/http/pages/web.ts'

const server = await aServer({ RATE_LIMITS: 'off' })
const { db, as } = server
const app = await buildApp(server.services, { web: noWeb })
let origin: string
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

/** Opens a stream. `next` returns the data of the next event; undefined at the end. */
async function follow(query: string) {
  const closing = new AbortController()
  const response = await fetch(`${origin}/reviews/live?${query}`, { signal: closing.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    close: () => closing.abort(),
    async next(): Promise<LiveEvent | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const event = text.slice(0, end)
          text = text.slice(end + 2)
          if (event.startsWith('data: ')) return JSON.parse(event.slice(6)) as LiveEvent
          continue
        }
        const { value, done } = await reader.read()
        if (done) return undefined
        text += value
      }
    },
  }
}

test('a stream has the current ratings, then each change, and any origin may read it', async () => {
  const movieId = await aTitle(db)
  const member = await aMember(db)
  const stream = await follow(`movieId=${movieId}`)
  expect(stream.response.status).toBe(200)
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await stream.next()).toMatchObject({ ratings: { total: 0, avg: null }, reviews: [] })
  const { review } = await as(member).reviews.save({ movieId, rating: 4, text: 'Live.' })
  expect(await stream.next()).toMatchObject({
    ratings: { total: 1, avg: 4 },
    reviews: [{ id: review.id, userId: member.id, isListed: true }],
  })
  expect(server.services.live.count()).toBe(1)
  stream.close()
  await expect.poll(() => server.services.live.count()).toBe(0)
})

test('a stream ends when the server shuts down', async () => {
  const stream = await follow(`itemId=${await aTitle(db)}`)
  expect(await stream.next()).toBeDefined()
  server.services.live.end()
  expect(await stream.next()).toBeUndefined()
})

test.each([
  ['', 400],
  ['movieId=1&bookId=1', 400],
  ['movieId=x', 400],
  ['movieId=1&movieId=2', 400],
  ['movieId=99999999', 404],
])('the query %j is a %i', async (query, status) => {
  const response = await fetch(`${origin}/reviews/live?${query}`)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ message: expect.any(String) as string })
})
