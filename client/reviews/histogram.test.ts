import { expect, test } from 'vitest'
import { formatsFor } from '#client/ui/formats.ts'
import { formatAverage, withRating } from './histogram.ts'

const ratings = { counts: { 1: 0, 2: 1, 3: 0, 4: 2, 5: 1 }, total: 4, avg: 3.75 }
const none = { counts: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }, total: 0, avg: null }

test('a first rating adds to the histogram and moves the average', () => {
  expect(withRating(ratings, null, 5)).toEqual({ counts: { 1: 0, 2: 1, 3: 0, 4: 2, 5: 2 }, total: 5, avg: 4 })
  expect(withRating(none, null, 3)).toEqual({ counts: { ...none.counts, 3: 1 }, total: 1, avg: 3 })
})

test('a changed rating does not change the total', () => {
  expect(withRating(ratings, 2, 4)).toEqual({ counts: { 1: 0, 2: 0, 3: 0, 4: 3, 5: 1 }, total: 4, avg: 4.25 })
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
