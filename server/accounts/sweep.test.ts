import { features } from '#server/router.ts'
import { expect, test } from 'vitest'
import {
  aMember,
  anUpload,
  aServer,
  aTitle,
  mailsTo,
  findCounterFaults,
  recountAll,
} from '#server/testing.ts'
import { removeStale } from './sweep.ts'

const server = await aServer()
const { db } = server
const start = new Date('2026-05-01T12:00:00.000Z')
const day = 24 * 60 * 60_000
const later = (ms: number) => new Date(start.getTime() + ms)
const visitor = server.as(null, { now: start }).accounts
const password = 'correct horse'
const usersCalled = (username: string) =>
  db.selectFrom('users').select(['id', 'username']).where('username', '=', username).execute()

test('an unverified account is removed after seven days, which frees its username and email', async () => {
  const person = { username: 'squatter', email: 'squatter@example.org', password }
  await visitor.register({ ...person, profilePicture: await anUpload(db) })
  expect(await removeStale(db, features, later(7 * day))).toBe(0)
  expect(await usersCalled('squatter')).toHaveLength(1)
  expect(await removeStale(db, features, later(7 * day + 1))).toBe(1)
  expect(await usersCalled('squatter')).toEqual([])
  expect(await db.selectFrom('mail_tokens').selectAll().execute()).toEqual([])
  await server.as(null, { now: later(8 * day) }).accounts.register(person)
})

test('verified accounts and demo accounts are not removed', async () => {
  const { id } = await aMember(db, 'demo-member')
  await db.updateTable('users').set({ verified_at: null, is_demo: 1 }).where('id', '=', id).execute()
  await aMember(db, 'verified-member')
  await removeStale(db, features, later(700 * day))
  expect(await usersCalled('demo-member')).toHaveLength(1)
  expect(await usersCalled('verified-member')).toHaveLength(1)
})

test('the data of removed accounts is removed, and all counters are correct', async () => {
  const stale = [await aMember(db), await aMember(db)]
  const others = [await aMember(db), await aMember(db), await aMember(db)]
  const everyone = [...stale, ...others]
  const movieId = await aTitle(db)
  for (const member of everyone) {
    for (const { id } of everyone)
      if (id !== member.id) await server.as(member).social.follow({ userIdToFollow: id })
    await server.as(member).reviews.save({ movieId, rating: 4, text: 'Watched it.' })
  }
  const [review] = await db.selectFrom('reviews').select('id').where('user_id', '=', others[0]!.id).execute()
  for (const member of stale) {
    await server.as(member).reviews.react({ id: review!.id, reaction: 'like' })
    await server.as(member).reviews.addComment({ id: review!.id, text: 'Me too.' })
  }
  const ids = stale.map(({ id }) => id)
  // One account has only follows, as in old data, the other one also reviews, reactions and comments.
  const [first, second] = ids
  for (const table of ['reviews', 'reactions', 'comments'] as const)
    await db.deleteFrom(table).where('user_id', '=', first!).execute()
  await recountAll(db)
  for (const id of [first!, second!]) {
    await db.updateTable('users').set({ verified_at: null }).where('id', '=', id).execute()
    expect(await removeStale(db, features, later(7 * day + 1))).toBe(1)
    expect(await findCounterFaults(db)).toEqual([])
  }
  const following = others.map(({ id }) => server.as().social.following({ id }))
  for (const { pagination } of await Promise.all(following)) expect(pagination.total).toBe(2)
})

test('two concurrent runs remove all accounts, each once', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => ({
    username: `bot-${index}`,
    username_folded: `bot-${index}`,
    search_text: `bot-${index}`,
    email: `bot-${index}@example.org`,
    email_folded: `bot-${index}@example.org`,
    created_at: start.toISOString(),
  }))
  await db.insertInto('users').values(rows).execute()
  const removed = await Promise.all([
    removeStale(db, features, later(8 * day)),
    removeStale(db, features, later(8 * day)),
  ])
  expect(removed[0]! + removed[1]!).toBe(250)
})

test('a link that is opened while its account is removed either works or throws BAD_REQUEST', async () => {
  for (let round = 0; round < 20; round++) {
    const username = `late-${round}`
    const email = `${username}@example.org`
    const atStart = server.as(null, { now: start }).accounts
    await atStart.register({ username, email, password })
    await server.as(null, { now: later(6.9 * day) }).accounts.resendVerification({ email })
    const token = /token=([\w-]{43})/.exec((await mailsTo(db, email)).at(-1)!.text)![1]!
    const now = later(7 * day + 1)
    const [verified, removed] = await Promise.allSettled([
      server.as(null, { now }).accounts.verifyEmail({ token }),
      removeStale(db, features, now),
    ])
    expect(removed.status).toBe('fulfilled')
    if (verified.status === 'rejected') expect(verified.reason).toMatchObject({ code: 'BAD_REQUEST' })
    expect(await usersCalled(username)).toHaveLength(verified.status === 'fulfilled' ? 1 : 0)
  }
})
