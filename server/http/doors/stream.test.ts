import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { insertAccessToken, removeSession } from '#server/accounts/sessions-store.ts'
import { hashToken, newAccessToken } from '#server/accounts/rules.ts'
import { openDatabase } from '#server/db/open.ts'
import { aMember, aServer, aSession, aSignedInMember, aTitle } from '#server/testing.ts'
import type { LiveEvent } from '#shared/contracts/reviews.ts'
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
async function follow(query: string, token?: string, path = '/reviews/live') {
  const closing = new AbortController()
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}${path}?${query}`, { signal: closing.signal, headers })
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

test('a stream beyond the limit of an address is refused with the time until a retry', async () => {
  const limited = await aServer()
  const limitedApp = await buildApp(limited.services, { web: noWeb })
  onTestFinished(() => limitedApp.close())
  const movieId = await aTitle(limited.db)
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const caller = { address: '127.0.0.1', isFromMember: true, signal: leaving.signal, member: null }
  for (let stream = 0; stream < 100; stream++)
    limited.services.live.subscribe({ id: movieId, kind: 'movie' }, caller)
  const { statusCode, headers } = await limitedApp.inject(`/reviews/live?movieId=${movieId}`)
  expect([statusCode, headers['retry-after']]).toEqual([429, '10'])
})

describe('a stream that was opened with a token ends', () => {
  type Person = Awaited<ReturnType<typeof aSignedInMember>>
  async function anAdmin() {
    const { id, username } = await aMember(db)
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
    return as({ id, username, role: 'admin' })
  }
  const send = (method: string, path: string, token: string) =>
    fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  /** Ends the session, or the access token, of a member. */
  const endings: Record<string, (member: Person, token: string) => Promise<unknown>> = {
    'after a logout': (_member, token) => send('POST', '/auth/logout', token),
    'after a logout on another connection to the database': async (_member, token) => {
      const other = openDatabase(server.config)
      onTestFinished(() => other.destroy())
      await removeSession(other, hashToken(token))
    },
    'once it expires': (_member, token) =>
      db
        .updateTable('sessions')
        .set({ expires_at: new Date(Date.now() + 100).toISOString() })
        .where('token_hash', '=', hashToken(token))
        .execute(),
    'when moderators log the member out': async ({ id }) => (await anAdmin()).admin.logOut({ id }),
    'when the member is suspended': async ({ id }) => {
      const call = (await anAdmin()).moderation
      const opened = await call.open({ target: { type: 'user', id } })
      await call.decide({ id: opened.case.id, action: 'suspend' })
    },
    'when the member gets a role': async ({ id }) =>
      (await anAdmin()).admin.setRole({ id, role: 'moderator' }),
    'when the access token is revoked': async ({ id }) =>
      db.deleteFrom('api_tokens').where('user_id', '=', id).execute(),
  }

  test.each(Object.keys(endings))('%s', async (name) => {
    const member = await aSignedInMember(db)
    const isAccessToken = name.includes('access token')
    const token = isAccessToken ? newAccessToken() : await aSession(db, member)
    if (isAccessToken)
      await insertAccessToken(
        db,
        { userId: member.id, tokenHash: hashToken(token), name: 'Bot', scopes: 'read', expiresAt: null },
        new Date(),
      )
    const query = `movieId=${await aTitle(db)}`
    const streams = [await follow(query, token), await follow('', token, '/notifications/live')]
    const other = await follow(query)
    for (const stream of [...streams, other]) expect(await stream.next()).toBeDefined()
    await endings[name]!(member, token)
    for (const stream of streams) {
      let event = await stream.next()
      // A suspension changes the ratings and the notifications at the same time.
      while (event !== undefined) event = await stream.next()
    }
    expect(server.services.live.count()).toBe(1)
    other.close()
    await expect.poll(() => server.services.live.count()).toBe(0)
  })

  test('not when visitors are kept out, who lose theirs, and members get events and can open more', async () => {
    const member = await aSignedInMember(db)
    const token = await aSession(db, member)
    const movieId = await aTitle(db)
    const [ofMember, ofVisitor] = [
      await follow(`movieId=${movieId}`, token),
      await follow(`movieId=${movieId}`),
    ]
    for (const stream of [ofMember, ofVisitor]) expect(await stream.next()).toBeDefined()
    const call = await anAdmin()
    await call.site.change({ visitorsMayRead: false })
    try {
      expect(await ofVisitor.next()).toBeUndefined()
      const later = await follow(`movieId=${movieId}`, token)
      expect(await later.next()).toBeDefined()
      await as(member).reviews.save({ movieId, rating: 3 })
      for (const stream of [ofMember, later]) {
        expect(await stream.next()).toMatchObject({ ratings: { total: 1 } })
        stream.close()
      }
      expect((await fetch(`${origin}/reviews/live?movieId=${movieId}`)).status).toBe(401)
    } finally {
      await call.site.change({ visitorsMayRead: true })
    }
    await expect.poll(() => server.services.live.count()).toBe(0)
  })
})
