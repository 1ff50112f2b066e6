import { expect, test } from 'vitest'
import { reviewTextMax } from '#shared/domain/limits.ts'
import { textLimit, textProblem } from './text-problem.ts'

test('a review must not be blank or exceed the server’s limit', () => {
  expect(textProblem(' \n ')).toMatch(/few words/)
  expect(textProblem('x'.repeat(reviewTextMax + 1))).toMatch(/under 10,000/)
  expect(textProblem('Fine.')).toBeUndefined()
  expect(textProblem(`${'x'.repeat(reviewTextMax)}  `)).toBeUndefined()
})

test('the character count is shown only near the limit', () => {
  expect(textLimit('x'.repeat(100))).toBeUndefined()
  expect(textLimit('x'.repeat(reviewTextMax - 10))).toBe(reviewTextMax)
})
