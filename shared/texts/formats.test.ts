import { expect, test } from 'vitest'
import { allOf, anyOf, dayText, numberText } from './formats.ts'

test('a number, a list and a day inside of a text are English, in whatever country the server or the reader is', () => {
  expect(numberText(1_234_567)).toBe('1,234,567')
  expect(['', 'a', 'a b', 'a b c'].map((items) => allOf(items.split(' ').filter(Boolean)))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
  expect(anyOf(['a', 'b', 'c'])).toBe('a, b or c')
  expect(dayText('2026-11-06T23:59:59.999Z')).toBe('6 November 2026')
})

test('they have the form of another language if its locale is given', () => {
  expect(numberText(1_234, 'de')).toBe('1.234')
  expect(allOf(['a', 'b', 'c'], 'de')).toBe('a, b und c')
  expect(anyOf(['a', 'b'], 'de')).toBe('a oder b')
  expect(dayText('2026-11-06T00:00:00.000Z', 'de')).toBe('6. November 2026')
  expect(numberText(1_234)).toBe('1,234')
})
