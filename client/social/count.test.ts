import { expect, test } from 'vitest'
import { formatCount } from './count.ts'

test('counts under a thousand show as they are', () => {
  expect(formatCount(0)).toBe('0')
  expect(formatCount(999)).toBe('999')
})

test('counts under ten thousand show one decimal of thousands', () => {
  expect(formatCount(1_000)).toBe('1.0k')
  expect(formatCount(1_249)).toBe('1.2k')
  expect(formatCount(9_900)).toBe('9.9k')
})

test('greater counts show rounded thousands', () => {
  expect(formatCount(10_000)).toBe('10k')
  expect(formatCount(12_500)).toBe('13k')
  expect(formatCount(1_234_567)).toBe('1235k')
})
