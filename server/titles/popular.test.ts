import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { leaveUnwatched } from '#scripts/testing/event-loop.ts'
import { kindNames, kinds } from '#shared/domain/kinds.ts'
import { generateSyntheticData } from '#scripts/bench/synthetic-data.ts'
import { seeded } from '#scripts/testing/random.ts'
import { variation } from '#scripts/testing/variation.ts'
import { isSqlite } from '#server/db/dialect.ts'
import type { Db } from '#server/db/open.ts'
import { divideWindow } from '#server/db/spans.ts'
import { aMember, aServer, aTitle, plansOf } from '#server/testing.ts'
import { findMostRated } from './rules.ts'
import { listMostRated, listRatingBounds, listRatingSums } from './popular-store.ts'

const { as, db } = await aServer()
const dayMs = 86_400_000
const start = Date.parse('2026-06-01T00:00:00.000Z')

const memberCount = 4
const years = [2001, 2020, null, 2001, 1980]

/** A member rates a title, some hours after the step before; a rating of null deletes it. */
const step = fc.record({
  member: fc.nat(memberCount - 1),
  title: fc.nat(years.length - 1),
  rating: fc.option(
    fc.integer({ min: 2, max: 10 }).map((halves) => halves / 2),
    { freq: 6 },
  ),
  hours: fc.nat(30),
})

test(
  'for any history, window and limit, popular returns the same as a naive recount',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 6 }),
        async (steps, days, limit) => {
          await db.deleteFrom('users').execute()
          await db.deleteFrom('media').execute()
          const members = await Promise.all(Array.from({ length: memberCount }, () => aMember(db)))
          const ids: number[] = []
          for (const year of years) {
            const id = await aTitle(db, 'tvShow')
            await db
              .updateTable('media')
              .set({ release_date: year ? `${year}-01-01` : null, release_year: year })
              .where('id', '=', id)
              .execute()
            ids.push(id)
          }
          const now = { ms: start }
          const ratings = new Map<string, { title: number; rating: number; at: number; reviewId: number }>()
          for (const { member, title, rating, hours } of steps) {
            now.ms += hours * 3_600_000
            const caller = as(members[member]!, { now: new Date(now.ms) })
            const key = `${member} ${title}`
            const known = ratings.get(key)
            if (rating === null) {
              if (known) await caller.reviews.remove({ id: known.reviewId })
              ratings.delete(key)
              continue
            }
            const { review } = await caller.reviews.save({ tvShowId: ids[title]!, rating })
            const at = known?.rating === rating ? known.at : now.ms
            ratings.set(key, { title, rating, at, reviewId: review.id })
          }

          const recent = [...ratings.values()].filter(({ at }) => at >= now.ms - days * dayMs)
          const expected = ids
            .map((id, title) => {
              const given = recent.filter((one) => one.title === title).map((one) => one.rating)
              return {
                id,
                year: years[title] ?? 0,
                count: given.length,
                sum: given.reduce((a, b) => a + b, 0),
              }
            })
            .filter(({ count }) => count > 0)
            .sort(
              (a, b) =>
                b.count - a.count || b.sum / b.count - a.sum / a.count || b.year - a.year || b.id - a.id,
            )
            .slice(0, limit)
            .map(({ id, count, sum }) => ({
              id,
              reviewCount: count,
              reviewAverage: Math.round((sum * 10_000) / count) / 10_000,
            }))
          const { popular } = await as(null, { now: new Date(now.ms) }).tvShows.popular({ days, limit })
          expect(
            popular.map(({ id, reviewCount, reviewAverage }) => ({ id, reviewCount, reviewAverage })),
          ).toEqual(expected)
        },
      ),
      { numRuns: isSqlite(db) ? 40 : 15, seed: 7 },
    )
  },
)

test('for any numbers of ratings per span, the titles with the most ratings are found', async () => {
  /** Ratings of each title in each span, and the part of those in the first span that the window contains. */
  const counts = fc.array(
    fc.array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40)), { minLength: 4, maxLength: 4 }),
    {
      maxLength: 120,
    },
  )
  await fc.assert(
    fc.asyncProperty(
      counts,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 5 }),
      async (titles, part, limit) => {
        const totals = titles.map(([first, ...others], id) => {
          const count = others.reduce((sum, one) => sum + one, Math.floor(first! * part))
          return { id, count, sum: count }
        })
        const found = await findMostRated(
          4,
          limit,
          async (depth) =>
            [0, 1, 2, 3].flatMap((list) =>
              titles
                .map((spans, id) => ({ list, id, count: spans[list]! }))
                .filter(({ count }) => count > 0)
                .sort((a, b) => b.count - a.count)
                .slice(0, depth),
            ),
          async () =>
            titles
              .map((spans, id) => {
                const most = spans.reduce((sum, one) => sum + one, 0)
                return { id, least: most - spans[0]!, most }
              })
              .sort((a, b) => b.most - a.most),
          async (ids) => totals.filter(({ id, count }) => ids.includes(id) && count > 0),
        )
        const enough = totals.map(({ count }) => count).sort((a, b) => b - a)[limit - 1] ?? 0
        const isAmong = ({ count }: { count: number }) => count > 0 && count >= enough
        const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
        expect(found.filter(isAmong).sort(byId)).toEqual(totals.filter(isAmong))
      },
    ),
    { numRuns: 500, seed: 11 },
  )
})

variation(
  'in a large catalogue, any window returns the same as a recount',
  { timeout: 180_000 },
  async () => {
    leaveUnwatched()
    await db.deleteFrom('users').execute()
    await db.deleteFrom('media').execute()
    // As autovacuum may do at any time.
    if (!isSqlite(db)) await sql`analyze`.execute(db)
    const end = Date.parse('2026-06-01T12:00:00.000Z')
    await generateSyntheticData(db, { reviews: 20_000, seed: 5, now: new Date(end) })
    const random = seeded(6)
    const below = (limit: number) => Math.floor(random() * limit)
    const all = await db.selectFrom('reviews').select(['kind', 'media_id', 'rating', 'rated_at']).execute()
    const draw = () => ({
      kind: kindNames[below(4)]!,
      days: 1 + below(below(2) ? 20 : 365),
      limit: 1 + below(below(3) ? 6 : 100),
      now: new Date(end + below(200 * dayMs)),
    })
    let drawn = draw()
    for (let turn = 0; turn < 40; turn++) {
      // One value differs from the turn before: without a write in between, results are kept.
      const changed = (['kind', 'days', 'limit', 'now'] as const)[turn % 4]!
      drawn = { ...drawn, [changed]: draw()[changed] }
      const { kind, days, limit, now } = drawn
      const since = new Date(now.getTime() - days * dayMs).toISOString()
      const sums = new Map<number, { count: number; sum: number }>()
      for (const { media_id, rating, rated_at, ...review } of all) {
        if (media_id === null || review.kind !== kind || rated_at < since) continue
        const { count, sum } = sums.get(media_id) ?? { count: 0, sum: 0 }
        sums.set(media_id, { count: count + 1, sum: sum + rating })
      }
      const expected = [...sums.values()]
        .sort((a, b) => b.count - a.count || b.sum / b.count - a.sum / a.count)
        .slice(0, limit)
      const { popular } = await as(null, { now })[kinds[kind].router].popular({ days, limit })
      expect(
        popular.map(({ reviewCount, reviewAverage }) => ({ reviewCount, reviewAverage })),
        `${days} days of ${kind} before ${now.toISOString()}`,
      ).toEqual(
        expected.map(({ count, sum }) => ({
          reviewCount: count,
          reviewAverage: Math.round((sum * 1_000) / count) / 10_000,
        })),
      )
    }
  },
)

test.runIf(isSqlite(db))('popular reads only index ranges, without sorting lists', async () => {
  const window = divideWindow(new Date('2026-06-01T12:00:00.000Z'), 365)
  const work = async (of: Db) => {
    await listMostRated(of, 'movie', window.spans, 6)
    await listRatingBounds(of, 'movie', window)
    await listRatingSums(of, [1, 2], window)
  }
  // The first call compiles the queries.
  await work(db)
  const plans = await plansOf(db, work)
  expect(plans.filter((line) => /^SCAN (?!list\d|json_each|ratings|spans|\(?subquery)/.test(line))).toEqual(
    [],
  )
  const ranges = plans.filter((line) => line.startsWith('SEARCH'))
  const expected = [
    ['COVERING INDEX rating_counts_top (kind=? AND days=? AND start=?)', window.spans.length],
    ['COVERING INDEX rating_counts_top (kind=? AND days=? AND start>? AND start<?)', 2],
    ['COVERING INDEX rating_counts_top (kind=? AND days=? AND start>?)', 1],
    ['COVERING INDEX reviews_rated_at (media_id=? AND rated_at>? AND rated_at<?)', 1],
    ['(media_id=? AND days=? AND start>? AND start<?)', 2],
    ['(media_id=? AND days=? AND start>?)', 1],
  ] as const
  for (const [part, count] of expected)
    expect(
      ranges.filter((line) => line.endsWith(part)),
      part,
    ).toHaveLength(count)
})
