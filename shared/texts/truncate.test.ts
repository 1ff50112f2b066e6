import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

test('a text of at most the limit stays as it is', () => {
  expect(truncate('one two', 7)).toBe('one two')
  expect(truncate('', 7)).toBe('')
})

test.each([
  ['one two three', 9, 'one two…'],
  ['one two three', 8, 'one two…'],
  ['one two, three', 10, 'one two…'],
  // No word ends in the second half.
  ['a wonderfully long word', 12, 'a wonderful…'],
  ['🦉🦉🦉', 4, '🦉…'],
  ['🦉🦉🦉', 5, '🦉🦉…'],
])('%j is cut at %d units to %j', (text, max, cut) => {
  expect(truncate(text, max)).toBe(cut)
  expect(cut.length).toBeLessThanOrEqual(max)
  expect(cut.isWellFormed()).toBe(true)
})

test('the ellipsis can be extra', () => {
  expect(truncate('a'.repeat(161), 160, true)).toBe(`${'a'.repeat(160)}…`)
  expect(truncate('one two three', 7, true)).toBe('one two…')
})
