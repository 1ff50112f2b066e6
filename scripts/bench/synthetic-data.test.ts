import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { aMember, aServer, aTitle, findCounterFaults } from '#server/testing.ts'
import { generateSyntheticData } from './synthetic-data.ts'
import { generateOffers } from './synthetic-offers.ts'
import { generatePlays } from './synthetic-plays.ts'

const [{ db, as }, { db: again }] = [await aServer(), await aServer()]
const now = new Date('2026-06-01T12:00:00.000Z')

const tables = [
  'users',
  'media',
  'follows',
  'reviews',
  'reactions',
  'comments',
  'favorites',
  'diary_entries',
  'plays',
  'notifications',
] as const
const rowsOf = async (db: Db, table: (typeof tables)[number]) => {
  const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db)
  return rows.map((row) => JSON.stringify(row)).sort()
}
const numbers = async (query: ReturnType<typeof sql<{ n: number }>>) =>
  (await query.execute(db)).rows.map(({ n }) => n)

beforeAll(async () => {
  for (const one of [db, again]) {
    await generateSyntheticData(one, { reviews: 2_000, seed: 7, now })
    await generateOffers(one, { now })
    await generatePlays(one, { now })
  }
})

test('the same seed generates the same dataset, row by row', async () => {
  for (const table of tables) expect(await rowsOf(again, table)).toEqual(await rowsOf(db, table))
})

test('every counter equals a recount', async () => {
  expect(await findCounterFaults(db)).toEqual([])
})

test('popularity and activity are skewed, and no time lies in the future', async () => {
  const titles = await numbers(sql`select rating_count as n from media order by id`)
  expect(titles.reduce((a, b) => a + b)).toBe(2_000)
  const ofHead = titles.slice(0, 20).reduce((a, b) => a + b)
  expect(ofHead).toBeGreaterThan(500)
  expect(titles[0]).toBeGreaterThan(5 * titles.at(-1)!)
  const members = await numbers(sql`select review_count as n from users order by review_count desc`)
  expect(members[0]).toBeGreaterThan(2 * members[Math.floor(members.length / 2)]!)
  expect(members.at(-1)).toBeGreaterThan(0)
  for (const table of ['users', 'media', 'follows', 'reviews', 'comments', 'favorites'] as const) {
    const { rows } = await sql<{
      last: string
    }>`select max(created_at) as last from ${sql.table(table)}`.execute(db)
    expect(rows[0]!.last <= now.toISOString()).toBe(true)
  }
})

test('members follow 50 others, and the heavy followers everyone in a small dataset', async () => {
  const following = await numbers(sql`select following_count as n from users order by id`)
  expect(following).toEqual([104, 104, 104, 104, 104, ...Array.from({ length: 100 }, () => 50)])
})

test('the generated site works: it has popular titles, a feed and notifications, and new rows get new ids', async () => {
  const [first] = await db.selectFrom('users').select(['id', 'username']).where('id', '=', 1).execute()
  const member = as(first, { now })
  expect((await member.movies.popular({})).popular.length).toBeGreaterThan(0)
  expect((await member.movies.forYou({})).forYou.length).toBeGreaterThan(5)
  expect((await member.reviews.list({ itemId: 1 })).reviews).toHaveLength(5)
  expect((await member.notifications.list({})).notifications.length).toBeGreaterThan(5)
  const newcomer = await aMember(db)
  await as(newcomer).reviews.save({ itemId: await aTitle(db), rating: 4, text: 'First.' })
  expect(await findCounterFaults(db)).toEqual([])
})

test('a database with members is refused', async () => {
  await expect(generateSyntheticData(db, { reviews: 1_000, now })).rejects.toThrow('has members or titles')
})

test.runIf(isSqlite(db))('the write-ahead log is truncated afterwards', async () => {
  const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(passive)`.execute(again)
  expect(rows[0]!.log).toBe(0)
})
