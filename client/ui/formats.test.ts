import { expect, test } from 'vitest'
import { english, englishLocales, formatsFor } from './formats.ts'

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

test.each([...englishLocales])('the numbers of server rendering equal Intl’s for %s', (locale) => {
  const { count, decimal } = formatsFor([locale!])
  for (const value of [0, 7, 999, 1_000, 12_345, 999_999, 1_234_567, 10 ** 12])
    expect(english.count(value)).toBe(count(value))
  for (const value of [0, 0.05, 1, 3.25, 4.45, 4.005, 4.9999, 1234.5678])
    for (const digits of [0, 1, 2]) expect(english.decimal(value, digits)).toBe(decimal(value, digits))
})
