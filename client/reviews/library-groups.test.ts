import { expect, test } from 'vitest'
import { groupsOf } from './library-groups.ts'

const rated = (createdAt: string, rating: number) => ({ createdAt, rating })
const inMonths = (...counts: [month: string, count: number][]) =>
  counts.flatMap(([month, count]) =>
    Array.from({ length: count }, () => rated(`${month}-04T10:00:00.000Z`, 4)),
  )
const keys = (reviews: ReturnType<typeof rated>[], sort: Parameters<typeof groupsOf>[1] = 'newest') =>
  groupsOf(reviews, sort).map(({ key, reviews: ofGroup }) => [key, ofGroup.length])

test('a library sorted by time is grouped by month, by year if months have few titles, and not at all if there are few', () => {
  expect(keys(inMonths(['2026-05', 6], ['2026-04', 2]))).toEqual([
    ['2026-05', 6],
    ['2026-04', 2],
  ])
  const sparse = inMonths(['2026-05', 1], ['2026-04', 1], ['2026-03', 2], ['2025-12', 4], ['2025-11', 1])
  expect(keys(sparse)).toEqual([
    ['2026', 4],
    ['2025', 5],
  ])
  expect(keys(inMonths(['2026-05', 1], ['2025-04', 1], ['2024-04', 1]))).toEqual([['', 3]])
  expect(groupsOf([], 'newest')).toEqual([])
})

test('a library sorted by rating is grouped by stars, and one sorted by title is not', () => {
  const reviews = [rated('2026-05-04T10:00:00.000Z', 5), ...inMonths(['2026-05', 2])]
  expect(keys(reviews, 'highest')).toEqual([
    ['5', 1],
    ['4', 2],
  ])
  expect(keys(reviews, 'title')).toEqual([['', 3]])
})
