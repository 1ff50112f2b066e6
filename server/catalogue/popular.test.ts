import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aMember, aServer, aTitle } from '#server/testing.ts'

const { as, db } = await aServer()
const dayMs = 86_400_000
const start = Date.parse('2026-06-01T00:00:00.000Z')

const memberCount = 4
const years = [2001, 2020, null, 2001, 1980]

/** A member rates a title, some hours after the step before; a rating of null deletes it. */
const step = fc.record({
  member: fc.nat(memberCount - 1),
  title: fc.nat(years.length - 1),
  rating: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 6 }),
  hours: fc.nat(30),
})

test(
  'for any history, window and limit, popular returns the same as a naive recount',
  { timeout: 90_000 },
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
      { numRuns: 40, seed: 7 },
    )
  },
)
