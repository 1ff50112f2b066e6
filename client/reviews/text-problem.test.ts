import { expect, test } from 'vitest'
import { reviewTextMax } from '#shared/domain/limits.ts'
import { textProblem } from './text-problem.ts'

test('a review must not be blank or exceed the server’s limit', () => {
  expect(textProblem(' \n ')).toMatch(/few words/)
  expect(textProblem('x'.repeat(reviewTextMax + 1))).toMatch(/under 10,000/)
  expect(textProblem('Fine.')).toBeUndefined()
  expect(textProblem(`${'x'.repeat(reviewTextMax)}  `)).toBeUndefined()
})
