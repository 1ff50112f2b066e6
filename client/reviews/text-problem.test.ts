import { expect, test } from 'vitest'
import { reviewTextMax } from '#shared/limits.ts'
import { textLimit, textProblem } from './text-problem.ts'

test('a review needs words, and no more than the server takes', () => {
  expect(textProblem(' \n ')).toMatch(/few words/)
  expect(textProblem('x'.repeat(reviewTextMax + 1))).toMatch(/under 10.?000/)
  expect(textProblem('Fine.')).toBeUndefined()
  expect(textProblem(`${'x'.repeat(reviewTextMax)}  `)).toBeUndefined()
})

test('characters are counted only near the end', () => {
  expect(textLimit('x'.repeat(100))).toBeUndefined()
  expect(textLimit('x'.repeat(reviewTextMax - 10))).toBe(reviewTextMax)
})
