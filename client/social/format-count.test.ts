import { expect, test } from 'vitest'
import { formatsFor } from '#client/ui/formats.ts'
import { formatCount } from './format-count.ts'

const { decimal } = formatsFor(['en'])

test('counts below a thousand are not abbreviated', () => {
  expect(formatCount(0, decimal)).toBe('0')
  expect(formatCount(999, decimal)).toBe('999')
})

test('counts below ten thousand are thousands with one decimal', () => {
  expect(formatCount(1_000, decimal)).toBe('1.0k')
  expect(formatCount(1_249, decimal)).toBe('1.2k')
  expect(formatCount(9_900, decimal)).toBe('9.9k')
})

test('larger counts are rounded thousands', () => {
  expect(formatCount(10_000, decimal)).toBe('10k')
  expect(formatCount(12_500, decimal)).toBe('13k')
  expect(formatCount(1_234_567, decimal)).toBe('1235k')
})
