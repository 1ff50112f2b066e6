import { expect, test } from 'vitest'
import { groupsOf } from './library-groups.ts'

const rated = (createdAt: string, rating: number) => ({ createdAt, rating })
const reviews = [
  rated('2026-05-04T10:00:00.000Z', 5),
  rated('2026-05-01T10:00:00.000Z', 4),
  rated('2026-04-30T10:00:00.000Z', 4),
]

test('a library is grouped by month or by stars as it is sorted, and not by a title', () => {
  const sizes = (sort: Parameters<typeof groupsOf>[1]) =>
    groupsOf(reviews, sort).map(({ key, reviews: ofGroup }) => [key, ofGroup.length])
  expect(sizes('newest')).toEqual([
    ['2026-05', 2],
    ['2026-04', 1],
  ])
  expect(sizes('highest')).toEqual([
    ['5', 1],
    ['4', 2],
  ])
  expect(sizes('title')).toEqual([['', 3]])
  expect(groupsOf([], 'newest')).toEqual([])
})
