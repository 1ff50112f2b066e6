import { expect, test } from 'vitest'
import { noCounts } from '#shared/domain/ratings.ts'
import { formatsFor } from '#client/ui/formats.ts'
import { formatAverage, type Ratings, withRating } from './histogram.ts'

const none = { ...noCounts(), total: 0, avg: null }
const ratings = [2, 4, 4, 5].reduce((all, stars) => withRating(all, null, stars), none as Ratings)

test('a first rating adds to the histogram and moves the average', () => {
  expect(withRating(ratings, null, 5)).toEqual({
    counts: { 1: 0, 2: 1, 3: 0, 4: 2, 5: 2 },
    halfCounts: { ...none.halfCounts, 2: 1, 4: 2, 5: 2 },
    total: 5,
    avg: 4,
  })
  expect(withRating(none, null, 3)).toMatchObject({ counts: { ...none.counts, 3: 1 }, total: 1, avg: 3 })
})

test('a changed rating does not change the total', () => {
  expect(withRating(ratings, 2, 4)).toMatchObject({
    counts: { 1: 0, 2: 0, 3: 0, 4: 3, 5: 1 },
    total: 4,
    avg: 4.25,
  })
})

test('a half counts in the bar above it and exactly in the mean', () => {
  const changed = withRating(ratings, 2, 3.5)
  expect(changed).toMatchObject({ counts: { 1: 0, 2: 0, 3: 0, 4: 3, 5: 1 }, total: 4, avg: 4.125 })
  expect(changed.halfCounts).toEqual({ ...none.halfCounts, 3.5: 1, 4: 2, 5: 1 })
})

test('removing the last rating removes the average', () => {
  expect(withRating(withRating(none, null, 3), 3, null)).toEqual(none)
})

test('the argument is not mutated', () => {
  withRating(ratings, 2, 5)
  expect(ratings.counts[2]).toBe(1)
})

test('an average has one decimal, and is N/A without ratings', () => {
  const { decimal } = formatsFor(['en'])
  expect(formatAverage(4.26, decimal)).toBe('4.3')
  expect(formatAverage(3, decimal)).toBe('3.0')
  expect(formatAverage(null, decimal)).toBe('N/A')
  expect(formatAverage(undefined, decimal)).toBe('N/A')
})
