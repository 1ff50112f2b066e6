import { expect, test } from 'vitest'
import { formatsFor } from './formats.ts'

const american = formatsFor(['en-US'])
const german = formatsFor(['de'])

test('an average is rounded once, and an exact half goes up', () => {
  expect(american.decimal(4.4463, 1)).toBe('4.4')
  expect(american.decimal(4.45, 1)).toBe('4.5')
  expect(american.decimal(4.005, 2)).toBe('4.01')
  expect(american.decimal(3, 2)).toBe('3.00')
})

test('numbers are in the user’s locale', () => {
  expect(american.count(12_345)).toBe('12,345')
  expect(german.count(12_345)).toBe('12.345')
  expect(german.decimal(4.25, 1)).toBe('4,3')
})
