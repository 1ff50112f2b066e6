import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadStarter } from '#server/catalogue/starter/load.ts'
import { findCounterFaults } from '#server/db/counters.ts'
import { aMember, aServer } from '#server/testing.ts'
import { demoSignIn, loadCommunity, planCommunity, removeCommunity } from './community.ts'

const { as, db, config } = await aServer()
const now = new Date('2026-06-15T12:00:00.000Z')
await loadStarter(db, now)

const count = async (table: 'users' | 'reviews' | 'follows' | 'comments' | 'reactions' | 'favorites') =>
  (
    await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

test('the plan is the same each time, and nothing in it lies in the future', () => {
  const plan = planCommunity(now)
  expect(planCommunity(now)).toEqual(plan)
  const times = [...plan.reviews, ...plan.comments, ...plan.follows, ...plan.favorites].map(({ at }) =>
    Date.parse(at),
  )
  expect(Math.max(...times)).toBeLessThanOrEqual(now.getTime())
  expect(new Set(plan.reviews.map((review) => `${review.member} ${review.title}`)).size).toBe(
    plan.reviews.length,
  )
})

test('the community is alive: members, ratings, reviews, a busy week in all four kinds', async () => {
  expect(await loadCommunity(db, config.dataDir, now)).toBe('made')
  expect(await count('users')).toBeGreaterThanOrEqual(30)
  expect(await count('reviews')).toBeGreaterThan(1_400)
  const { texts } = await db
    .selectFrom('reviews')
    .where('text', '<>', '')
    .select((eb) => eb.fn.countAll<number>().as('texts'))
    .executeTakeFirstOrThrow()
  expect(texts).toBeGreaterThanOrEqual(200)
  expect(await findCounterFaults(db)).toEqual([])
  const caller = as(null, { now })
  for (const kind of [caller.movies, caller.tvShows, caller.books, caller.games]) {
    expect((await kind.popular({})).popular).toHaveLength(6)
  }
})

test('its printed sign-in works, and opens on a feed and a network', async () => {
  const { user } = await as().accounts.login(demoSignIn)
  const demo = as(user)
  expect((await demo.movies.forYou({})).forYou.length).toBeGreaterThan(5)
  expect((await demo.favoriteMovies.network({})).favoriteMovies.length).toBeGreaterThan(3)
})

test('nobody else of it can log in', async () => {
  await expect(as().accounts.login({ email: 'member1@medley.example', password: '!' })).rejects.toThrow(
    'Invalid email or password.',
  )
})

test('its pictures are there', async () => {
  const rows = await db.selectFrom('users').select('picture').where('picture', 'is not', null).execute()
  expect(rows.length).toBeGreaterThan(20)
  for (const { picture } of rows) await access(join(config.dataDir, picture!))
})

test('a later start makes nothing twice, and brings its week up to date', async () => {
  const before = await count('reviews')
  const later = new Date(now.getTime() + 30 * 86_400_000)
  expect(await loadCommunity(db, config.dataDir, later)).toBe('there')
  expect(await count('reviews')).toBe(before)
  expect((await as(null, { now: later }).movies.popular({})).popular).toHaveLength(6)
})

test('switched off it leaves nothing of it, and everything of real members', async () => {
  const member = await aMember(db, 'somebody.real')
  const { items } = await as().items.list({ limit: 1 })
  await as(member).reviews.save({ itemId: items[0]!.id, rating: 3, text: 'I stay.' })
  const { user } = await as().accounts.login(demoSignIn)
  const { movie } = await as(user).movies.create({ name: 'Made through the public sign-in' })
  expect(await removeCommunity(db)).toBeGreaterThanOrEqual(30)
  await expect(as().movies.byId({ id: movie.id })).rejects.toThrow('Movie not found.')
  expect(await count('users')).toBe(1)
  expect(await count('reviews')).toBe(1)
  for (const table of ['follows', 'comments', 'reactions', 'favorites'] as const)
    expect(await count(table)).toBe(0)
  expect(await findCounterFaults(db)).toEqual([])
})
